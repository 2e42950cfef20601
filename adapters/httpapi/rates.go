package httpapi

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"lyceum/adapters/admission"
)

// Rates are how many requests are accepted in a minute. 0 means any number.
type Rates struct {
	Key           int // of one key
	WrongKeys     int // with a wrong key, of one network of a client
	UnknownTokens int // for an unknown invitation or download, of one network of a client
}

const (
	rateWindow = time.Minute
	// ratesKept is how many keys or networks a limit remembers, about 300 bytes each.
	ratesKept = 20_000
)

// rateLimit is one limit of the rate of requests.
type rateLimit struct {
	*admission.RateLimiter        // nil: there is no limit
	name                   string // in headers and metrics
	detail                 string // of the refusal
}

// rateLimits are the limits of a server.
type rateLimits struct{ key, wrongKeys, unknownTokens rateLimit }

func newRateLimits(r Rates) rateLimits {
	limit := func(name string, quota int, detail string) rateLimit {
		l := rateLimit{name: name, detail: detail}
		if quota > 0 {
			l.RateLimiter = admission.NewRateLimiter(admission.RateConfig{Quota: quota, Window: rateWindow, Kept: ratesKept})
		}
		return l
	}
	return rateLimits{
		key:           limit("key", r.Key, "Too many requests with this key; try again later"),
		wrongKeys:     limit("wrong-keys", r.WrongKeys, "Too many requests with wrong keys from this address; try again later"),
		unknownTokens: limit("unknown-tokens", r.UnknownTokens, "Too many requests with unknown links from this address; try again later"),
	}
}

func (l rateLimits) all() []rateLimit { return []rateLimit{l.key, l.wrongKeys, l.unknownTokens} }

// rateError is the refusal of a request that exceeds a rate: what the client learns of
// it.
type rateError string

// Error returns the text.
func (e rateError) Error() string { return string(e) }

// take uses one unit of the quota of an origin, or refuses the request by a rateError. h are
// the headers of its response.
func (l rateLimit) take(h http.Header, origin [16]byte) error {
	return l.tell(h, l.Take, origin)
}

// check refuses the request if nothing is left of the quota of an origin. It uses
// no unit.
func (l rateLimit) check(h http.Header, origin [16]byte) error {
	return l.tell(h, l.Check, origin)
}

// tell writes what of a quota is left after ask into the headers of the response
// (draft-ietf-httpapi-ratelimit-headers), and returns the refusal if that was too
// little.
func (l rateLimit) tell(h http.Header, ask func([16]byte) (admission.Budget, bool), origin [16]byte) error {
	if l.RateLimiter == nil {
		return nil
	}
	left, ok := ask(origin)
	cfg := l.Config()
	h.Set("RateLimit-Policy", fmt.Sprintf("%q;q=%d;w=%d", l.name, cfg.Quota, seconds(cfg.Window)))
	h.Set("RateLimit", fmt.Sprintf("%q;r=%d;t=%d", l.name, left.Left, seconds(left.Reset)))
	if ok {
		return nil
	}
	h.Set("Retry-After", strconv.Itoa(max(seconds(left.Next), 1)))
	return rateError(l.detail)
}

// seconds returns d in whole seconds, rounded up.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

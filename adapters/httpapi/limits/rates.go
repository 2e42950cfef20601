package limits

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

// RateLimit is one limit of the rate of requests.
type RateLimit struct {
	*admission.RateLimiter        // nil: there is no limit
	Name                   string // in headers and metrics
	detail                 string // of the refusal
}

// RateLimits are the limits of a server.
type RateLimits struct{ Key, WrongKeys, UnknownTokens RateLimit }

func NewRateLimits(r Rates) RateLimits {
	limit := func(name string, quota int, detail string) RateLimit {
		l := RateLimit{Name: name, detail: detail}
		if quota > 0 {
			l.RateLimiter = admission.NewRateLimiter(admission.RateConfig{Quota: quota, Window: rateWindow, Kept: ratesKept})
		}
		return l
	}
	return RateLimits{
		Key:           limit("key", r.Key, "Too many requests with this key; try again later"),
		WrongKeys:     limit("wrong-keys", r.WrongKeys, "Too many requests with wrong keys from this address; try again later"),
		UnknownTokens: limit("unknown-tokens", r.UnknownTokens, "Too many requests with unknown links from this address; try again later"),
	}
}

func (l RateLimits) All() []RateLimit { return []RateLimit{l.Key, l.WrongKeys, l.UnknownTokens} }

// RateError is the refusal of a request that exceeds a rate: what the client learns of
// it.
type RateError string

// Error returns the text.
func (e RateError) Error() string { return string(e) }

// Take uses one unit of the quota of an origin, or refuses the request by a RateError. h are
// the headers of its response.
func (l RateLimit) Take(h http.Header, origin [16]byte) error {
	return l.tell(h, l.RateLimiter.Take, origin)
}

// Check refuses the request if nothing is left of the quota of an origin. It uses
// no unit.
func (l RateLimit) Check(h http.Header, origin [16]byte) error {
	return l.tell(h, l.RateLimiter.Check, origin)
}

// tell writes what of a quota is left after ask into the headers of the response
// (draft-ietf-httpapi-ratelimit-headers), and returns the refusal if that was too
// little.
func (l RateLimit) tell(h http.Header, ask func([16]byte) (admission.Budget, bool), origin [16]byte) error {
	if l.RateLimiter == nil {
		return nil
	}
	left, ok := ask(origin)
	cfg := l.Config()
	h.Set("RateLimit-Policy", fmt.Sprintf("%q;q=%d;w=%d", l.Name, cfg.Quota, seconds(cfg.Window)))
	h.Set("RateLimit", fmt.Sprintf("%q;r=%d;t=%d", l.Name, left.Left, seconds(left.Reset)))
	if ok {
		return nil
	}
	h.Set("Retry-After", strconv.Itoa(max(seconds(left.Next), 1)))
	return RateError(l.detail)
}

// seconds returns d in whole seconds, rounded up.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

package limits

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"lyceum/adapters/limiter"
)

// Rates contains maximum numbers of requests per minute; 0: no limit.
type Rates struct {
	Key           int // requests with one key
	Learner       int // requests with the tokens of one learner
	WrongKeys     int // requests with a wrong key from one network
	UnknownTokens int // requests with an unknown token, such as an invitation's, from one network
}

const (
	rateWindow = time.Minute
	// ratesKept is the number of keys or networks that a limit tracks, about 300 bytes each.
	ratesKept = 20_000
	// emailsPerToken is the number of emails in an hour for each unknown token in a minute: 120 by
	// default. At this rate, one network needs most of a day for the emails to strangers of a school.
	emailsPerToken = 2
)

// RateLimit is a rate limit with the texts that clients see.
type RateLimit struct {
	*limiter.RateLimiter        // nil: no limit
	Name                 string // name in headers and metrics
	detail               string // detail of the refusal
}

// RateLimits contains the rate limits of a server.
type RateLimits struct {
	Key, Learner, WrongKeys, UnknownTokens RateLimit

	// Emails limits the requests of a network for emails that may go to strangers. It is part of the
	// limit of unknown tokens, but for an hour, so that one network cannot use up the emails of a
	// school for a day.
	Emails *limiter.RateLimiter
}

// NewRateLimits returns rate limits with the given maximum numbers.
func NewRateLimits(r Rates) RateLimits {
	limit := func(name string, quota int, detail string) RateLimit {
		l := RateLimit{Name: name, detail: detail}
		if quota > 0 {
			l.RateLimiter = limiter.NewRateLimiter(limiter.RateConfig{Quota: quota, Window: rateWindow, Kept: ratesKept})
		}
		return l
	}
	var emails *limiter.RateLimiter
	if quota := emailsPerToken * r.UnknownTokens; quota > 0 {
		emails = limiter.NewRateLimiter(limiter.RateConfig{Quota: quota, Window: time.Hour, Kept: ratesKept})
	}
	return RateLimits{
		Emails:        emails,
		Key:           limit("key", r.Key, "Too many requests with this API key. Try again later"),
		Learner:       limit("learner", r.Learner, "Too many requests of this learner. Try again later"),
		WrongKeys:     limit("wrong-keys", r.WrongKeys, "Too many requests with invalid API keys from this address. Try again later"),
		UnknownTokens: limit("unknown-tokens", r.UnknownTokens, "Too many requests with invalid links from this address. Try again later"),
	}
}

// All returns every limit.
func (l RateLimits) All() []RateLimit {
	return []RateLimit{l.Key, l.Learner, l.WrongKeys, l.UnknownTokens}
}

// RateError is the refusal of a request that exceeds a rate. Its text is the detail of
// the response.
type RateError string

// Error returns the text.
func (e RateError) Error() string { return string(e) }

// Take uses one unit of the quota of origin, or returns a RateError if none is left. It sets the
// headers of the rate limit in h.
func (l RateLimit) Take(h http.Header, origin [16]byte) error {
	return l.setHeaders(h, l.RateLimiter.Take, origin)
}

// Charge uses n more units of the quota of origin for a request that Take has allowed, and sets the
// same headers in h as Take.
func (l RateLimit) Charge(h http.Header, origin [16]byte, n int) {
	if n > 0 {
		_ = l.setHeaders(h, func(origin [16]byte) (limiter.Budget, bool) { return l.RateLimiter.Charge(origin, n), true }, origin)
	}
}

// Check returns a RateError if the quota of origin is used up. It does not use the quota. It sets
// the same headers in h as Take.
func (l RateLimit) Check(h http.Header, origin [16]byte) error {
	return l.setHeaders(h, l.RateLimiter.Check, origin)
}

// setHeaders calls ask and sets the response headers for the remaining quota
// (draft-ietf-httpapi-ratelimit-headers). It returns a RateError if the quota is used up.
func (l RateLimit) setHeaders(h http.Header, ask func([16]byte) (limiter.Budget, bool), origin [16]byte) error {
	if l.RateLimiter == nil {
		return nil
	}
	left, ok := ask(origin)
	cfg := l.Config()
	h.Set("RateLimit-Policy", fmt.Sprintf("%q;q=%d;w=%d", l.Name, cfg.Quota, seconds(cfg.Window)))
	h.Set("RateLimit", fmt.Sprintf("%q;r=%d;t=%d", l.Name, left.Remaining, seconds(left.Reset)))
	if ok {
		return nil
	}
	h.Set("Retry-After", strconv.Itoa(max(seconds(left.Next), 1)))
	return RateError(l.detail)
}

// seconds returns d in whole seconds, rounded up.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

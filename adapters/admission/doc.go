// Package admission bounds how many operations run at a time and shares the slots
// fairly: between schools first, then between the keys of a school. So a flood of
// requests of one client makes that client wait, and its neighbors do not notice.
//
// A Limiter is one such bound. The HTTP API has one for each class of requests
// (package httpapi), the Postgres store has one in front of its pool of
// connections. A RateLimiter bounds how often operations of one origin begin, a Spacing
// spreads them over time. The package knows no clock but that of package time, and
// nothing about requests.
// limiter.go holds what a caller of a Limiter sees, turns.go decides whose turn it
// is, rates.go is the RateLimiter.
package admission

// Package limiter bounds how many operations run concurrently and shares the slots fairly:
// first between schools, then between the API keys of a school. A client that floods the
// server thus delays itself, not other schools.
//
// A Limiter is one such bound: the HTTP API has one for each class of requests, and the
// Postgres store has one for its pool of connections. A RateLimiter bounds how often
// operations of one origin start; a Spacing delays them instead. The package knows nothing
// about requests. Start with Limiter.
package limiter

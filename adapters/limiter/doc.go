// Package limiter limits how many operations run concurrently and shares the slots fairly: first
// between schools, then between the API keys of a school. A client that floods the server thus
// delays itself, not other schools.
//
// The HTTP API has a Limiter for each class of requests, and the Postgres store has one for its
// pool of connections. A RateLimiter limits how often operations of one origin start; a Spacing
// delays them instead. The package does not depend on requests. Start with Limiter.
package limiter

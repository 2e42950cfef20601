// Package limits limits the work that clients can cause: how many requests of each class run
// concurrently, how many are sent per minute, how closely they follow each other, and how slowly a
// client may transfer bytes. It does not depend on the content of requests, only on numbers and on
// the origin of requests. Start at Lanes and RateLimits.
package limits

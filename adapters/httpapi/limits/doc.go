// Package limits bounds the work that clients can cause: how many requests of each class run
// concurrently, how many are sent per minute, how closely they follow each other, and how slowly a
// client may transfer bytes. It depends on numbers and origins, not on requests. Start at Lanes and
// RateLimits.
package limits

// Package idempotency makes a POST safe to retry: it records the first response
// under the client's Idempotency-Key and answers repeats of the request with
// that.
package idempotency

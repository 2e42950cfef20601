// Package idempotency makes a POST safe to retry: it records the first response under the client's
// Idempotency-Key and returns it again for retries of the request. Start at Replayer.Run.
package idempotency

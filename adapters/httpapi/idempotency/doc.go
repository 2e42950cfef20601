// Package idempotency makes a POST safe to retry: it records the first response under the
// client's Idempotency-Key and replays it for repeats of the request. Start at
// Replayer.Run.
package idempotency

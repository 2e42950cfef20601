// Package worker runs background jobs: its goroutines call a use case until the queue is
// empty, then wait for a wake-up or for the next poll.
package worker

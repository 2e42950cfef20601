// Package worker runs background jobs: its goroutines call a use case until the queue is empty, and
// then wait for a wake-up or the next poll.
package worker

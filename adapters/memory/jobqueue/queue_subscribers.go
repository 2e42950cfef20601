package jobqueue

import (
	"context"

	"lyceum/domain/job"
)

// Subscribe implements ports.Queue.
func (q *Queue) Subscribe(ctx context.Context, kind job.Kind) <-chan struct{} {
	wake := make(chan struct{}, 1) // at most one value is pending while the subscriber is busy
	q.mu.Lock()
	defer q.mu.Unlock()
	q.subscribers[wake] = kind
	context.AfterFunc(ctx, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		delete(q.subscribers, wake)
		close(wake) // broadcast no longer sees the channel
	})
	return wake
}

// broadcast wakes the subscribers of the kind that have no pending value. The caller must hold
// q.mu.
func (q *Queue) broadcast(kind job.Kind) {
	for wake, of := range q.subscribers {
		if of != kind {
			continue
		}
		select {
		case wake <- struct{}{}:
		default:
		}
	}
}

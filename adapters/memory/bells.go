package memory

import (
	"context"

	"lyceum/domain/job"
)

func (q *queue) Wake(ctx context.Context, kind job.Kind) <-chan struct{} {
	bell := make(chan struct{}, 1) // keeps one value for a listener who is busy
	q.mu.Lock()
	defer q.mu.Unlock()
	q.bells[bell] = kind
	context.AfterFunc(ctx, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		delete(q.bells, bell)
		close(bell) // nobody rings it any more
	})
	return bell
}

// ring wakes those who listen for jobs of the kind and have not been woken yet.
func (q *queue) ring(kind job.Kind) {
	for bell, of := range q.bells {
		if of != kind {
			continue
		}
		select {
		case bell <- struct{}{}:
		default:
		}
	}
}

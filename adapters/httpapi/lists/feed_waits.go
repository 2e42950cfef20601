package lists

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/limiter"
	"lyceum/app"
)

// changePoll is how often the end of the feed of a school is read while requests wait for it.
const changePoll = 500 * time.Millisecond

// Waits reads the ends of the feeds for which requests wait: one query for each school, for
// all of its requests.
type Waits struct {
	last     func(ctx context.Context, a app.Actor) (int64, error) // position of the last readable change
	stopping func() bool

	mu    sync.Mutex // guards feeds
	feeds map[uuid.UUID]*feedEnd
}

// NewWaits returns waits that read the end of a feed with last, until stopping returns true.
func NewWaits(last func(ctx context.Context, a app.Actor) (int64, error), stopping func() bool) *Waits {
	return &Waits{last: last, stopping: stopping, feeds: map[uuid.UUID]*feedEnd{}}
}

// feedEnd is the end of a feed when it was last read.
type feedEnd struct {
	waiting int // number of requests; guarded by Waits.mu

	mu   sync.Mutex // guards read and last
	read time.Time
	last int64
}

// next waits until the feed of a's school has a readable change after a position. It reports false
// if there is none at the time end, or if the server is about to stop.
func (w *Waits) next(ctx context.Context, a app.Actor, after int64, end time.Time) (bool, error) {
	feed := w.join(a.School().UUID, +1)
	defer w.join(a.School().UUID, -1)
	for !w.stopping() && time.Now().Before(end) {
		if err := limiter.Pause(ctx, min(changePoll, time.Until(end))); err != nil {
			return false, err
		}
		last, err := w.read(ctx, a, feed)
		if err != nil || last > after {
			return err == nil, err
		}
	}
	return false, nil
}

// join adds n to the number of requests that wait for the feed of a school.
func (w *Waits) join(school uuid.UUID, n int) *feedEnd {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.feeds[school]
	if f == nil {
		f = &feedEnd{}
		w.feeds[school] = f
	}
	if f.waiting += n; f.waiting == 0 {
		delete(w.feeds, school)
	}
	return f
}

// read returns the end of a feed, which may have been read up to changePoll ago.
func (w *Waits) read(ctx context.Context, a app.Actor, f *feedEnd) (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.read) < changePoll {
		return f.last, nil
	}
	last, err := w.last(ctx, a)
	if err == nil {
		f.read, f.last = time.Now(), last
	}
	return last, err
}

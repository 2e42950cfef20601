package lists

import (
	"context"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/listquery"
	"lyceum/adapters/httpapi/respond"
	"lyceum/adapters/limiter"
	"lyceum/app"
	"lyceum/domain/change"
	"lyceum/domain/query"
)

// Feed describes a list that is a feed.
type Feed[T any] struct {
	State    func(ctx context.Context, a app.Actor) (change.Feed, error)
	At       func(position int64) T // returns a row with the position, to create cursors
	Position func(row T) int64
}

// seen returns the position of the last row before a page; 0: none.
func (l Feed[T]) seen(q query.Query) int64 {
	if q.Cursor == nil || q.Cursor.Backward {
		return 0
	}
	return q.Cursor.Values[0].Int
}

// end returns the cursor after a page without a next page. It is not after the last readable
// position: another transaction can move that position back for a moment, so the page may lack
// changes up to it.
func (l Feed[T]) end(schema query.Schema[T], q query.Query, rows []T) *query.Cursor {
	last := l.seen(q)
	if n := len(rows); n > 0 {
		last = l.Position(rows[n-1])
	} else if q.Cursor == nil && q.Page.Number() > 1 {
		return nil // the page was found by its number
	}
	c := schema.Edge(q.Sort, l.At(last), false)
	return &c
}

// readFeed returns a page of a feed. If the page is empty, it waits up to the duration wait for a
// row. While a request waits, it holds one of the slots for waiting requests instead of the slot of
// its class. Afterwards respond.State.Slot is another slot, which the caller must release.
func readFeed[T any](c *gin.Context, s *Server, a app.Actor, l Listing[T], q query.Query, wait time.Duration) (query.Result[T], error) {
	ctx, x := c.Request.Context(), respond.StateOf(c)
	end := time.Now().Add(wait)
	for first := true; ; first = false {
		result, err := l.List(ctx, a, q)
		if err != nil || len(result.Items) > 0 || wait == 0 {
			return result, err
		}
		if first {
			s.ExtendWriteDeadline(c)
		}
		x.Slot.Release()
		more, err := s.awaitChange(ctx, x, a, l.Feed.seen(q), end)
		if err != nil || !more {
			return result, err
		}
		if err := s.Reauthenticate(c); err != nil {
			return result, err
		}
		class := listquery.Class(x.Query, x.Route.CountsRows)
		if x.Slot, err = s.Lanes.Enter(ctx, s.Lanes.Of(class), x.Origin(), limits.TooManyRequests); err != nil {
			return result, err
		}
	}
}

// awaitChange waits for a change after a position of the school's feed, while it holds a slot for
// waiting.
func (s *Server) awaitChange(ctx context.Context, x *respond.State, a app.Actor, after int64, end time.Time) (bool, error) {
	slot, err := s.Lanes.Enter(ctx, s.Lanes.Waiters, x.Origin(), "Too many requests wait for changes. Try again later")
	defer slot.Release()
	if err != nil {
		return false, err
	}
	return s.Waits.next(ctx, a, after, end)
}

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

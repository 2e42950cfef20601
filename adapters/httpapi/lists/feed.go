package lists

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/listquery"
	"lyceum/adapters/httpapi/respond"
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
// row. While a request waits, it holds one of the slots for waiting requests instead of the slots of
// its class. Afterwards it holds as many slots of its class as before, which the caller must release.
func readFeed[T any](c *gin.Context, s *Server, a app.Actor, l Listing[T], q query.Query, wait time.Duration) (query.Result[T], error) {
	if wait == 0 {
		return l.List(c.Request.Context(), a, q)
	}
	ctx, x := c.Request.Context(), respond.StateOf(c)
	end := time.Now().Add(wait)
	for first := true; ; first = false {
		result, read, err := readUpTo(ctx, a, l, q)
		if err != nil || len(result.Items) > 0 {
			return result, err
		}
		if first {
			s.ExtendWriteDeadline(c)
		}
		x.Slot.Release()
		more, err := s.awaitChange(ctx, x, a, read, end)
		if err != nil || !more {
			return result, err
		}
		if err := s.Reauthenticate(c); err != nil {
			return result, err
		}
		class := listquery.Class(x.Query, x.Route.CountsRows)
		if x.Slot, err = s.Lanes.EnterClass(ctx, class, x.Client(), x.Slots); err != nil {
			return result, err
		}
	}
}

// readUpTo returns a page of a feed, and the position up to which it was read: the end of the feed
// before or after it. If the page is empty, no row up to this position belongs to it, so only later
// changes are a reason to read it again.
func readUpTo[T any](ctx context.Context, a app.Actor, l Listing[T], q query.Query) (r query.Result[T], read int64, err error) {
	before, err := l.Feed.State(ctx, a)
	if err != nil {
		return r, 0, err
	}
	if r, err = l.List(ctx, a, q); err != nil || len(r.Items) > 0 {
		return r, 0, err
	}
	after, err := l.Feed.State(ctx, a)
	return r, max(l.Feed.seen(q), min(before.End, after.End)), err
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

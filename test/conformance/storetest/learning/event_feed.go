package learning

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/event"
	"lyceum/domain/query"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// unknownActivity returns an id that no activity has.
func unknownActivity(l fixture.CourseFixture, s fixture.Tenant) activity.ID {
	return s.NewActivity(l.Course.ID, "Nothing", activity.TextContent()).ID
}

// EventFeed tests that a reader that always continues after the last event it has read misses no
// event, even while events are appended concurrently.
func EventFeed(t *testing.T, b fixture.Backend) {
	followers := []struct {
		name   string
		follow func(s fixture.Tenant) func() ([]event.Event, error)
	}{
		{"by page numbers", followPages},
		{"by the time of the last event", followTimes},
	}
	for _, f := range followers {
		t.Run("A reader that continues "+f.name+" misses nothing and sees nothing twice", func(t *testing.T) {
			is, w := is.New(t), fixture.NewWorld(t, b)
			l := fixture.NewCourseFixture(w.Tenant, "one")
			next := f.follow(w.Tenant)
			var seen []event.Event
			var errRead error
			quit, ended := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(ended)
				for errRead == nil {
					last := false
					select {
					case <-quit:
						last = true // read once more, for events appended since the last read
					default:
					}
					var some []event.Event
					some, errRead = next()
					seen = append(seen, some...)
					if last && len(some) == 0 {
						return
					}
				}
			}()
			kept, err := appendConcurrently(w.Tenant, l)
			close(quit)
			<-ended
			is.NoErr(err)
			is.NoErr(errRead)
			is.Equal(seen, w.All().Events) // each once, in the order of the feed
			is.Equal(len(seen), len(kept)) // rolled-back events are absent
			transactions := map[time.Time]string{}
			for i, e := range seen {
				who := kept[e.Position]
				is.True(who != "")
				if other, ok := transactions[e.CreatedAt]; ok && other != who {
					t.Fatalf("two transactions have the time %s", e.CreatedAt)
				}
				transactions[e.CreatedAt] = who
				is.True(i == 0 || e.Position > seen[i-1].Position)
				is.True(i == 0 || !e.CreatedAt.Before(seen[i-1].CreatedAt))
			}
		})
	}
}

// appendConcurrently lets 16 writers append events, some of them in transactions that are rolled
// back. It maps the position of each committed event to a name of its transaction.
func appendConcurrently(s fixture.Tenant, l fixture.CourseFixture) (map[int64]string, error) {
	const writers, rounds = 16, 6
	var (
		mu   sync.Mutex
		wg   sync.WaitGroup
		kept = map[int64]string{}
		errs []error
	)
	for writer := range writers {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(writer), 5))
			for round := range rounds {
				es := make([]event.Event, 1+rnd.IntN(4))
				for i := range es {
					es[i] = event.NewView(l.Learner.ID, l.Text.ID)
				}
				dropped := rnd.IntN(4) == 0
				var own []event.Event
				err := s.Try(func(ctx context.Context, tx ports.Tx) (err error) {
					own, err = tx.Events.Append(ctx, es, s.Clock.Now()) // the clock does not advance
					if dropped {
						err = errors.Join(err, fixture.ErrDropped)
					}
					return err
				})
				mu.Lock()
				switch {
				case dropped && errors.Is(err, fixture.ErrDropped):
				case err != nil:
					errs = append(errs, err)
				default:
					for _, e := range own {
						kept[e.Position] = fmt.Sprintf("%d.%d", writer, round)
					}
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return kept, errors.Join(errs...)
}

// followPages returns a function that reads the feed page by page. Each call returns the events
// that have been added to the current page since the last call. After a full page, the next call
// reads the next page.
func followPages(s fixture.Tenant) func() ([]event.Event, error) {
	const limit = 5
	page, known := int64(1), 0
	return func() ([]event.Event, error) {
		found, err := s.Read().Events.List(s.Context(), query.Query{Page: query.NewPage(page, limit)})
		if err != nil {
			return nil, err
		}
		fresh := found.Items[known:]
		if known = len(found.Items); known == limit {
			page, known = page+1, 0
		}
		return fresh, nil
	}
}

// followTimes returns a function that reads the events whose time is after the time of the last
// event that it returned.
func followTimes(s fixture.Tenant) func() ([]event.Event, error) {
	var q query.Query
	q.Page = query.AllRows()
	return func() ([]event.Event, error) {
		found, err := s.Read().Events.List(s.Context(), q)
		if err == nil && len(found.Items) > 0 {
			last := found.Items[len(found.Items)-1].CreatedAt
			q.Where = query.Cond{
				Attr: event.Schema.Attr("created_at"), Op: query.Gt,
				Values: []query.Value{{From: last, To: last.Add(time.Millisecond)}},
			}
		}
		return found.Items, err
	}
}

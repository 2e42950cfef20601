package faults

import (
	"context"
	"time"
)

// follower reads the event feed while clients write. It follows links.next and polls the last page.
type follower struct {
	*caller
	school *school
	seen   []Row
}

// run follows the feed until more ends, and then to the end of the feed. The rows in seen contain
// the ids of people instead of their addresses.
func (f *follower) run(ctx, more context.Context) error {
	next, before := "/v2/events?limit=20", map[Row]bool{}
	for {
		last := ended(more) // if true, the next response contains the last events
		var p page
		if err := f.get(ctx, next, &p); err != nil {
			return err
		}
		for _, r := range p.Data {
			e := eventOf(r, r.of("person"), f.school)
			if !before[e] { // an earlier read of this page may have contained the event
				f.seen = append(f.seen, e)
				before[e] = true
			}
		}
		switch {
		case p.Links.Next != "":
			next, before = p.Links.Next, map[Row]bool{}
		case last:
			return nil
		default:
			select {
			case <-more.Done():
			case <-time.After(50 * time.Millisecond):
			}
		}
	}
}

func ended(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	default:
		return false
	}
}

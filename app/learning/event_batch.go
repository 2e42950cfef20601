package learning

import (
	"context"
	"time"

	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/ports"
)

// eventBatch contains the events of one transaction.
type eventBatch struct {
	events  []event.Event
	newRows []int                   // rows of the events to append
	repeats []int                   // rows that repeat an earlier row
	first   map[event.ClientKey]int // first row with each client key
	faults  []error

	contexts  []activityContext // contexts of newRows
	completed []int             // indexes in newRows of the events that complete their activity
}

func (r *eventBatch) fail(err error, row int) { r.faults = append(r.faults, fault.AtRow(err, row)) }

// matchRepeats sets newRows, repeats and first. It replaces each event whose client key is
// already in the feed by the event in the feed.
func (r *eventBatch) matchRepeats(ctx context.Context, tx ports.Tx) error {
	var keys []event.ClientKey
	for _, e := range r.events {
		if e.ClientID != "" {
			keys = append(keys, e.ClientKey())
		}
	}
	var known map[event.ClientKey]event.Event
	if len(keys) > 0 {
		var err error
		if known, err = tx.Events.ByClientKeys(ctx, keys); err != nil {
			return err
		}
	}
	for i, e := range r.events {
		before, repeats := known[e.ClientKey()]
		row, twice := r.first[e.ClientKey()]
		switch {
		case e.ClientID == "":
			r.newRows = append(r.newRows, i)
			continue
		case repeats:
			r.events[i] = before
		case twice:
			before = r.events[row]
			r.repeats = append(r.repeats, i)
		default:
			r.first[e.ClientKey()] = i
			r.newRows = append(r.newRows, i)
			continue
		}
		if !before.SameAs(e) {
			r.fail(fault.Invalidf("client_id", "is already used by a different event"), i)
		}
	}
	return nil
}

// append appends the new events to the feed. It must be the last statement of the transaction,
// because it locks the end of the feed.
func (r *eventBatch) append(ctx context.Context, tx ports.Tx, now time.Time) error {
	if len(r.newRows) > 0 {
		fresh := make([]event.Event, len(r.newRows))
		for i, row := range r.newRows {
			fresh[i] = r.events[row]
		}
		kept, err := tx.Events.Append(ctx, fresh, now)
		if err != nil {
			return err
		}
		for i, row := range r.newRows {
			r.events[row] = kept[i]
		}
	}
	for _, row := range r.repeats {
		r.events[row] = r.events[r.first[r.events[row].ClientKey()]]
	}
	return nil
}

package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/adapters/memory/tables"
	"lyceum/domain/course"
	"lyceum/domain/event"
	"lyceum/domain/person"
	"lyceum/ports"
)

var _ ports.EventLog = events{}

// feed contains the events of a school in order. Events are immutable.
type feed struct {
	rows     ordered.Index[*event.Event]
	byClient ordered.Dict[event.ClientKey, *event.Event] // events with a client id
	position int64                                       // position of the last event ever appended
	lastAt   time.Time                                   // time of the last appended event
}

func newFeed() *feed {
	return &feed{byClient: ordered.NewDict[event.ClientKey, *event.Event](compareClientKeys), rows: ordered.NewIndex(ordered.Order[*event.Event]{
		Compare: func(a, b *event.Event) int {
			return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.Position, b.Position))
		},
		Sections: []ordered.Section[*event.Event]{
			{Attr: "person.id", ID: func(e *event.Event) uuid.UUID { return e.Person.UUID }},
			{Attr: "activity.id", ID: func(e *event.Event) uuid.UUID { return e.Activity.UUID }},
		},
	})}
}

func compareClientKeys(a, b event.ClientKey) int {
	return cmp.Or(ordered.CompareIDs(a.Person.UUID, b.Person.UUID), strings.Compare(a.ID, b.ID))
}

// Copy returns a feed with the same events that can be changed independently.
func (f *feed) Copy() *feed { return &feed{f.rows.Copy(), f.byClient.Copy(), f.position, f.lastAt} }

// nextTime returns the time for events that are appended at now. It is now, or a later time if the
// last event is not older than now.
func (f *feed) nextTime(now time.Time) time.Time {
	if f.position > 0 && !now.After(f.lastAt) {
		return f.lastAt.Add(time.Millisecond)
	}
	return now
}

func cloneEvent(e *event.Event) event.Event {
	c := *e
	c.Watched, c.OccurredAt = tables.ClonePointer(e.Watched), tables.ClonePointer(e.OccurredAt)
	return c
}

type eventReader = lister[event.Event]

func listEvents(s *state) ordered.Listing {
	rows := s.feed.table.rows
	return ordered.Derived(event.Schema, rows, cloneEvent, rows.Whole().Ordered(), nil) // positions and times have the same order
}

type events struct {
	eventReader
	tx *tx
}

// Append implements ports.EventLog.
func (r events) Append(ctx context.Context, es []event.Event, now time.Time) ([]event.Event, error) {
	s, err := r.tx.current(ctx)
	if err != nil || len(es) == 0 {
		return nil, err
	}
	if err := s.checkEvents(es); err != nil {
		return nil, err
	}
	f := s.feed.writable(s.version)
	at, added := f.nextTime(now), slices.Clone(es)
	for i := range added {
		added[i] = cloneEvent(&added[i])
		added[i].CreatedAt = at
		f.append(&added[i])
	}
	return added, nil
}

// load appends events with their own times. An event whose time is before after gets the time
// after.
func (r events) load(ctx context.Context, es []event.Event, after time.Time) error {
	s, err := r.tx.current(ctx)
	if err != nil || len(es) == 0 {
		return err
	}
	if err := s.checkEvents(es); err != nil {
		return err
	}
	f := s.feed.writable(s.version)
	for _, e := range es {
		if e.CreatedAt.Before(after) {
			e.CreatedAt = after
		}
		f.append(&e)
	}
	return nil
}

// append appends e, whose CreatedAt is set, and sets its position.
func (f *feed) append(e *event.Event) {
	f.position++
	e.Position, f.lastAt = f.position, e.CreatedAt
	kept := cloneEvent(e)
	f.rows.Set(&kept)
	if kept.ClientID != "" {
		f.byClient.Set(kept.ClientKey(), &kept)
	}
}

// remove removes e. Its client ID can then be used again.
func (f *feed) remove(e *event.Event) {
	f.rows.Remove(e)
	f.byClient.Remove(e.ClientKey())
}

// checkEvents returns an error if the person or activity of an event does not exist or its client
// key is already used.
func (s *state) checkEvents(es []event.Event) error {
	seen := map[event.ClientKey]bool{}
	for _, e := range es {
		_, known := s.feed.table.byClient.Get(e.ClientKey())
		if known || e.ClientID != "" && seen[e.ClientKey()] {
			return fmt.Errorf("memory: events: %w: the client's id %s", ports.ErrExists, e.ClientID)
		}
		seen[e.ClientKey()] = true
		if !s.people.table.Has(e.Person.UUID) {
			return fmt.Errorf("memory: an event of the unknown person %s", e.Person)
		}
		if !s.activities.table.Has(e.Activity.UUID) {
			return fmt.Errorf("memory: an event of the unknown activity %s", e.Activity)
		}
	}
	return nil
}

func (r events) removeOfCourse(ctx context.Context, c course.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	f := s.feed.writable(s.version)
	for a := range activitiesIn(s, c).From(0) {
		for _, e := range slices.Collect(f.rows.Within("activity.id", a.Row.ID.UUID).From(0)) {
			f.remove(e)
		}
	}
	return nil
}

// ByClientKeys implements ports.EventLog.
func (r events) ByClientKeys(ctx context.Context, keys []event.ClientKey) (map[event.ClientKey]event.Event, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	found := make(map[event.ClientKey]event.Event, len(keys))
	for _, key := range keys {
		if e, ok := s.feed.table.byClient.Get(key); ok {
			found[key] = cloneEvent(e)
		}
	}
	return found, nil
}

// DeleteByPerson implements ports.EventLog.
func (r events) DeleteByPerson(ctx context.Context, p person.ID, limit int) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	f := s.feed.writable(s.version)
	deleted := ordered.First(f.rows.Within("person.id", p.UUID).From(0), limit)
	for _, e := range deleted {
		f.remove(e)
	}
	return len(deleted), nil
}

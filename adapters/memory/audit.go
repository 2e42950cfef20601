package memory

import (
	"cmp"
	"context"
	"time"
	"unique"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/audit"
	"lyceum/domain/change"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/text"
	"lyceum/ports"
)

var (
	_ ports.AuditReader = auditReader{}
	_ ports.AuditLog    = auditLog{}
)

// addressSection groups the events that have an address by person, for eraseAddresses. It is not the
// name of an attribute, so that lists do not use it: an event without an address is in no section.
const addressSection = "addresses of a person"

// auditTrail contains the audit events of a school, newest first.
type auditTrail struct{ rows ordered.Index[*auditEvent] }

// auditEvent is an audit.Event in less memory. The change feed refers to the events that are
// changes. Events are immutable.
type auditEvent struct {
	position int64
	kind     unique.Handle[eventKind] // events of a kind share it
	record   compactID
	cause    *cause // events of a transaction share it
}

// eventKind is the action of an event and the type of its record.
type eventKind struct {
	action audit.Action // name of a change.Action if the event is a change of the feed
	typ    string
}

// cause is the time and the origin of the events of a transaction with one origin.
type cause struct {
	at     time.Time
	origin audit.Origin
}

func (e *auditEvent) event() audit.Event {
	kind := e.kind.Value()
	return audit.Event{
		Position: e.position, Action: kind.action, Record: change.Record{Type: kind.typ, ID: e.record.String()},
		At: e.cause.at, Origin: e.cause.origin,
	}
}

func (e *auditEvent) change() change.Change {
	event := e.event()
	return change.Change{Position: event.Position, Action: change.Action(event.Action), Record: event.Record, At: event.At}
}

// compactID is the ID of a record. Most IDs are a UUID.
type compactID struct {
	id   uuid.UUID
	text *string // nil: id
}

func newCompactID(s string) compactID {
	if id, ok := text.UUID(s); ok && id.String() == s {
		return compactID{id: id}
	}
	return compactID{text: &s}
}

// String returns the text of the ID.
func (c compactID) String() string {
	if c.text != nil {
		return *c.text
	}
	return c.id.String()
}

func newAuditTrail() *auditTrail {
	return &auditTrail{ordered.NewIndex(ordered.Order[*auditEvent]{
		Compare: func(a, b *auditEvent) int { return cmp.Compare(b.position, a.position) },
		Sections: []ordered.Section[*auditEvent]{{Attr: addressSection, ID: func(e *auditEvent) uuid.UUID {
			if e.cause.origin.Address == "" {
				return uuid.Nil
			}
			return e.cause.origin.Person.UUID
		}}},
	})}
}

// Copy returns a trail with the same events that can be changed independently.
func (t *auditTrail) Copy() *auditTrail { return &auditTrail{t.rows.Copy()} }

// eraseAddresses erases the addresses in at most limit events of a person, and returns the number of
// these events. It replaces them in the change feed too.
func (s *state) eraseAddresses(p person.ID, limit int) int {
	n, trail, feed := 0, s.trail.writable(s.version), s.changes.writable(s.version)
	for e := range trail.rows.Copy().Within(addressSection, p.UUID).From(0) {
		if n == limit {
			break
		}
		erased, cause := *e, *e.cause
		cause.origin.Address = ""
		erased.cause = &cause
		trail.rows.Remove(e) // from the section too
		trail.rows.Set(&erased)
		if _, isChange := feed.rows.All.Get(e); isChange {
			feed.rows.Set(&erased)
		}
		n++
	}
	return n
}

// olderThan returns the events older than before, among the limit oldest events.
func (t *auditTrail) olderThan(before time.Time, limit int) (old []*auditEvent) {
	for e := range t.rows.Whole().From(max(0, t.rows.All.Len()-limit)) {
		if e.cause.at.Before(before) {
			old = append(old, e)
		}
	}
	return old
}

type auditReader struct{ view view }

// Page implements ports.AuditReader.
func (r auditReader) Page(ctx context.Context, q query.Query) (query.Result[audit.Event], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[audit.Event]{}, err
	}
	rows := s.trail.table.rows
	l := ordered.Derived(audit.Schema, rows, (*auditEvent).event, nil, ordered.Finders{
		"uuid": func(_ query.Attr, v query.Value) (any, bool) { return rows.All.Get(&auditEvent{position: v.Int}) },
	})
	return ordered.List[audit.Event](ctx, l.Narrowed(mayBeOfKind(audit.Schema.Attributes(), q.Where, eventOfKind)), q)
}

// mayBeOfKind returns a function that reports whether an event may satisfy where, by its kind alone, or
// nil if where does not depend on the kind. A school has millions of events of a few kinds, and the
// entry of an event takes much longer to compute. entry returns the entry of an event of a kind.
func mayBeOfKind(a *query.Attributes, where query.Expr, entry func(eventKind) query.Entry) func(row any) bool {
	conds := ordered.Implied(where, "action", "record.type", "record_type")
	if len(conds) == 0 {
		return nil
	}
	holds, known := a.Compile(conds), map[unique.Handle[eventKind]]bool{}
	return func(row any) bool {
		kind := row.(*auditEvent).kind
		may, ok := known[kind]
		if !ok {
			may = holds(entry(kind.Value()))
			known[kind] = may
		}
		return may
	}
}

// eventOfKind returns the entry of an event of a kind.
func eventOfKind(k eventKind) query.Entry {
	return audit.Schema.LazyRecord(audit.Event{Action: k.action, Record: change.Record{Type: k.typ}}).Entry()
}

type auditLog struct{ tx *tx }

// Add implements ports.AuditLog.
func (l auditLog) Add(ctx context.Context, action audit.Action, r change.Record) error {
	_, err := l.tx.current(ctx)
	l.tx.audited = append(l.tx.audited, audit.Event{Action: action, Record: r})
	return err
}

// SetOrigin implements ports.AuditLog.
func (l auditLog) SetOrigin(ctx context.Context, o audit.Origin) error {
	_, err := l.tx.current(ctx)
	if err == nil {
		l.tx.setOrigin(o)
	}
	return err
}

// EraseAddresses implements ports.AuditLog.
func (l auditLog) EraseAddresses(ctx context.Context, p person.ID, limit int) (int, error) {
	s, err := l.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	return s.eraseAddresses(p, limit), nil
}

// DeleteExpiredAuditEvents implements ports.Schools.
func (r schools) DeleteExpiredAuditEvents(ctx context.Context, before time.Time, limit int) (int, error) {
	return sweep(ctx, r, limit, func(s *state, n int) []*auditEvent { return s.trail.table.olderThan(before, n) }, func(s *state, e *auditEvent) error {
		s.trail.writable(s.version).rows.Remove(e)
		s.changes.writable(s.version).expire(e.position)
		return nil
	})
}

package memory

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/audit"
	"lyceum/domain/change"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

var (
	_ ports.AuditReader = auditReader{}
	_ ports.AuditLog    = auditLog{}
)

// personSection groups the events by person, for eraseAddresses. It is not the name of an attribute,
// so that lists do not use it: an event without a person is in no section.
const personSection = "section of a person"

// auditTrail contains the audit events of a school, newest first. Events are immutable.
type auditTrail struct{ rows ordered.Index[*auditEvent] }

// auditEvent is an audit.Event that takes less memory: the change feed shares its Change, and all
// events of a transaction share one origin. If it is not in the feed, Change.Action contains its
// audit.Action.
type auditEvent struct {
	change.Change
	origin *audit.Origin
}

func (e *auditEvent) event() audit.Event {
	return audit.Event{Position: e.Position, Action: audit.Action(e.Action), Record: e.Record, At: e.At, Origin: *e.origin}
}

func newAuditTrail() *auditTrail {
	return &auditTrail{ordered.NewIndex(ordered.Order[*auditEvent]{
		Compare:  func(a, b *auditEvent) int { return cmp.Compare(b.Position, a.Position) },
		Sections: []ordered.Section[*auditEvent]{{Attr: personSection, ID: func(e *auditEvent) uuid.UUID { return e.origin.Person.UUID }}},
	})}
}

// Copy returns a trail with the same events that can be changed independently.
func (t *auditTrail) Copy() *auditTrail { return &auditTrail{t.rows.Copy()} }

// eraseAddresses erases the addresses in the events of a person.
func (t *auditTrail) eraseAddresses(p person.ID) {
	for e := range t.rows.Copy().Within(personSection, p.UUID).From(0) {
		if e.origin.Address != "" {
			origin := *e.origin
			origin.Address = ""
			t.rows.Set(&auditEvent{e.Change, &origin})
		}
	}
}

// olderThan returns the events older than before, among the limit oldest events.
func (t *auditTrail) olderThan(before time.Time, limit int) (old []*auditEvent) {
	for e := range t.rows.Whole().From(max(0, t.rows.All.Len()-limit)) {
		if e.At.Before(before) {
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
	l := ordered.Derived(audit.Schema, rows, (*auditEvent).event, nil, nil)
	return ordered.List[audit.Event](ctx, l, q)
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

// DeleteExpiredAuditEvents implements ports.Schools.
func (r schools) DeleteExpiredAuditEvents(ctx context.Context, before time.Time, limit int) (int, error) {
	return sweep(ctx, r, limit, func(s *state, n int) []*auditEvent { return s.trail.table.olderThan(before, n) }, func(s *state, e *auditEvent) error {
		s.trail.writable(s.version).rows.Remove(e)
		s.changes.writable(s.version).expire(e.Position)
		return nil
	})
}

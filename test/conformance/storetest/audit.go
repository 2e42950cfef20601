package storetest

import (
	"context"
	"math"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/audit"
	"lyceum/domain/category"
	"lyceum/domain/change"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

// trail returns all audit events, oldest first.
func (s tenant) trail() []audit.Event {
	s.t.Helper()
	page, err := s.read().Audit.Page(s.ctx(), query.Query{Page: query.AllRows()})
	s.must(err)
	slices.Reverse(page.Items)
	return page.Items
}

// by returns an origin with an address, for a new actor who is the person p.
func (s tenant) by(p person.ID) audit.Origin {
	return audit.Origin{
		Actor:   audit.Actor{Type: audit.Session, ID: s.ids.New(), Person: p},
		Request: "request-" + s.ids.New().String(), Address: "2001:db8::7",
	}
}

// from returns s with transactions of the origin o.
func (s tenant) from(o audit.Origin, fn func(ctx context.Context, tx ports.Tx) error) {
	s.t.Helper()
	s.must(s.store.InTx(ports.WithOrigin(s.ctx(), o), s.id, fn))
}

func addDesign(s tenant) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error {
		return tx.Categories.Add(ctx, category.Restore(s.newCategory("Design "+s.ids.New().String())))
	}
}

// auditTrail tests the audit trail: ports.AuditReader and ports.AuditLog.
func auditTrail(t *testing.T, b Backend) {
	t.Run("Each change has an event with its position, record and time", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := newScenario(w.tenant)
		is.NoErr(w.try(p.run))
		newFixture(w.tenant, "one")
		var events []change.Change
		for _, e := range w.trail() {
			events = append(events, change.Change{Position: e.Position, Action: change.Action(e.Action), Record: e.Record, At: e.At})
			is.Equal(e.Type, audit.Unknown) // the context of the test has no origin
		}
		is.Equal(events, w.changesAfter(0))
	})

	t.Run("Events have the origin of the context, in every kind of transaction", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		o := w.by(w.addPerson("ada@example.test").ID)
		ctx := ports.WithOrigin(w.ctx(), o)
		is.NoErr(w.store.InTx(ctx, w.id, addDesign(w.tenant)))
		is.NoErr(w.store.InLongTx(ctx, w.id, addDesign(w.tenant)))
		is.NoErr(w.store.Load(ctx, w.id, func(ctx context.Context, l ports.LoadTx) error {
			return l.Add(ctx, ports.Batch{Categories: []category.Category{category.Restore(w.newCategory("Loaded"))}})
		}))
		added, err := w.store.AddPerson(ctx, w.id, w.newPersonOf(w.newPerson("grace@example.test"), invitation.Kind))
		is.NoErr(err)
		is.True(added != nil)
		all := w.trail()[1:]
		is.Equal(len(all), 4)
		for _, e := range all {
			is.Equal(e.Origin, o)
		}
		w.addCategory("Later") // the origin ends with its transaction
		is.Equal(w.trail()[5].Origin, audit.Origin{})
	})

	t.Run("SetOrigin replaces the origin of later writes only", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		first := w.by(person.ID{})
		second := audit.Origin{Actor: audit.Actor{Type: audit.APIKey, ID: w.ids.New()}, Request: "another", Address: "192.0.2.9"}
		third := audit.Origin{Actor: audit.Actor{Type: audit.Visitor}, Request: "third"}
		c, key := w.newCategory("One"), change.Record{Type: "api_keys", ID: w.ids.New().String()}
		renamed := c
		renamed.Name, renamed.UpdatedAt = "Two", w.nextTime()
		w.from(first, func(ctx context.Context, tx ports.Tx) error {
			w.must(tx.Categories.Add(ctx, category.Restore(c)))
			w.must(tx.Audit.SetOrigin(ctx, second))
			w.must(tx.Categories.Save(ctx, category.Restore(renamed)))
			w.must(tx.Audit.Add(ctx, audit.Rotated, key))
			w.must(tx.Audit.SetOrigin(ctx, third))
			w.must(tx.Categories.Delete(ctx, c.ID))
			w.must(tx.Audit.SetOrigin(ctx, first))
			return addDesign(w.tenant)(ctx, tx)
		})
		want := map[audit.Action]audit.Origin{audit.Updated: second, audit.Rotated: second, audit.Deleted: third, audit.Created: first}
		all := w.trail()
		is.Equal(len(all), 5)
		for _, e := range all {
			is.Equal(e.Origin, want[e.Action])
		}
		is.Equal(len(w.changesAfter(0)), 4)
	})

	t.Run("SetOrigin replaces the origin for the rest of the transaction", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		next := audit.Origin{Actor: audit.Actor{Type: audit.APIKey, ID: w.ids.New()}, Request: "another", Address: "192.0.2.9"}
		w.from(w.by(person.ID{}), func(ctx context.Context, tx ports.Tx) error {
			w.must(tx.Audit.SetOrigin(ctx, next))
			return addDesign(w.tenant)(ctx, tx)
		})
		is.Equal(w.trail()[0].Origin, next)
	})

	t.Run("Add adds an event that the change feed does not contain", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		o, key := w.by(person.ID{}), change.Record{Type: "api_keys", ID: w.ids.New().String()}
		w.from(o, func(ctx context.Context, tx ports.Tx) error {
			w.must(tx.Audit.Add(ctx, audit.Rotated, key))
			return addDesign(w.tenant)(ctx, tx)
		})
		all := w.trail()
		is.Equal(len(all), 2)
		i := slices.IndexFunc(all, func(e audit.Event) bool { return e.Action == audit.Rotated })
		is.Equal(all[i].Record, key)
		is.Equal(all[i].Origin, o)
		is.True(time.Since(all[i].At) < time.Hour)
		is.Equal(len(w.changesAfter(0)), 1)
		is.Equal(len(w.otherTenant.trail()), len(w.otherTenant.changesAfter(0)))
	})

	t.Run("An event of a rolled-back transaction does not exist", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		err := w.try(func(ctx context.Context, tx ports.Tx) error {
			w.must(tx.Audit.Add(ctx, audit.Exported, change.Record{Type: "people", ID: audit.All}))
			return errDropped
		})
		is.Equal(err, errDropped)
		is.Equal(len(w.trail()), 0)
	})

	t.Run("The deletion of a person erases their addresses, and nothing else", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test").ID, w.addPerson("grace@example.test").ID
		w.from(w.by(ada), addDesign(w.tenant))
		w.from(w.by(grace), addDesign(w.tenant))
		w.from(w.by(person.ID{}), addDesign(w.tenant))
		before := w.trail()
		is.NoErr(w.try(func(ctx context.Context, tx ports.Tx) error { return tx.People.Delete(ctx, ada) }))
		after := w.trail()
		is.Equal(len(after), len(before)+1)
		for i, e := range before {
			if e.Person == ada {
				e.Address = ""
			}
			is.Equal(after[i], e)
		}
	})

	t.Run("EraseAddresses erases the addresses of the person, and nothing else", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test").ID, w.addPerson("grace@example.test").ID
		for _, p := range []person.ID{ada, grace, ada, {}, ada} {
			w.from(w.by(p), addDesign(w.tenant))
		}
		before := w.trail()
		for _, step := range []struct{ erased, left int }{{2, 1}, {1, 0}, {0, 0}} {
			n, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (int, error) { return tx.Audit.EraseAddresses(ctx, ada, 2) })
			is.NoErr(err)
			is.Equal(n, step.erased)
			left := 0
			for i, e := range w.trail() {
				if e.Person == ada && e.Address != "" {
					left++
				}
				if e.Person == ada {
					e.Address = before[i].Address
				}
				is.Equal(e, before[i])
			}
			is.Equal(left, step.left)
		}
	})

	t.Run("The address of a person who does not exist, or no longer, is not recorded", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada := w.addPerson("ada@example.test").ID
		is.NoErr(w.try(func(ctx context.Context, tx ports.Tx) error { return tx.People.Delete(ctx, ada) }))
		before, o := len(w.trail()), w.by(ada)
		w.from(o, addDesign(w.tenant))
		w.from(o, func(ctx context.Context, tx ports.Tx) error {
			return tx.Audit.Add(ctx, audit.SignedOut, change.Record{Type: person.Type, ID: ada.String()})
		})
		o.Address = ""
		after := w.trail()[before:]
		is.Equal(len(after), 2)
		for _, e := range after {
			is.Equal(e.Origin, o)
		}
	})

	t.Run("Page returns what the evaluation of the query selects", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, o := person.ID{UUID: w.ids.New()}, w.by(person.ID{})
		w.from(w.by(ada), addDesign(w.tenant))
		w.from(o, addDesign(w.tenant))
		w.from(audit.Origin{Actor: audit.Actor{Type: audit.Operator}}, addDesign(w.tenant))
		newFixture(w.tenant, "one")
		all := w.trail()
		at := all[len(all)/2].At.Format("2006-01-02T15:04:05.000Z")
		for _, r := range []query.Request{
			{},
			{Sort: "uuid"},
			{Sort: "record_type,-record_id"},
			{Sort: "actor_type,-occurred_at"},
			{Sort: "-request_id,address"},
			{Terms: []query.Term{changeTerm("action", "eq", "created"), changeTerm("occurred_at", "gteq", at)}},
			{Terms: []query.Term{changeTerm("actor_type", "in", "operator"), changeTerm("actor_type", "in", "session")}},
			{Terms: []query.Term{changeTerm("actor_type", "eq", "unknown")}},
			{Terms: []query.Term{changeTerm("actor_id", "eq", o.ID.String())}},
			{Terms: []query.Term{changeTerm("person_id", "eq", ada.String())}},
			{Terms: []query.Term{changeTerm("request_id", "eq", o.Request)}},
			{Terms: []query.Term{changeTerm("address", "eq", "2001:db8::7")}},
			{Terms: []query.Term{changeTerm("record_id", "eq", all[0].Record.ID), changeTerm("record_type", "eq", "categories")}},
			{Terms: []query.Term{changeTerm("uuid", "lteq", strconv.FormatInt(all[2].Position, 10))}},
		} {
			r.Page = query.NewPage(1, 7)
			q, err := query.Build(audit.Schema, r)
			is.NoErr(err)
			got, err := w.read().Audit.Page(w.ctx(), q)
			is.NoErr(err)
			is.True(len(got.Items) > 0)
			is.Equal(diff(got, audit.Schema.Evaluate(q, all)), "")
		}
	})
}

// auditMethods contains the methods of ports.AuditReader and ports.AuditLog.
var auditMethods = []portMethod{
	{port: "Audit", method: "Page", outside: true, foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		page, err := r.Audit.Page(ctx, query.Query{Page: query.AllRows()})
		return len(slices.DeleteFunc(page.Items, func(e audit.Event) bool { return e.Record.ID != theirs.category.ID.String() })), err
	}},
	{port: "Audit", method: "Add", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Audit.Add(ctx, audit.Invited, change.Record{Type: person.Type, ID: theirs.coursework.learner.ID.String()})
	}},
	{port: "Audit", method: "EraseAddresses", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		n, err := tx.Audit.EraseAddresses(ctx, theirs.coursework.learner.ID, math.MaxInt32)
		return n, err
	}},
	{port: "Audit", method: "SetOrigin", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Audit.SetOrigin(ctx, audit.Origin{Actor: audit.Actor{Type: audit.Session, Person: theirs.coursework.learner.ID}})
	}},
}

package changes

import (
	"context"
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
	"lyceum/test/conformance/storetest/fixture"
)

// trail returns all audit events, oldest first.
func trail(s fixture.Tenant) []audit.Event {
	s.T.Helper()
	page, err := s.Read().Audit.Page(s.Context(), query.Query{Page: query.AllRows()})
	s.Must(err)
	slices.Reverse(page.Items)
	return page.Items
}

// by returns an origin with an address, for a new actor who is the person p.
func by(s fixture.Tenant, p person.ID) audit.Origin {
	return audit.Origin{
		Actor:   audit.Actor{Type: audit.Session, ID: s.IDs.New(), Person: p},
		Request: "request-" + s.IDs.New().String(), Address: "2001:db8::7",
	}
}

// from returns s with transactions of the origin o.
func from(s fixture.Tenant, o audit.Origin, fn func(ctx context.Context, tx ports.Tx) error) {
	s.T.Helper()
	s.Must(s.Store.InTx(ports.WithOrigin(s.Context(), o), s.ID, fn))
}

func addDesign(s fixture.Tenant) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error {
		return tx.Categories.Add(ctx, category.Restore(s.NewCategory("Design "+s.IDs.New().String())))
	}
}

// AuditTrail tests the audit trail: ports.AuditReader and ports.AuditLog.
func AuditTrail(t *testing.T, b fixture.Backend) {
	t.Run("Each change has an event with its position, record and time", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := fixture.NewScenario(w.Tenant)
		is.NoErr(w.Try(p.Run))
		fixture.New(w.Tenant, "one")
		var events []change.Change
		for _, e := range trail(w.Tenant) {
			events = append(events, change.Change{Position: e.Position, Action: change.Action(e.Action), Record: e.Record, At: e.At})
			is.Equal(e.Type, audit.Unknown) // the context of the test has no origin
		}
		is.Equal(events, changesAfter(w.Tenant, 0))
	})

	t.Run("Events have the origin of the context, in every kind of transaction", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		o := by(w.Tenant, w.AddPerson("ada@example.test").ID)
		ctx := ports.WithOrigin(w.Context(), o)
		is.NoErr(w.Store.InTx(ctx, w.ID, addDesign(w.Tenant)))
		is.NoErr(w.Store.InLongTx(ctx, w.ID, addDesign(w.Tenant)))
		is.NoErr(w.Store.Load(ctx, w.ID, func(ctx context.Context, l ports.LoadTx) error {
			return l.Add(ctx, ports.Batch{Categories: []category.Category{category.Restore(w.NewCategory("Loaded"))}})
		}))
		added, err := w.Store.AddPerson(ctx, w.ID, w.NewPersonOf(w.NewPerson("grace@example.test"), invitation.Kind))
		is.NoErr(err)
		is.True(added != nil)
		all := trail(w.Tenant)[1:]
		is.Equal(len(all), 4)
		for _, e := range all {
			is.Equal(e.Origin, o)
		}
		w.AddCategory("Later") // the origin ends with its transaction
		is.Equal(trail(w.Tenant)[5].Origin, audit.Origin{})
	})

	t.Run("SetOrigin replaces the origin of later writes only", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		first := by(w.Tenant, person.ID{})
		second := audit.Origin{Actor: audit.Actor{Type: audit.APIKey, ID: w.IDs.New()}, Request: "another", Address: "192.0.2.9"}
		third := audit.Origin{Actor: audit.Actor{Type: audit.Visitor}, Request: "third"}
		c, key := w.NewCategory("One"), change.Record{Type: "api_keys", ID: w.IDs.New().String()}
		renamed := c
		renamed.Name, renamed.UpdatedAt = "Two", w.NextTime()
		from(w.Tenant, first, func(ctx context.Context, tx ports.Tx) error {
			w.Must(tx.Categories.Add(ctx, category.Restore(c)))
			w.Must(tx.Audit.SetOrigin(ctx, second))
			w.Must(tx.Categories.Save(ctx, category.Restore(renamed)))
			w.Must(tx.Audit.Add(ctx, audit.Rotated, key))
			w.Must(tx.Audit.SetOrigin(ctx, third))
			w.Must(tx.Categories.Delete(ctx, c.ID))
			w.Must(tx.Audit.SetOrigin(ctx, first))
			return addDesign(w.Tenant)(ctx, tx)
		})
		want := map[audit.Action]audit.Origin{audit.Updated: second, audit.Rotated: second, audit.Deleted: third, audit.Created: first}
		all := trail(w.Tenant)
		is.Equal(len(all), 5)
		for _, e := range all {
			is.Equal(e.Origin, want[e.Action])
		}
		is.Equal(len(changesAfter(w.Tenant, 0)), 4)
	})

	t.Run("SetOrigin replaces the origin for the rest of the transaction", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		next := audit.Origin{Actor: audit.Actor{Type: audit.APIKey, ID: w.IDs.New()}, Request: "another", Address: "192.0.2.9"}
		from(w.Tenant, by(w.Tenant, person.ID{}), func(ctx context.Context, tx ports.Tx) error {
			w.Must(tx.Audit.SetOrigin(ctx, next))
			return addDesign(w.Tenant)(ctx, tx)
		})
		is.Equal(trail(w.Tenant)[0].Origin, next)
	})

	t.Run("Add adds an event that the change feed does not contain", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		o, key := by(w.Tenant, person.ID{}), change.Record{Type: "api_keys", ID: w.IDs.New().String()}
		from(w.Tenant, o, func(ctx context.Context, tx ports.Tx) error {
			w.Must(tx.Audit.Add(ctx, audit.Rotated, key))
			return addDesign(w.Tenant)(ctx, tx)
		})
		all := trail(w.Tenant)
		is.Equal(len(all), 2)
		i := slices.IndexFunc(all, func(e audit.Event) bool { return e.Action == audit.Rotated })
		is.Equal(all[i].Record, key)
		is.Equal(all[i].Origin, o)
		is.True(time.Since(all[i].At) < time.Hour)
		is.Equal(len(changesAfter(w.Tenant, 0)), 1)
		is.Equal(len(trail(w.OtherTenant)), len(changesAfter(w.OtherTenant, 0)))
	})

	t.Run("An event of a rolled-back transaction does not exist", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		err := w.Try(func(ctx context.Context, tx ports.Tx) error {
			w.Must(tx.Audit.Add(ctx, audit.Exported, change.Record{Type: "people", ID: audit.All}))
			return fixture.ErrDropped
		})
		is.Equal(err, fixture.ErrDropped)
		is.Equal(len(trail(w.Tenant)), 0)
	})

	t.Run("The deletion of a person erases their addresses, and nothing else", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test").ID, w.AddPerson("grace@example.test").ID
		from(w.Tenant, by(w.Tenant, ada), addDesign(w.Tenant))
		from(w.Tenant, by(w.Tenant, grace), addDesign(w.Tenant))
		from(w.Tenant, by(w.Tenant, person.ID{}), addDesign(w.Tenant))
		before := trail(w.Tenant)
		is.NoErr(w.Try(func(ctx context.Context, tx ports.Tx) error { return tx.People.Delete(ctx, ada) }))
		after := trail(w.Tenant)
		is.Equal(len(after), len(before)+1)
		for i, e := range before {
			if e.Person == ada {
				e.Address = ""
			}
			is.Equal(after[i], e)
		}
	})

	t.Run("EraseAddresses erases the addresses of the person, and nothing else", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test").ID, w.AddPerson("grace@example.test").ID
		for _, p := range []person.ID{ada, grace, ada, {}, ada} {
			from(w.Tenant, by(w.Tenant, p), addDesign(w.Tenant))
		}
		before := trail(w.Tenant)
		for _, step := range []struct{ erased, left int }{{2, 1}, {1, 0}, {0, 0}} {
			n, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (int, error) { return tx.Audit.EraseAddresses(ctx, ada, 2) })
			is.NoErr(err)
			is.Equal(n, step.erased)
			left := 0
			for i, e := range trail(w.Tenant) {
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
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada := w.AddPerson("ada@example.test").ID
		is.NoErr(w.Try(func(ctx context.Context, tx ports.Tx) error { return tx.People.Delete(ctx, ada) }))
		before, o := len(trail(w.Tenant)), by(w.Tenant, ada)
		from(w.Tenant, o, addDesign(w.Tenant))
		from(w.Tenant, o, func(ctx context.Context, tx ports.Tx) error {
			return tx.Audit.Add(ctx, audit.SignedOut, change.Record{Type: person.Type, ID: ada.String()})
		})
		o.Address = ""
		after := trail(w.Tenant)[before:]
		is.Equal(len(after), 2)
		for _, e := range after {
			is.Equal(e.Origin, o)
		}
	})

	t.Run("Page returns what the evaluation of the query selects", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, o := person.ID{UUID: w.IDs.New()}, by(w.Tenant, person.ID{})
		from(w.Tenant, by(w.Tenant, ada), addDesign(w.Tenant))
		from(w.Tenant, o, addDesign(w.Tenant))
		from(w.Tenant, audit.Origin{Actor: audit.Actor{Type: audit.Operator}}, addDesign(w.Tenant))
		fixture.New(w.Tenant, "one")
		all := trail(w.Tenant)
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
			got, err := w.Read().Audit.Page(w.Context(), q)
			is.NoErr(err)
			is.True(len(got.Items) > 0)
			is.Equal(fixture.Diff(got, audit.Schema.Evaluate(q, all)), "")
		}
	})
}

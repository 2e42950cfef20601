package changes

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/change"
	"lyceum/domain/course"
	"lyceum/domain/query"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// feed returns the state of the change feed.
func feed(s fixture.Tenant) change.Feed {
	s.T.Helper()
	f, err := s.Read().Changes.Feed(s.Context())
	s.Must(err)
	return f
}

// changesAfter returns the changes after a position, in the order of the feed.
func changesAfter(s fixture.Tenant, position int64) []change.Change {
	s.T.Helper()
	page, err := s.Read().Changes.Page(s.Context(), afterPosition(position))
	s.Must(err)
	return page.Items
}

func afterPosition(position int64) query.Query {
	return query.Query{Page: query.AllRows(), Where: query.Cond{
		Attr: change.Schema.Attr("uuid"), Op: query.Gt, Values: []query.Value{{Int: position}},
	}}
}

func changeTerm(attr, predicate, value string) query.Term {
	return query.Term{Param: "filter", Path: []string{attr, predicate}, Value: value}
}

// Changes tests ports.ChangeReader.
func Changes(t *testing.T, b fixture.Backend) {
	t.Run("Each record that a transaction creates, updates or deletes has a change, and no other record", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := fixture.NewScenario(w.Tenant)
		start := feed(w.Tenant).End
		is.NoErr(w.Try(p.Run))
		is.Equal(wrongChanges(p.Before, p.After, changesAfter(w.Tenant, start)), nil)
		for _, c := range changesAfter(w.Tenant, start) {
			is.True(time.Since(c.At) > -time.Hour && time.Since(c.At) < time.Hour)
			is.Equal(c.At, c.At.UTC().Truncate(time.Millisecond))
		}
	})

	t.Run("Records that are created one by one have a change each", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		fixture.New(w.Tenant, "one")
		is.Equal(wrongChanges(fixture.Everything{School: w.All().School}, w.All(), changesAfter(w.Tenant, 0)), nil)
	})

	t.Run("Loaded records have changes", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		is.NoErr(w.Load(w.NewBatch("one").Batch))
		is.Equal(wrongChanges(fixture.Everything{School: w.All().School}, w.All(), changesAfter(w.Tenant, 0)), nil)
	})

	t.Run("A rolled-back transaction, and one that changes nothing, has no change", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := fixture.NewScenario(w.Tenant)
		before := changesAfter(w.Tenant, 0)
		err := w.Try(func(ctx context.Context, tx ports.Tx) error { return errors.Join(p.Run(ctx, tx), fixture.ErrDropped) })
		is.True(errors.Is(err, fixture.ErrDropped))
		c := p.Before.Categories[0]
		is.NoErr(w.TrySaveCategory(c)) // a save that changes nothing
		is.Equal(changesAfter(w.Tenant, 0), before)
	})

	t.Run("A course and a group are updated with their related records", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		drawing, painters := w.AddCourse("Drawing"), w.AddGroup("Painters")
		start := feed(w.Tenant).End
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			return fixture.Second(tx.Groups.AddCourses(ctx, painters.ID, []course.ID{drawing.ID}))
		})
		w.RemoveCourses(painters.ID, drawing.ID)
		got := changesAfter(w.Tenant, start)
		is.Equal(len(got), 2)
		for _, c := range got {
			is.Equal(c.Record, change.Record{Type: "groups", ID: painters.ID.String()})
			is.Equal(c.Action, change.Updated)
		}
	})

	t.Run("The deletion of a course changes all its records", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := fixture.New(w.Tenant, "one")
		before, start := w.All(), feed(w.Tenant).End
		is.NoErr(fixture.Second(w.DeleteCourse(c.Coursework.Course.ID)))
		is.Equal(wrongChanges(before, w.All(), changesAfter(w.Tenant, start)), nil)
	})

	t.Run("Page returns what the evaluation of the query selects", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := fixture.NewScenario(w.Tenant)
		is.NoErr(w.Try(p.Run))
		all := changesAfter(w.Tenant, 0)
		at := all[len(all)/2].At.Format("2006-01-02T15:04:05.000Z")
		for _, r := range []query.Request{
			{},
			{Sort: "-uuid"},
			{Sort: "record.type,-record.id"},
			{Sort: "-changed_at,action"},
			{Terms: []query.Term{changeTerm("record.type", "in", "people"), changeTerm("record.type", "in", "groups")}},
			{Terms: []query.Term{changeTerm("action", "eq", "deleted")}},
			{Terms: []query.Term{changeTerm("record.id", "eq", p.Changed.ID.String())}},
			{Terms: []query.Term{changeTerm("changed_at", "gteq", at), changeTerm("record.type", "not_eq", "people")}},
			{Terms: []query.Term{changeTerm("uuid", "lteq", strconv.FormatInt(all[2].Position, 10))}},
		} {
			r.Page = query.NewPage(1, 7)
			q, err := query.Build(change.Schema, r)
			is.NoErr(err)
			for number := int64(1); ; number++ {
				q.Page = query.NewPage(number, 7)
				got, err := w.Read().Changes.Page(w.Context(), q)
				is.NoErr(err)
				is.Equal(fixture.Diff(got, change.Schema.Evaluate(q, all)), "")
				if !got.More {
					break
				}
			}
		}
	})

	t.Run("Feed returns the same Store for all schools, and an End that no readable change follows", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.AddCategory("Design")
		f := feed(w.Tenant)
		is.Equal(f.Store, feed(w.OtherTenant).Store)
		is.True(f.Store != change.Feed{}.Store)
		all := changesAfter(w.Tenant, 0)
		is.True(all[len(all)-1].Position <= f.End)
		is.Equal(len(changesAfter(w.Tenant, f.End)), 0)
	})

	t.Run("A snapshot contains all changes up to its End, and those after it follow", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.AddCategory("Design")
		var f change.Feed
		w.Must(w.Store.Snapshot(w.Context(), w.ID, func(ctx context.Context, s ports.Snapshot) (err error) {
			f, err = s.Changes(ctx)
			return err
		}))
		is.Equal(f.Store, feed(w.Tenant).Store)
		is.Equal(len(changesAfter(w.Tenant, f.End)), 0)
		w.AddCategory("Music")
		is.Equal(len(changesAfter(w.Tenant, f.End)), 1)
	})
}

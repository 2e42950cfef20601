package storetest

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
)

// feed returns the state of the change feed.
func (s tenant) feed() change.Feed {
	s.t.Helper()
	f, err := s.read().Changes.Feed(s.ctx())
	s.must(err)
	return f
}

// changesAfter returns the changes after a position, in the order of the feed.
func (s tenant) changesAfter(position int64) []change.Change {
	s.t.Helper()
	page, err := s.read().Changes.Page(s.ctx(), afterPosition(position))
	s.must(err)
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

// changes tests ports.ChangeReader.
func changes(t *testing.T, b Backend) {
	t.Run("Each record that a transaction creates, updates or deletes has a change, and no other record", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := newScenario(w.tenant)
		start := w.feed().End
		is.NoErr(w.try(p.run))
		is.Equal(wrongChanges(p.before, p.after, w.changesAfter(start)), nil)
		for _, c := range w.changesAfter(start) {
			is.True(time.Since(c.At) > -time.Hour && time.Since(c.At) < time.Hour)
			is.Equal(c.At, c.At.UTC().Truncate(time.Millisecond))
		}
	})

	t.Run("Records that are created one by one have a change each", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		newFixture(w.tenant, "one")
		is.Equal(wrongChanges(everything{School: w.all().School}, w.all(), w.changesAfter(0)), nil)
	})

	t.Run("Loaded records have changes", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		is.NoErr(w.load(w.newBatch("one").Batch))
		is.Equal(wrongChanges(everything{School: w.all().School}, w.all(), w.changesAfter(0)), nil)
	})

	t.Run("A rolled-back transaction, and one that changes nothing, has no change", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := newScenario(w.tenant)
		before := w.changesAfter(0)
		err := w.try(func(ctx context.Context, tx ports.Tx) error { return errors.Join(p.run(ctx, tx), errDropped) })
		is.True(errors.Is(err, errDropped))
		c := p.before.Categories[0]
		is.NoErr(w.trySaveCategory(c)) // a save that changes nothing
		is.Equal(w.changesAfter(0), before)
	})

	t.Run("A course and a group are updated with their related records", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		drawing, painters := w.addCourse("Drawing"), w.addGroup("Painters")
		start := w.feed().End
		w.do(func(ctx context.Context, tx ports.Tx) error {
			return second(tx.Groups.AddCourses(ctx, painters.ID, []course.ID{drawing.ID}))
		})
		w.removeCourses(painters.ID, drawing.ID)
		got := w.changesAfter(start)
		is.Equal(len(got), 2)
		for _, c := range got {
			is.Equal(c.Record, change.Record{Type: "groups", ID: painters.ID.String()})
			is.Equal(c.Action, change.Updated)
		}
	})

	t.Run("The deletion of a course changes all its records", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := newFixture(w.tenant, "one")
		before, start := w.all(), w.feed().End
		is.NoErr(second(w.deleteCourse(c.coursework.course.ID)))
		is.Equal(wrongChanges(before, w.all(), w.changesAfter(start)), nil)
	})

	t.Run("Page returns what the evaluation of the query selects", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := newScenario(w.tenant)
		is.NoErr(w.try(p.run))
		all := w.changesAfter(0)
		at := all[len(all)/2].At.Format("2006-01-02T15:04:05.000Z")
		for _, r := range []query.Request{
			{},
			{Sort: "-uuid"},
			{Sort: "record.type,-record.id"},
			{Sort: "-changed_at,action"},
			{Terms: []query.Term{changeTerm("record.type", "in", "people"), changeTerm("record.type", "in", "groups")}},
			{Terms: []query.Term{changeTerm("action", "eq", "deleted")}},
			{Terms: []query.Term{changeTerm("record.id", "eq", p.changed.ID.String())}},
			{Terms: []query.Term{changeTerm("changed_at", "gteq", at), changeTerm("record.type", "not_eq", "people")}},
			{Terms: []query.Term{changeTerm("uuid", "lteq", strconv.FormatInt(all[2].Position, 10))}},
		} {
			r.Page = query.NewPage(1, 7)
			q, err := query.Build(change.Schema, r)
			is.NoErr(err)
			for number := int64(1); ; number++ {
				q.Page = query.NewPage(number, 7)
				got, err := w.read().Changes.Page(w.ctx(), q)
				is.NoErr(err)
				is.Equal(diff(got, change.Schema.Evaluate(q, all)), "")
				if !got.More {
					break
				}
			}
		}
	})

	t.Run("Feed returns the same Store for all schools, and an End that no readable change follows", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.addCategory("Design")
		f := w.feed()
		is.Equal(f.Store, w.otherTenant.feed().Store)
		is.True(f.Store != change.Feed{}.Store)
		all := w.changesAfter(0)
		is.True(all[len(all)-1].Position <= f.End)
		is.Equal(len(w.changesAfter(f.End)), 0)
	})

	t.Run("A snapshot contains all changes up to its End, and those after it follow", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.addCategory("Design")
		var f change.Feed
		w.must(w.store.Snapshot(w.ctx(), w.id, func(ctx context.Context, s ports.Snapshot) (err error) {
			f, err = s.Changes(ctx)
			return err
		}))
		is.Equal(f.Store, w.feed().Store)
		is.Equal(len(w.changesAfter(f.End)), 0)
		w.addCategory("Music")
		is.Equal(len(w.changesAfter(f.End)), 1)
	})
}

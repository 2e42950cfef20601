package storetest

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/ports"
)

// partnerships tests ports.PartnershipReader and ports.PartnershipRepo except for their list.
func partnerships(t *testing.T, b Backend) {
	t.Run("AddIfAbsent inserts a new partnership and reports whether it was new", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, grace := w.addPerson("ada@example.test"), w.addPerson("grace@example.test")
		owner, manager := w.newPartner(ada.ID, person.Owner), w.newPartner(ada.ID, person.Manager)
		second, others := w.newPartner(ada.ID, person.Owner), w.newPartner(grace.ID, person.Owner)
		steps := []struct {
			p    person.Partnership
			kept bool
		}{{owner, true}, {manager, true}, {second, false}, {owner, false}, {others, true}}
		for _, step := range steps {
			kept, err := w.tryPartner(step.p)
			is.NoErr(err)
			is.Equal(kept, step.kept)
		}
		is.Equal(diff(w.partnershipsOf(ada.ID), []person.Partnership{owner, manager}), "") // no role twice
		is.Equal(diff(w.partnershipsOf(grace.ID), []person.Partnership{others}), "")
	})

	t.Run("AddIfAbsent returns NotFound for an unknown person", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		_, err := w.tryPartner(w.newPartner(w.newPerson("ada@example.test").ID, person.Owner))
		is.True(isNotFound(err))
	})

	t.Run("ByPerson returns the partnerships of a person, by id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada := w.addPerson("ada@example.test")
		w.addPartner(w.addPerson("grace@example.test").ID, person.Owner)
		first := w.newPartner(ada.ID, person.Manager)
		second := w.newPartner(ada.ID, person.Instructor)
		third := w.newPartner(ada.ID, person.Owner)
		for _, p := range []person.Partnership{third, first, second} {
			_, err := w.tryPartner(p)
			is.NoErr(err)
		}
		is.Equal(diff(w.partnershipsOf(ada.ID), []person.Partnership{first, second, third}), "")
		// The person's summary has them in the same order.
		is.Equal(diff(w.personSummary(ada.ID).Partnerships, []person.PartnershipID{first.ID, second.ID, third.ID}), "")
	})

	t.Run("Get returns the partnership, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		want := w.addPartner(w.addPerson("ada@example.test").ID, person.Manager)
		got, err := w.read().Partnerships.Get(w.ctx(), want.ID)
		is.NoErr(err)
		is.Equal(diff(got, want), "")
		_, err = w.read().Partnerships.Get(w.ctx(), w.newPartner(want.Person, person.Owner).ID)
		is.True(isNotFound(err))
	})

	t.Run("GetManyForShare returns the partnerships by id and omits unknown ids", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada := w.addPerson("ada@example.test").ID
		first, second := w.addPartner(ada, person.Manager), w.addPartner(ada, person.Owner)
		none := w.newPartner(ada, person.Instructor)
		var got map[person.PartnershipID]person.Partnership
		w.do(func(ctx context.Context, tx ports.Tx) (err error) {
			got, err = tx.Partnerships.GetManyForShare(ctx, []person.PartnershipID{second.ID, none.ID, first.ID, second.ID})
			return err
		})
		is.Equal(diff(got, map[person.PartnershipID]person.Partnership{first.ID: first, second.ID: second}), "")
	})

	t.Run("ExistsForShare reports whether the partnership exists", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada := w.addPerson("ada@example.test").ID
		held, none := w.addPartner(ada, person.Manager), w.newPartner(ada, person.Owner)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			for _, p := range []person.Partnership{held, none} {
				exists, err := tx.Partnerships.ExistsForShare(ctx, p.ID)
				if err != nil {
					return err
				}
				is.Equal(exists, p == held)
			}
			return nil
		})
	})

	t.Run("InstructsForShare reports whether the partnership is an instructor of the course", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada := w.addPerson("ada@example.test").ID
		held, other := w.addPartner(ada, person.Instructor), w.addPartner(ada, person.Manager)
		both, one := w.addCourse("Both", instructedBy(held.ID, other.ID)).ID, w.addCourse("One", instructedBy(other.ID)).ID
		gone, none := w.addCourse("Gone", instructedBy(held.ID)).ID, course.ID{UUID: uuid.New()}
		w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Courses.BeginRemoval(ctx, gone, w.nextTime()) })
		w.do(func(ctx context.Context, tx ports.Tx) error {
			for _, c := range []course.ID{both, one, gone, none} {
				instructs, err := tx.Partnerships.InstructsForShare(ctx, held.ID, c)
				if err != nil {
					return err
				}
				is.Equal(instructs, c == both)
			}
			return nil
		})
	})

	t.Run("OwnersForUpdate returns the ids of all partnerships as owner, in order", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		is.Equal(len(w.owners()), 0)
		ada, grace := w.addPerson("ada@example.test").ID, w.addPerson("grace@example.test").ID
		first, second := w.newPartner(ada, person.Owner), w.newPartner(grace, person.Owner)
		w.save(second, w.newPartner(ada, person.Manager), w.newPartner(grace, person.Instructor), first)
		is.Equal(diff(w.owners(), []person.PartnershipID{first.ID, second.ID}), "")
	})

	t.Run("Delete deletes the partnership, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada := w.addPerson("ada@example.test")
		gone, stays := w.addPartner(ada.ID, person.Owner), w.addPartner(ada.ID, person.Manager)
		is.NoErr(w.tryDeletePartnership(gone.ID))
		is.Equal(diff(w.all().Partnerships, []person.Partnership{stays}), "")
		is.Equal(diff(w.partnershipsOf(ada.ID), []person.Partnership{stays}), "")
		is.Equal(diff(w.personSummary(ada.ID), person.Summary{State: ada, Partnerships: []person.PartnershipID{stays.ID}}), "")
		is.True(isNotFound(w.tryDeletePartnership(gone.ID)))
		is.NoErr(w.tryDeletePartnership(stays.ID))
		is.NoErr(w.tryDeletePerson(ada.ID)) // no partnership prevents the deletion any longer
	})

	t.Run("Delete returns an error while a course has the partnership as instructor", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		part := w.addPartner(w.addPerson("ada@example.test").ID, person.Instructor)
		c := w.addCourse("Drawing", instructedBy(part.ID))
		before := w.all()
		is.True(w.tryDeletePartnership(part.ID) != nil)
		is.Equal(diff(w.all(), before), "")
		is.NoErr(w.try(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Courses.DetachInstructor(ctx, part.ID); err != nil {
				return err
			}
			return tx.Partnerships.Delete(ctx, part.ID)
		}))
		c.Instructors = nil
		is.Equal(diff(w.courseSummary(c.ID).State, c), "")
	})

	t.Run("ByPerson returns nothing for an unknown person and for one without partnerships", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.addPartner(w.addPerson("grace@example.test").ID, person.Owner)
		is.Equal(len(w.partnershipsOf(w.addPerson("ada@example.test").ID)), 0)
		is.Equal(len(w.partnershipsOf(w.newPerson("alan@example.test").ID)), 0)
	})
}

// tryPartner adds a partnership and reports whether it was new.
func (s tenant) tryPartner(p person.Partnership) (kept bool, err error) {
	err = s.try(func(ctx context.Context, tx ports.Tx) (err error) {
		kept, err = tx.Partnerships.AddIfAbsent(ctx, p)
		return err
	})
	return kept, err
}

// partnershipsOf returns the partnerships of a person.
func (s tenant) partnershipsOf(id person.ID) []person.Partnership {
	s.t.Helper()
	var all []person.Partnership
	s.do(func(ctx context.Context, tx ports.Tx) (err error) {
		all, err = tx.Partnerships.ByPerson(ctx, id)
		return err
	})
	return all
}

// owners returns the ids of the partnerships of owners.
func (s tenant) owners() []person.PartnershipID {
	s.t.Helper()
	var all []person.PartnershipID
	s.do(func(ctx context.Context, tx ports.Tx) (err error) {
		all, err = tx.Partnerships.OwnersForUpdate(ctx)
		return err
	})
	return all
}

// tryDeletePartnership deletes a partnership.
func (s tenant) tryDeletePartnership(id person.PartnershipID) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Partnerships.Delete(ctx, id) })
}

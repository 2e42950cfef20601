package people

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// Partnerships tests ports.PartnershipReader and ports.PartnershipRepo except for their list.
func Partnerships(t *testing.T, b fixture.Backend) {
	t.Run("AddIfAbsent inserts a new partnership and reports whether it was new", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, grace := w.AddPerson("ada@example.test"), w.AddPerson("grace@example.test")
		owner, manager := w.NewPartner(ada.ID, person.Owner), w.NewPartner(ada.ID, person.Manager)
		second, others := w.NewPartner(ada.ID, person.Owner), w.NewPartner(grace.ID, person.Owner)
		steps := []struct {
			p    person.Partnership
			kept bool
		}{{owner, true}, {manager, true}, {second, false}, {owner, false}, {others, true}}
		for _, step := range steps {
			kept, err := w.TryPartner(step.p)
			is.NoErr(err)
			is.Equal(kept, step.kept)
		}
		is.Equal(fixture.Diff(w.PartnershipsOf(ada.ID), []person.Partnership{owner, manager}), "") // no role twice
		is.Equal(fixture.Diff(w.PartnershipsOf(grace.ID), []person.Partnership{others}), "")
	})

	t.Run("AddIfAbsent returns NotFound for an unknown person", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		_, err := w.TryPartner(w.NewPartner(w.NewPerson("ada@example.test").ID, person.Owner))
		is.True(fixture.IsNotFound(err))
	})

	t.Run("ByPerson returns the partnerships of a person, by id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada := w.AddPerson("ada@example.test")
		w.AddPartner(w.AddPerson("grace@example.test").ID, person.Owner)
		first := w.NewPartner(ada.ID, person.Manager)
		second := w.NewPartner(ada.ID, person.Instructor)
		third := w.NewPartner(ada.ID, person.Owner)
		for _, p := range []person.Partnership{third, first, second} {
			_, err := w.TryPartner(p)
			is.NoErr(err)
		}
		is.Equal(fixture.Diff(w.PartnershipsOf(ada.ID), []person.Partnership{first, second, third}), "")
		// The person's summary has them in the same order.
		is.Equal(fixture.Diff(w.PersonSummary(ada.ID).Partnerships, []person.PartnershipID{first.ID, second.ID, third.ID}), "")
	})

	t.Run("Get returns the partnership, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		want := w.AddPartner(w.AddPerson("ada@example.test").ID, person.Manager)
		got, err := w.Read().Partnerships.Get(w.Context(), want.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, want), "")
		_, err = w.Read().Partnerships.Get(w.Context(), w.NewPartner(want.Person, person.Owner).ID)
		is.True(fixture.IsNotFound(err))
	})

	t.Run("GetManyForShare returns the partnerships by id and omits unknown ids", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada := w.AddPerson("ada@example.test").ID
		first, second := w.AddPartner(ada, person.Manager), w.AddPartner(ada, person.Owner)
		none := w.NewPartner(ada, person.Instructor)
		var got map[person.PartnershipID]person.Partnership
		w.Do(func(ctx context.Context, tx ports.Tx) (err error) {
			got, err = tx.Partnerships.GetManyForShare(ctx, []person.PartnershipID{second.ID, none.ID, first.ID, second.ID})
			return err
		})
		is.Equal(fixture.Diff(got, map[person.PartnershipID]person.Partnership{first.ID: first, second.ID: second}), "")
	})

	t.Run("ExistsForShare reports whether the partnership exists", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada := w.AddPerson("ada@example.test").ID
		held, none := w.AddPartner(ada, person.Manager), w.NewPartner(ada, person.Owner)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
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
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada := w.AddPerson("ada@example.test").ID
		held, other := w.AddPartner(ada, person.Instructor), w.AddPartner(ada, person.Manager)
		both, one := w.AddCourse("Both", fixture.InstructedBy(held.ID, other.ID)).ID, w.AddCourse("One", fixture.InstructedBy(other.ID)).ID
		gone, none := w.AddCourse("Gone", fixture.InstructedBy(held.ID)).ID, course.ID{UUID: uuid.New()}
		w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Courses.BeginRemoval(ctx, gone, w.NextTime()) })
		w.Do(func(ctx context.Context, tx ports.Tx) error {
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
		is, w := is.New(t), fixture.NewWorld(t, b)
		is.Equal(len(w.Owners()), 0)
		ada, grace := w.AddPerson("ada@example.test").ID, w.AddPerson("grace@example.test").ID
		first, second := w.NewPartner(ada, person.Owner), w.NewPartner(grace, person.Owner)
		w.Save(second, w.NewPartner(ada, person.Manager), w.NewPartner(grace, person.Instructor), first)
		is.Equal(fixture.Diff(w.Owners(), []person.PartnershipID{first.ID, second.ID}), "")
	})

	t.Run("Delete deletes the partnership, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada := w.AddPerson("ada@example.test")
		gone, stays := w.AddPartner(ada.ID, person.Owner), w.AddPartner(ada.ID, person.Manager)
		is.NoErr(w.TryDeletePartnership(gone.ID))
		is.Equal(fixture.Diff(w.All().Partnerships, []person.Partnership{stays}), "")
		is.Equal(fixture.Diff(w.PartnershipsOf(ada.ID), []person.Partnership{stays}), "")
		is.Equal(fixture.Diff(w.PersonSummary(ada.ID), person.Summary{State: ada, Partnerships: []person.PartnershipID{stays.ID}}), "")
		is.True(fixture.IsNotFound(w.TryDeletePartnership(gone.ID)))
		is.NoErr(w.TryDeletePartnership(stays.ID))
		is.NoErr(w.TryDeletePerson(ada.ID)) // no partnership prevents the deletion any longer
	})

	t.Run("Delete returns an error while a course has the partnership as instructor", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		part := w.AddPartner(w.AddPerson("ada@example.test").ID, person.Instructor)
		c := w.AddCourse("Drawing", fixture.InstructedBy(part.ID))
		before := w.All()
		is.True(w.TryDeletePartnership(part.ID) != nil)
		is.Equal(fixture.Diff(w.All(), before), "")
		is.NoErr(w.Try(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Courses.DetachInstructor(ctx, part.ID); err != nil {
				return err
			}
			return tx.Partnerships.Delete(ctx, part.ID)
		}))
		c.Instructors = nil
		is.Equal(fixture.Diff(w.CourseSummary(c.ID).State, c), "")
	})

	t.Run("ByPerson returns nothing for an unknown person and for one without partnerships", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.AddPartner(w.AddPerson("grace@example.test").ID, person.Owner)
		is.Equal(len(w.PartnershipsOf(w.AddPerson("ada@example.test").ID)), 0)
		is.Equal(len(w.PartnershipsOf(w.NewPerson("alan@example.test").ID)), 0)
	})
}

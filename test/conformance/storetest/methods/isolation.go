package methods

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/membership"
	"lyceum/domain/query"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/conformance/storetest/lists"
)

// Isolation tests that the records of other schools seem not to exist. It covers methods that refer
// to records as well as lists, counts, searches and unique keys.
func Isolation(t *testing.T, b fixture.Backend) {
	w := fixture.NewWorld(t, b)
	w.SkipIDs(2000) // the fixtures have different ids
	ours, theirs := fixture.New(w.Tenant, "ours"), fixture.New(w.OtherTenant, "theirs")
	for _, v := range portMethods {
		t.Run(v.name(), func(t *testing.T) {
			us, them := w.WithT(t), w.OtherTenant.WithT(t)
			v.tryInOtherSchool(us, ours, them, theirs)
			v.tryInOtherSchool(them, theirs, us, ours) // the same in the other direction
		})
	}

	t.Run("Two schools can have the same names, addresses, permalinks and ids", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ours := fixture.New(w.Tenant, "both")
		twin := fixture.NewTenant(t, b, "Twin")
		fixture.New(twin, "both")
		before, same := twin.All(), w.All()
		same.School, same.Keys = before.School, before.Keys          // key ids are unique in the whole store
		is.Equal(fixture.Diff(fixture.Unnumbered(same), before), "") // both schools have the same sequence of ids and times

		ours.Category.Name, ours.Learner.FirstName = "Changed", "Changed"
		is.NoErr(w.TrySaveCategory(ours.Category))
		is.NoErr(w.TrySavePerson(ours.Learner))
		ours.Coupon.Code = "Changed"
		is.NoErr(w.TrySaveCoupon(ours.Coupon))
		is.NoErr(w.TryDeleteCoupon(ours.Coupon.ID))
		is.Equal(w.Unenroll(ours.Learner.ID, enrollment.Learner, ours.Course.ID), 1)
		ours.Group.Name = "Changed"
		is.NoErr(w.TrySaveGroup(ours.Group))
		is.Equal(w.RemoveCourses(ours.Group.ID, ours.Course.ID), 1)
		is.Equal(w.RemovePeople(ours.Group.ID, membership.Member, ours.Learner.ID), 1)
		is.NoErr(w.TryDeleteGroup(ours.Group.ID))
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Courses.DetachCategory(ctx, ours.Category.ID); err != nil {
				return err
			}
			return tx.Categories.Delete(ctx, ours.Category.ID)
		})
		w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Tokens.DeleteByPerson(ctx, ours.Learner.ID) })
		is.NoErr(w.TryDeletePerson(ours.Learner.ID))
		is.NoErr(w.DeletePerson(ours.Coursework.Learner.ID))
		is.Equal(fixture.Diff(twin.All(), before), "") // writes in one school do not affect the other
		is.Equal(twin.CoursesOf(ours.Group.ID), []course.ID{ours.Course.ID})
	})

	t.Run("Lists, counts and searches exclude other schools", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		is.Equal(fixture.Diff(w.All(), fixture.Everything{School: w.All().School}), "") // the school is empty although the other tenant has records
		c := w.AddCategory("Design")
		p, drawing := w.AddPerson("ada@example.test"), w.AddCourse("Drawing", fixture.InCategories(c.ID))
		w.Enroll(p.ID, drawing.ID, enrollment.Learner)
		is.Equal(w.CourseSummary(drawing.ID).EnrollmentsCount, int64(1))
		is.Equal(w.PersonSummary(p.ID).CourseCount, int64(1))
		painters := w.AddGroup("Painters", drawing.ID)
		w.AddMembership(p.ID, painters.ID, membership.Member)
		is.Equal(w.Group(painters.ID).MembershipCount, int64(1))
		is.Equal(w.PersonSummary(p.ID).GroupCount, int64(1))

		found := func(search string) (rows int) {
			q, err := query.Build(lists.CategoryCase.Schema, query.Request{Search: search})
			is.NoErr(err)
			list, err := w.Read().Categories.List(w.Context(), q)
			is.NoErr(err)
			is.True(!list.More)
			return len(list.Items)
		}
		is.Equal(found("design"), 1) // the school's own record, not the record of the other school with the same name
		is.Equal(found("music"), 0)  // exists only in the other school
	})
}

// tryInOtherSchool calls the method in the school s with records of the school other. It checks
// that the result matches v.foreign and that the other school does not change.
func (v portMethod) tryInOtherSchool(s fixture.Tenant, ours fixture.Fixture, other fixture.Tenant, theirs fixture.Fixture) {
	s.T.Helper()
	is := is.New(s.T)
	if v.read == nil { // reads change nothing
		own, foreign := s.All(), other.All()
		ownHeld, foreignHeld := s.CoursesOf(ours.Group.ID), other.CoursesOf(theirs.Group.ID)
		defer func() {
			is.Equal(fixture.Diff(other.All(), foreign), "") // the other school is unchanged
			is.Equal(other.CoursesOf(theirs.Group.ID), foreignHeld)
			is.Equal(s.CoursesOf(ours.Group.ID), ownHeld)
			if v.foreign != empty {
				is.Equal(fixture.Diff(s.All(), own), "") // the school's own records are unchanged too
			}
		}()
	}
	var got any
	var err error
	if v.outside {
		got, err = v.read(s.Context(), s.Read(), ours, theirs)
	} else {
		err = s.Try(func(ctx context.Context, tx ports.Tx) (err error) {
			got, err = v.call(ctx, tx, ours, theirs)
			return err
		})
	}
	if v.read != nil {
		value, errRead := v.read(s.Context(), s.Read(), ours, theirs)
		is.Equal(fixture.Diff(value, got), "")                         // reader and transaction return the same value
		is.Equal(fixture.IsNotFound(errRead), fixture.IsNotFound(err)) // both return NotFound, or neither does
	}
	switch v.foreign {
	case missing:
		is.True(fixture.IsNotFound(err))
	case refused:
		is.True(err != nil)
	case empty:
		is.NoErr(err)
		is.True(got == nil || got == 0) // nothing was found or done
	}
}

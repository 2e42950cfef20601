package storetest

import (
	"context"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/membership"
	"lyceum/domain/query"
	"lyceum/ports"
)

// isolation tests that the records of other schools seem not to exist. It covers methods that refer
// to records as well as lists, counts, searches and unique keys.
func isolation(t *testing.T, b Backend) {
	w := newWorld(t, b)
	w.skipIDs(2000) // the fixtures have different ids
	ours, theirs := newFixture(w.tenant, "ours"), newFixture(w.otherTenant, "theirs")
	for _, v := range portMethods {
		t.Run(v.name(), func(t *testing.T) {
			us, them := w.withT(t), w.otherTenant.withT(t)
			v.tryInOtherSchool(us, ours, them, theirs)
			v.tryInOtherSchool(them, theirs, us, ours) // the same in the other direction
		})
	}

	t.Run("Two schools can have the same names, addresses, permalinks and ids", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ours := newFixture(w.tenant, "both")
		twin := newTenant(t, b, "Twin")
		newFixture(twin, "both")
		before, same := twin.all(), w.all()
		same.School, same.Keys = before.School, before.Keys // key ids are unique in the whole store
		is.Equal(diff(unnumbered(same), before), "")        // both schools have the same sequence of ids and times

		ours.category.Name, ours.learner.FirstName = "Changed", "Changed"
		is.NoErr(w.trySaveCategory(ours.category))
		is.NoErr(w.trySavePerson(ours.learner))
		ours.coupon.Code = "Changed"
		is.NoErr(w.trySaveCoupon(ours.coupon))
		is.NoErr(w.tryDeleteCoupon(ours.coupon.ID))
		is.Equal(w.unenroll(ours.learner.ID, enrollment.Learner, ours.course.ID), 1)
		ours.group.Name = "Changed"
		is.NoErr(w.trySaveGroup(ours.group))
		is.Equal(w.removeCourses(ours.group.ID, ours.course.ID), 1)
		is.Equal(w.removePeople(ours.group.ID, membership.Member, ours.learner.ID), 1)
		is.NoErr(w.tryDeleteGroup(ours.group.ID))
		w.do(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Courses.DetachCategory(ctx, ours.category.ID); err != nil {
				return err
			}
			return tx.Categories.Delete(ctx, ours.category.ID)
		})
		w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Tokens.DeleteByPerson(ctx, ours.learner.ID) })
		is.NoErr(w.tryDeletePerson(ours.learner.ID))
		is.NoErr(w.deletePerson(ours.coursework.learner.ID))
		is.Equal(diff(twin.all(), before), "") // writes in one school do not affect the other
		is.Equal(twin.coursesOf(ours.group.ID), []course.ID{ours.course.ID})
	})

	t.Run("Lists, counts and searches exclude other schools", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		is.Equal(diff(w.all(), everything{School: w.all().School}), "") // the school is empty although the other tenant has records
		c := w.addCategory("Design")
		p, drawing := w.addPerson("ada@example.test"), w.addCourse("Drawing", inCategories(c.ID))
		w.enroll(p.ID, drawing.ID, enrollment.Learner)
		is.Equal(w.courseSummary(drawing.ID).EnrollmentsCount, int64(1))
		is.Equal(w.personSummary(p.ID).CourseCount, int64(1))
		painters := w.addGroup("Painters", drawing.ID)
		w.addMembership(p.ID, painters.ID, membership.Member)
		is.Equal(w.group(painters.ID).MembershipCount, int64(1))
		is.Equal(w.personSummary(p.ID).GroupCount, int64(1))

		found := func(search string) (rows int) {
			q, err := query.Build(categoryCase.schema, query.Request{Search: search})
			is.NoErr(err)
			list, err := w.read().Categories.List(w.ctx(), q)
			is.NoErr(err)
			is.True(!list.More)
			return len(list.Items)
		}
		is.Equal(found("design"), 1) // the school's own record, not the record of the other school with the same name
		is.Equal(found("music"), 0)  // exists only in the other school
	})
}

// unnumbered returns e without the numbers that the store assigns.
func unnumbered(e everything) everything {
	e.QuizScores, e.Events = slices.Clone(e.QuizScores), slices.Clone(e.Events)
	for i := range e.QuizScores {
		e.QuizScores[i].ID = 0
	}
	for i := range e.Events {
		e.Events[i].Position = 0
	}
	return e
}

// tryInOtherSchool calls the method in the school s with records of the school other. It checks
// that the result matches v.foreign and that the other school does not change.
func (v portMethod) tryInOtherSchool(s tenant, ours fixture, other tenant, theirs fixture) {
	s.t.Helper()
	is := is.New(s.t)
	if v.read == nil { // reads change nothing
		own, foreign := s.all(), other.all()
		ownHeld, foreignHeld := s.coursesOf(ours.group.ID), other.coursesOf(theirs.group.ID)
		defer func() {
			is.Equal(diff(other.all(), foreign), "") // the other school is unchanged
			is.Equal(other.coursesOf(theirs.group.ID), foreignHeld)
			is.Equal(s.coursesOf(ours.group.ID), ownHeld)
			if v.foreign != empty {
				is.Equal(diff(s.all(), own), "") // the school's own records are unchanged too
			}
		}()
	}
	var got any
	var err error
	if v.outside {
		got, err = v.read(s.ctx(), s.read(), ours, theirs)
	} else {
		err = s.try(func(ctx context.Context, tx ports.Tx) (err error) {
			got, err = v.call(ctx, tx, ours, theirs)
			return err
		})
	}
	if v.read != nil {
		value, errRead := v.read(s.ctx(), s.read(), ours, theirs)
		is.Equal(diff(value, got), "")                 // reader and transaction return the same value
		is.Equal(isNotFound(errRead), isNotFound(err)) // both return NotFound, or neither does
	}
	switch v.foreign {
	case missing:
		is.True(isNotFound(err))
	case refused:
		is.True(err != nil)
	case empty:
		is.NoErr(err)
		is.True(got == nil || got == 0) // nothing was found or done
	}
}

package app_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
)

// A dry run returns the faults of the request, and saves nothing.
func TestDryRunSavesNothing(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	a := w.actor.DryRun()
	name, email := "Music", "augusta@example.test"

	_, err := w.Categories.Create(w.ctx, a, name)
	is.NoErr(err)
	_, err = w.People.Create(w.ctx, a, person.Profile{Email: "new@example.test"})
	is.NoErr(err)
	_, err = w.People.Update(w.ctx, a, w.people["ada@example.test"], person.Changes{Email: &email})
	is.NoErr(err)
	is.NoErr(w.People.Delete(w.ctx, a, w.people["bob@example.test"]))
	is.NoErr(w.Enrollments.Enroll(w.ctx, a, w.people["bob@example.test"], []app.CourseRole{{Course: w.courses["latin"], Role: enrollment.Learner}}))

	found, err := w.Categories.List(w.ctx, w.actor, query.Query{})
	is.NoErr(err)
	is.Equal(len(found.Items), 1)
	people, err := w.People.List(w.ctx, w.actor, query.Query{})
	is.NoErr(err)
	is.Equal(len(people.Items), 3)
	for _, p := range people.Items {
		is.True(p.Email != email)
		is.Equal(p.UpdatedAt, start)
	}
	latin, err := w.Courses.Get(w.ctx, w.actor, "latin")
	is.NoErr(err)
	is.Equal(latin.EnrollmentsCount, int64(0))
	emails, err := w.queue.List(w.ctx, invitation.Kind)
	is.NoErr(err)
	is.Equal(len(emails), 0)
}

func TestDryRunRefusesLikeTheRequest(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	a := w.actor.DryRun()
	_, err := w.Categories.Create(w.ctx, a, "LANGUAGES")
	is.Equal(firstFault(t, err).Field, "name")
	_, err = w.People.Create(w.ctx, a, person.Profile{Email: "ADA@example.test"})
	is.Equal(firstFault(t, err).Holder.ID, w.people["ada@example.test"].UUID)
	is.True(fault.Is(w.People.Delete(w.ctx, a, w.people["owner@example.test"]), fault.Forbidden))
	is.True(fault.Is(w.People.Delete(w.ctx, a, person.ID{}), fault.NotFound))
}

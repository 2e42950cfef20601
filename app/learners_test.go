package app_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
)

func TestLearnersExcludeStaff(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	list, err := w.Learners.List(w.ctx, w.actor, query.Query{})
	is.NoErr(err)
	is.Equal(len(list.Items), 2) // without the owner
	owner := w.people["owner@example.test"]
	_, err = w.Learners.Get(w.ctx, w.actor, owner)
	is.True(fault.Is(err, fault.NotFound))
	is.True(fault.Is(w.Learners.Delete(w.ctx, w.actor, owner), fault.NotFound))
}

func TestLearnersListKeepsFilter(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	where := query.Cond{
		Attr: person.Schema.Attr("course_count"), Op: query.Gt, Values: []query.Value{{Int: 0}},
	}
	list, err := w.Learners.List(w.ctx, w.actor, query.Query{Where: where})
	is.NoErr(err)
	is.Equal(len(list.Items), 1)
	is.Equal(list.Items[0].Email, "ada@example.test")
}

func TestCreateLearner(t *testing.T) {
	for _, tc := range []struct {
		name    string
		auth    school.AuthMethod
		email   string
		refused fault.Kind // 0: created
	}{
		{"a new address", school.Preregistration, "new@example.test", 0},
		{"under single sign-on", school.SSO, "new@example.test", 0},
		{"under URL authentication", school.URL, "new@example.test", fault.Forbidden},
		{"an invalid address", school.Preregistration, "invalid", fault.Invalid},
		{"an address in use", school.Preregistration, "ADA@example.test", fault.Invalid},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			w := newWorld(t, tc.auth)
			s, err := w.Learners.Create(w.ctx, w.actor, person.Profile{Email: tc.email})
			if tc.refused != 0 {
				is.True(fault.Is(err, tc.refused))
				return
			}
			is.NoErr(err)
			got, err := w.Learners.Get(w.ctx, w.actor, s.ID)
			is.NoErr(err)
			is.Equal(got.State, s.State)
			is.Equal(got.Status(), person.NotActivated)
		})
	}
}

func TestDeletePersonDeletesEnrollments(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	is.NoErr(w.People.Delete(w.ctx, w.actor, w.people["ada@example.test"]))
	c, err := w.Courses.Get(w.ctx, w.actor, "greek")
	is.NoErr(err)
	is.Equal(c.EnrollmentsCount, int64(0))
}

func TestDeletePersonWithPartnershipIsForbidden(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	owner := w.people["owner@example.test"]
	is.True(fault.Is(w.People.Delete(w.ctx, w.actor, owner), fault.Forbidden))
	_, err := w.People.Get(w.ctx, w.actor, owner)
	is.NoErr(err)
}

package app_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
)

// newGroup adds a group with the courses of the given permalinks.
func (w *world) newGroup(t *testing.T, name string, permalinks ...string) group.ID {
	t.Helper()
	is := is.New(t)
	g, err := w.Groups.Create(w.ctx, w.actor, group.Changes{Name: &name})
	is.NoErr(err)
	var courses []course.ID
	for _, p := range permalinks {
		courses = append(courses, w.courses[p])
	}
	is.NoErr(w.Groups.AddCourses(w.ctx, w.actor, g.ID, courses))
	return g.ID
}

func (w *world) join(t *testing.T, email string, id group.ID, role membership.Role) {
	t.Helper()
	roles := []app.GroupRole{{Group: id, Role: role}}
	is.New(t).NoErr(w.Memberships.Join(w.ctx, w.actor, w.people[email], roles))
}

func TestMemberIsEnrolledInCoursesOfGroup(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	id := w.newGroup(t, "Evening", "latin")
	w.join(t, "bob@example.test", id, membership.Member)
	mine, theirs := w.counts(t, "bob@example.test", "latin")
	is.Equal(mine, int64(1))
	is.Equal(theirs, int64(1))

	// Members are also enrolled in courses that are added to the group later.
	is.NoErr(w.Groups.AddCourses(w.ctx, w.actor, id, []course.ID{w.courses["greek"], w.courses["latin"]}))
	mine, _ = w.counts(t, "bob@example.test", "greek")
	is.Equal(mine, int64(2))
	g, err := w.Groups.Get(w.ctx, w.actor, id)
	is.NoErr(err)
	is.Equal(g.MembershipCount, int64(1))
}

func TestGroupManagerIsNotEnrolled(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	id := w.newGroup(t, "Evening", "latin")
	w.join(t, "bob@example.test", id, membership.Manager)
	mine, _ := w.counts(t, "bob@example.test", "latin")
	is.Equal(mine, int64(0))
	p, err := w.People.Get(w.ctx, w.actor, w.people["bob@example.test"])
	is.NoErr(err)
	is.Equal(p.GroupCount, int64(0))
}

// Enrollments remain when a membership ends, whatever ends it.
func TestEnrollmentsOutliveMembership(t *testing.T) {
	for name, end := range map[string]func(w *world, bob person.ID, id group.ID) error{
		"the person leaves": func(w *world, bob person.ID, id group.ID) error {
			return w.Memberships.Leave(w.ctx, w.actor, bob, []app.GroupRole{{Group: id, Role: membership.Member}})
		},
		"the group removes the person": func(w *world, bob person.ID, id group.ID) error {
			return w.Memberships.RemovePeople(w.ctx, w.actor, id, []person.ID{bob})
		},
		"the membership is deleted": func(w *world, _ person.ID, id group.ID) error {
			list, err := w.Memberships.ListOf(w.ctx, w.actor, id, query.Query{})
			if err != nil {
				return err
			}
			return w.Memberships.Delete(w.ctx, w.actor, list.Items[0].ID)
		},
		"the group is deleted": func(w *world, _ person.ID, id group.ID) error {
			return w.Groups.Delete(w.ctx, w.actor, id)
		},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			w := newWorld(t, school.Preregistration)
			id := w.newGroup(t, "Evening", "latin")
			w.join(t, "bob@example.test", id, membership.Member)
			is.NoErr(end(w, w.people["bob@example.test"], id))
			p, err := w.People.Get(w.ctx, w.actor, w.people["bob@example.test"])
			is.NoErr(err)
			is.Equal(p.GroupCount, int64(0))
			is.Equal(p.CourseCount, int64(1))
		})
	}
}

func TestRemoveCoursesKeepsEnrollments(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	id := w.newGroup(t, "Evening", "latin")
	w.join(t, "bob@example.test", id, membership.Member)
	is.NoErr(w.Groups.RemoveCourses(w.ctx, w.actor, id, []course.ID{w.courses["latin"]}))
	mine, _ := w.counts(t, "bob@example.test", "latin")
	is.Equal(mine, int64(1))
	// Ada joins after the course was removed, so she is not enrolled in it.
	w.join(t, "ada@example.test", id, membership.Member)
	mine, _ = w.counts(t, "ada@example.test", "latin")
	is.Equal(mine, int64(1)) // only greek
}

func TestAddPeopleIsAllOrNothing(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	id := w.newGroup(t, "Evening", "latin")
	stranger := person.ID{UUID: uuid.New()}
	err := w.Memberships.AddPeople(w.ctx, w.actor, id, []person.ID{w.people["bob@example.test"], stranger})
	f := firstFault(t, err)
	is.Equal(f.Kind, fault.NotFound)
	is.Equal(f.Row, 2)
	g, err := w.Groups.Get(w.ctx, w.actor, id)
	is.NoErr(err)
	is.Equal(g.MembershipCount, int64(0))
	mine, _ := w.counts(t, "bob@example.test", "latin")
	is.Equal(mine, int64(0))
}

func TestMembershipsListHasBothRoles(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	id := w.newGroup(t, "Evening")
	w.join(t, "bob@example.test", id, membership.Member)
	w.clock.Advance(time.Minute)
	w.join(t, "bob@example.test", id, membership.Manager)
	w.join(t, "ada@example.test", w.newGroup(t, "Morning"), membership.Member) // in another group
	list, err := w.Memberships.ListOf(w.ctx, w.actor, id, query.Query{})
	is.NoErr(err)
	is.Equal(len(list.Items), 2)
	is.Equal(list.Items[0].Role, membership.Manager) // newest first
	_, err = w.Memberships.ListOf(w.ctx, w.actor, group.ID{UUID: uuid.New()}, query.Query{})
	is.True(fault.Is(err, fault.NotFound))
}

func TestUpdateGroup(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	id := w.newGroup(t, "Evening")
	w.newGroup(t, "Morning")
	w.clock.Advance(time.Hour)
	name := "Evening"
	same, err := w.Groups.Update(w.ctx, w.actor, id, group.Changes{Name: &name})
	is.NoErr(err)
	is.Equal(same.UpdatedAt, start) // nothing changed
	name = "MORNING"
	_, err = w.Groups.Update(w.ctx, w.actor, id, group.Changes{Name: &name})
	is.Equal(firstFault(t, err).Holder.Type, group.Type)
}

func TestDeletePersonDeletesMemberships(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	id := w.newGroup(t, "Evening", "latin")
	w.join(t, "bob@example.test", id, membership.Member)
	is.NoErr(w.People.Delete(w.ctx, w.actor, w.people["bob@example.test"]))
	g, err := w.Groups.Get(w.ctx, w.actor, id)
	is.NoErr(err)
	is.Equal(g.MembershipCount, int64(0))
	list, err := w.Memberships.ListOf(w.ctx, w.actor, id, query.Query{})
	is.NoErr(err)
	is.Equal(len(list.Items), 0)
}

// If a person was unenrolled from a course of the group, a request that changes nothing does not
// enroll the person again.
func TestExistingMembershipsAreIgnored(t *testing.T) {
	for name, repeat := range map[string]func(w *world, bob person.ID, id group.ID) error{
		"the person joins again": func(w *world, bob person.ID, id group.ID) error {
			return w.Memberships.Join(w.ctx, w.actor, bob, []app.GroupRole{{Group: id, Role: membership.Member}})
		},
		"the group adds the person again": func(w *world, bob person.ID, id group.ID) error {
			return w.Memberships.AddPeople(w.ctx, w.actor, id, []person.ID{bob, bob})
		},
		"the group adds the course again": func(w *world, _ person.ID, id group.ID) error {
			return w.Groups.AddCourses(w.ctx, w.actor, id, []course.ID{w.courses["latin"], w.courses["latin"]})
		},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			w := newWorld(t, school.Preregistration)
			bob, id := w.people["bob@example.test"], w.newGroup(t, "Evening", "latin")
			w.join(t, "bob@example.test", id, membership.Member)
			is.NoErr(w.Enrollments.Unenroll(w.ctx, w.actor, bob,
				[]app.CourseRole{{Course: w.courses["latin"], Role: enrollment.Learner}}))
			is.NoErr(repeat(w, bob, id))
			mine, _ := w.counts(t, "bob@example.test", "latin")
			is.Equal(mine, int64(0))
		})
	}
}

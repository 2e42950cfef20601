package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"lyceum/ports"
	"lyceum/test/kit/fake"
)

// world is the environment of a test. It has an empty school, and another tenant whose records are
// similar to the records of the tests and have the same ids. All tests of one part of the suite
// share the other tenant.
type world struct {
	tenant
	otherTenant tenant
	schools     ports.Schools
	queue       ports.Queue
	loader      ports.Loader
}

// tenant is a school, with operations for tests. Its record ids and times follow the same sequence
// in every test. The id of the school is random, because one database contains many schools.
type tenant struct {
	t     *testing.T
	store ports.Store
	clock *fake.Clock
	ids   *fake.IDs
	id    school.ID
}

// newWorld adds an empty school and returns the environment of a test in it.
func newWorld(t *testing.T, b Backend) world {
	t.Helper()
	return world{
		tenant:      newTenant(t, b, "Own School"),
		otherTenant: b.otherTenant.withT(t),
		schools:     b.Schools,
		queue:       b.Queue,
		loader:      b.Loader,
	}
}

// withOtherTenant adds the other tenant to the store and returns b with it. newWorld needs it.
func withOtherTenant(t *testing.T, b Backend) Backend {
	t.Helper()
	b.otherTenant = newOtherTenant(t, b)
	return b
}

func newOtherTenant(t *testing.T, b Backend) tenant {
	t.Helper()
	s := newTenant(t, b, "Neighbor")
	if missing := append(nilFields(s.read()), missingPorts(s)...); len(missing) > 0 {
		t.Fatalf("the store lacks %v", missing) // the subtest Complete reports the same ports
	}
	s.addLookalikes()
	s.skipIDs(1000) // ids added later differ from the ids of the tests
	return s
}

// newTenant adds an empty school with the given name.
func newTenant(t *testing.T, b Backend, name string) tenant {
	t.Helper()
	id := newSchoolID()
	s := school.Restore(school.State{
		ID: id, Name: name, Slug: id.String(), Auth: school.Preregistration, CreatedAt: fake.Start, UpdatedAt: fake.Start,
	})
	if err := addSchool(t.Context(), b.Loader, s); err != nil {
		t.Fatal(err)
	}
	return tenant{t: t, store: b.Store, clock: fake.NewClock(fake.Start), ids: fake.NewIDs(), id: s.State().ID}
}

// addSchool adds a school without records.
func addSchool(ctx context.Context, to ports.Loader, s school.School) error {
	return to.LoadNewSchool(ctx, s, func(context.Context, ports.LoadTx) error { return nil })
}

// withT returns s with the t of a subtest.
func (s tenant) withT(t *testing.T) tenant {
	s.t = t
	return s
}

// skipIDs skips the next n ids.
func (s tenant) skipIDs(n int) {
	for range n {
		s.ids.New()
	}
}

// newSchoolID returns a random id.
func newSchoolID() school.ID { return school.ID{UUID: uuid.New()} }

// addLookalikes adds records with the same names as the records of the tests.
func (s tenant) addLookalikes() {
	s.t.Helper()
	design, music := s.newCategory("Design"), s.newCategory("Music")
	ada, grace, alan := s.newPerson("ada@example.test"), s.newPerson("grace@example.test"), s.newPerson("alan@example.test")
	part := s.newPartner(alan.ID, person.Instructor)
	drawing, singing := s.newCourse("Drawing", inCategories(design.ID, music.ID), instructedBy(part.ID)), s.newCourse("Singing")
	painters, singers := s.newGroup("Painters"), s.newGroup("Singers")
	s.save(
		design, music, ada, grace, alan, part, drawing, singing,
		s.newEnrollment(ada.ID, drawing.ID, enrollment.Learner),
		s.newEnrollment(ada.ID, singing.ID, enrollment.Learner),
		s.newEnrollment(grace.ID, drawing.ID, enrollment.Learner),
		s.newEnrollment(alan.ID, drawing.ID, enrollment.Manager),
		painters, singers,
		groupCourse{painters.ID, drawing.ID}, groupCourse{singers.ID, singing.ID}, groupCourse{singers.ID, drawing.ID},
		s.newMembership(ada.ID, painters.ID, membership.Member),
		s.newMembership(ada.ID, singers.ID, membership.Member),
		s.newMembership(grace.ID, painters.ID, membership.Member),
		s.newMembership(alan.ID, painters.ID, membership.Manager),
		s.newCoupon("Spring"), s.newCoupon("Autumn"),
	)
	newFixture(s, "noise")
}

// read returns a reader of the school's committed records.
func (s tenant) read() ports.Reader { return s.store.Read(s.id) }

// ctx returns the context of the test.
func (s tenant) ctx() context.Context { return s.t.Context() }

// try runs fn in a transaction of the school. fn must return its errors instead of ending the test,
// which would leave the transaction open.
func (s tenant) try(fn func(ctx context.Context, tx ports.Tx) error) error {
	return s.store.InTx(s.ctx(), s.id, fn)
}

// do is like try, but fails the test if the transaction returns an error.
func (s tenant) do(fn func(ctx context.Context, tx ports.Tx) error) {
	s.t.Helper()
	if err := s.try(fn); err != nil {
		s.t.Fatal(err)
	}
}

// nextTime advances the clock by one minute and returns the new time.
func (s tenant) nextTime() time.Time { return s.clock.Advance(time.Minute) }

// newCategory returns a category without saving it.
func (s tenant) newCategory(name string) category.State {
	now := s.nextTime()
	return category.State{ID: category.ID{UUID: s.ids.New()}, Name: name, CreatedAt: now, UpdatedAt: now}
}

// addCategory adds a category.
func (s tenant) addCategory(name string) category.State {
	s.t.Helper()
	c := s.newCategory(name)
	s.save(c)
	return c
}

// newCourse returns a course without saving it. Its permalink is derived from its name.
func (s tenant) newCourse(name string, changes ...func(*course.State)) course.State {
	now := s.nextTime()
	c := course.State{
		ID: course.ID{UUID: s.ids.New()}, Name: name, Permalink: text.Slugify(name),
		EnrollToken: fmt.Sprintf("%x", s.ids.Random(20)), CreatedAt: now, UpdatedAt: now,
	}
	for _, change := range changes {
		change(&c)
	}
	return c
}

// addCourse adds a course, modified by changes.
func (s tenant) addCourse(name string, changes ...func(*course.State)) course.State {
	s.t.Helper()
	c := s.newCourse(name, changes...)
	s.save(c)
	return c
}

// inCategories sets the categories of a new course.
func inCategories(ids ...category.ID) func(*course.State) {
	return func(c *course.State) { c.Categories = ids }
}

// newPerson returns a person without saving it.
func (s tenant) newPerson(email string, changes ...func(*person.State)) person.State {
	now := s.nextTime()
	p := person.State{
		ID: person.ID{UUID: s.ids.New()}, Email: email, FirstName: "Pat", LastName: "Example",
		CreatedAt: now, UpdatedAt: now,
	}
	for _, change := range changes {
		change(&p)
	}
	return p
}

// addPerson adds a person, modified by changes.
func (s tenant) addPerson(email string, changes ...func(*person.State)) person.State {
	s.t.Helper()
	p := s.newPerson(email, changes...)
	s.save(p)
	return p
}

// newPartner returns a partnership without saving it.
func (s tenant) newPartner(p person.ID, role person.Role) person.Partnership {
	return person.Partnership{ID: person.PartnershipID{UUID: s.ids.New()}, Person: p, Role: role, CreatedAt: s.nextTime()}
}

// addPartner adds a partnership of a person.
func (s tenant) addPartner(p person.ID, role person.Role) person.Partnership {
	s.t.Helper()
	part := s.newPartner(p, role)
	s.save(part)
	return part
}

// newEnrollment returns an enrollment without saving it.
func (s tenant) newEnrollment(p person.ID, c course.ID, role enrollment.Role) enrollment.Enrollment {
	now := s.nextTime()
	return enrollment.Enrollment{
		ID: enrollment.ID{UUID: s.ids.New()}, Person: p, Course: c, Role: role, CreatedAt: now, UpdatedAt: now,
	}
}

// enroll adds an enrollment.
func (s tenant) enroll(p person.ID, c course.ID, role enrollment.Role) enrollment.Enrollment {
	s.t.Helper()
	e := s.newEnrollment(p, c, role)
	s.save(e)
	return e
}

// tryEnroll adds es and returns how many of them were new.
func (s tenant) tryEnroll(es ...enrollment.Enrollment) int {
	s.t.Helper()
	var kept int
	s.do(func(ctx context.Context, tx ports.Tx) (err error) {
		kept, err = tx.Enrollments.AddIfAbsent(ctx, es)
		return err
	})
	return kept
}

// newGroup returns a group without saving it.
func (s tenant) newGroup(name string) group.State {
	now := s.nextTime()
	return group.State{
		ID: group.ID{UUID: s.ids.New()}, Name: name, EnrollToken: fmt.Sprintf("%x", s.ids.Random(20)),
		CreatedAt: now, UpdatedAt: now,
	}
}

// addGroup adds a group with courses.
func (s tenant) addGroup(name string, courses ...course.ID) group.State {
	s.t.Helper()
	g := s.newGroup(name)
	records := []any{g}
	for _, c := range courses {
		records = append(records, groupCourse{g.ID, c})
	}
	s.save(records...)
	return g
}

// newMembership returns a membership without saving it.
func (s tenant) newMembership(p person.ID, g group.ID, role membership.Role) membership.Membership {
	now := s.nextTime()
	return membership.Membership{
		ID: membership.ID{UUID: s.ids.New()}, Person: p, Group: g, Role: role, CreatedAt: now, UpdatedAt: now,
	}
}

// addMembership adds a membership, but not the enrollments that a use case would add.
func (s tenant) addMembership(p person.ID, g group.ID, role membership.Role) membership.Membership {
	s.t.Helper()
	m := s.newMembership(p, g, role)
	s.save(m)
	return m
}

// tryAddMemberships adds ms and returns how many of them were new.
func (s tenant) tryAddMemberships(ms ...membership.Membership) int {
	s.t.Helper()
	var kept int
	s.do(func(ctx context.Context, tx ports.Tx) (err error) {
		kept, err = tx.Memberships.AddIfAbsent(ctx, ms)
		return err
	})
	return kept
}

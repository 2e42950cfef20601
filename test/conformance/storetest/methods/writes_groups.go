package methods

import (
	"context"
	"math"

	"github.com/google/uuid"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/job"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/kit/fake"
)

// newMembership returns a copy of the fixture's membership with a new id and the role manager,
// modified by change.
func newMembership(e fixture.Fixture, change func(*membership.Membership)) []membership.Membership {
	m := e.Membership
	m.ID, m.Role = membership.ID{UUID: e.IDs.New()}, membership.Manager
	change(&m)
	return []membership.Membership{m}
}

// groupMethods contains methods of the ports of groups, memberships and jobs.
var groupMethods = []portMethod{
	{port: "Groups", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.Groups, func(g group.Summary) bool { return g.ID == theirs.Group.ID })
	}},
	{port: "Groups", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return result(r.Groups.Get(ctx, theirs.Group.ID))
	}},
	{port: "Groups", method: "ListWithCourses", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		found, err := r.Groups.ListWithCourses(ctx, []course.ID{theirs.Course.ID}, query.Query{})
		return len(found.Items), err
	}},
	{port: "Groups", method: "GetForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		g, err := tx.Groups.GetForUpdate(ctx, theirs.Group.ID)
		return g.State(), err
	}},
	{port: "Groups", method: "GetManyForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		found, err := tx.Groups.GetManyForShare(ctx, []group.ID{ours.Group.ID, theirs.Group.ID})
		delete(found, ours.Group.ID)
		return len(found), err
	}},
	{port: "Groups", method: "Add", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		// The name is the name of the other school's group.
		g := theirs.Group
		g.ID = group.ID{UUID: theirs.IDs.New()}
		return nil, tx.Groups.Add(ctx, group.Restore(g))
	}},
	{port: "Groups", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		g := theirs.Group
		g.Name = "Changed"
		return nil, tx.Groups.Save(ctx, group.Restore(g))
	}},
	{port: "Groups", method: "Delete", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Groups.Delete(ctx, theirs.Group.ID)
	}},
	{port: "Groups", method: "CourseIDs", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		held, err := tx.Groups.CourseIDs(ctx, []group.ID{ours.Group.ID, theirs.Group.ID})
		delete(held, ours.Group.ID)
		return len(held), err
	}},
	{port: "Groups", method: "AddCourses", of: "their group", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return result(tx.Groups.AddCourses(ctx, theirs.Group.ID, []course.ID{ours.Course.ID}))
	}},
	{port: "Groups", method: "AddCourses", of: "their course", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return result(tx.Groups.AddCourses(ctx, ours.Group.ID, []course.ID{theirs.Course.ID}))
	}},
	{port: "Groups", method: "RemoveCourses", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return result(tx.Groups.RemoveCourses(ctx, theirs.Group.ID, []course.ID{theirs.Course.ID}))
	}},
	{port: "Memberships", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return listed(ctx, r.Memberships, func(m membership.Membership) bool { return m.ID == theirs.Membership.ID })
	}},
	{port: "Memberships", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		return result(r.Memberships.Get(ctx, theirs.Membership.ID))
	}},
	{port: "Memberships", method: "MemberIDs", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture.Fixture) (any, error) {
		found, err := r.Memberships.MemberIDs(ctx, theirs.Group.ID)
		return len(found), err
	}},
	{port: "Memberships", method: "AddIfAbsent", of: "their group", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return result(tx.Memberships.AddIfAbsent(ctx, newMembership(ours, func(m *membership.Membership) { m.Group = theirs.Group.ID })))
	}},
	{port: "Memberships", method: "AddIfAbsent", of: "their person", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		return result(tx.Memberships.AddIfAbsent(ctx, newMembership(ours, func(m *membership.Membership) { m.Person = theirs.Learner.ID })))
	}},
	{port: "Memberships", method: "RemovePeople", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return result(tx.Memberships.RemovePeople(ctx, theirs.Group.ID, membership.Member, []person.ID{theirs.Learner.ID}))
	}},
	{port: "Memberships", method: "RemoveFromGroups", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return result(tx.Memberships.RemoveFromGroups(ctx, theirs.Learner.ID, membership.Member, []group.ID{theirs.Group.ID}))
	}},
	{port: "Memberships", method: "Delete", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Memberships.Delete(ctx, theirs.Membership.ID)
	}},
	{port: "Memberships", method: "DeleteByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Memberships.DeleteByPerson(ctx, theirs.Learner.ID)
	}},
	{port: "Memberships", method: "DeleteByGroup", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, fixture.Second(tx.Memberships.DeleteByGroup(ctx, theirs.Group.ID, math.MaxInt32))
	}},
	{port: "Jobs", method: "Add", foreign: refused, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		// No other test leases jobs of this kind.
		return nil, tx.Jobs.Add(ctx, job.New(job.ID{UUID: uuid.New()}, theirs.School, "storetest", "", fake.Start))
	}},
	{port: "Jobs", method: "Delete", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, _ fixture.Fixture) (any, error) {
		return nil, tx.Jobs.Delete(ctx, "storetest", "no job says this")
	}},
	{port: "Jobs", method: "Retry", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		// A fixture has no job. Group Jobs tests the jobs of other schools.
		return nil, tx.Jobs.Retry(ctx, "storetest", job.ID{UUID: theirs.IDs.New()}, fake.Start)
	}},
}

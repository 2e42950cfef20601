package admission

import (
	"context"
	"errors"
	"maps"
	"slices"

	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/query"
	"lyceum/ports"
)

// Joining decides, row by row, which people join which groups and are therefore enrolled in the
// courses of these groups.
type Joining struct {
	decisions[GroupRole, membership.Membership]
	deps      usecase.Deps
	groups    *Groups
	people    map[person.ID]person.Person
	by        policy.Request
	enrolling *Enrolling
}

// NewJoining returns a Joining for a request of the actor a about people and groups. Both must be
// locked.
func NewJoining(
	ctx context.Context, d usecase.Deps, tx ports.Tx, a usecase.Actor, groups *Groups, people map[person.ID]person.Person,
) (*Joining, error) {
	j := &Joining{deps: d, groups: groups, people: people}
	var existing []GroupRole
	var err error
	if len(people) == 0 || len(groups.ByID) == 0 {
		if groups.courses == nil {
			groups.courses = &Courses{ByID: map[course.ID]course.Course{}}
		}
	} else {
		if existing, err = groupRoles(ctx, tx, people, groups.ByID); err != nil {
			return nil, err
		}
		if err := groups.loadCourses(ctx, tx); err != nil {
			return nil, err
		}
	}
	j.decisions = newDecisions(existing, func(made membership.Membership, n int64) {
		if made.Role == membership.Member {
			groups.members.add(made.Group, n)
		}
	})
	if j.enrolling, err = NewEnrolling(ctx, d, tx, a, groups.courses, people); err != nil {
		return nil, err
	}
	j.by = j.enrolling.by
	return j, nil
}

// Row grants all roles of a row, or none if a role is refused. It returns the refusal of each role,
// or nil if no role is refused. It ignores existing roles: a person who was unenrolled from a
// course of the group stays unenrolled. It refuses a row that adds more than enrollment.MaxAdded
// enrollments.
func (j *Joining) Row(roles []GroupRole) []error {
	n, tooMany := j.countEnrollments(roles)
	if err := enrollment.CheckAdded(n); err != nil {
		j.startRow(0)
		j.enrolling.startRow(0)
		refused := make([]error, len(roles))
		refused[tooMany] = err
		return refused
	}
	return byTurns(j.deps.Processors, len(roles)+n, func() []error {
		j.startRow(len(roles))
		j.enrolling.startRow(n)
		return decideRow(roles, j.ask, j.GiveBack)
	})
}

// Enrollments returns the maximum number of enrollments that a row with the given roles can add.
func (j *Joining) Enrollments(roles []GroupRole) int {
	n, _ := j.countEnrollments(roles)
	return n
}

// countEnrollments returns the maximum number of enrollments that a row of roles can add, and the
// index of the role at which the number exceeds enrollment.MaxAdded, if it does.
func (j *Joining) countEnrollments(roles []GroupRole) (n, tooMany int) {
	seen := make(map[GroupRole]bool, len(roles))
	for i, role := range roles {
		if _, known := j.refusals[role]; known || seen[role] || !role.Role.Enrolls() {
			continue
		}
		seen[role] = true
		if n <= enrollment.MaxAdded {
			tooMany = i
		}
		n += len(j.groups.courseIDs[role.In])
	}
	return n, tooMany
}

// CheckAllowance returns Unavailable if the school may not add a row of roles and its enrollments now.
func (j *Joining) CheckAllowance(roles []GroupRole) error {
	return j.enrolling.CheckAllowance(len(roles) + j.Enrollments(roles))
}

// GiveBack undoes the grants of the last row. Call it if the row is refused for another reason.
func (j *Joining) GiveBack() {
	j.giveBack()
	j.enrolling.giveBack()
}

// GiveBackAll undoes the grants of all rows. Row must not be called afterwards.
func (j *Joining) GiveBackAll() {
	j.rowStart, j.enrolling.rowStart = 0, 0
	j.GiveBack()
}

// ask returns the refusal of a role in the current row, or nil.
func (j *Joining) ask(role GroupRole) error {
	return j.decide(role, func() (membership.Membership, error) {
		p, g := j.people[role.Person], j.groups.ByID[role.In]
		err := j.deps.Policies.Living.Join.Check(policy.Joining{
			Request: j.by, Person: p.State(), Group: g.State(), Role: role.Role, Members: j.groups.members[role.In],
		})
		if role.Role.Enrolls() && !errors.Is(err, policy.NoEffect) {
			for _, c := range j.groups.courseIDs[role.In] {
				err = fault.Join(err, j.enrolling.ask(CourseRole{role.Person, c, enrollment.Learner}))
			}
		}
		if err != nil {
			return membership.Membership{}, err
		}
		return membership.New(membership.ID{UUID: j.deps.IDs.New()}, p, g, role.Role, j.by.At), nil
	})
}

func (j *Joining) Save(ctx context.Context, tx ports.Tx) error {
	added, err := tx.Memberships.AddIfAbsent(ctx, j.granted)
	if err != nil {
		return err
	}
	j.enrolling.use(added)
	return j.enrolling.Save(ctx, tx)
}

// groupRoles returns the existing roles of people in groups.
func groupRoles(
	ctx context.Context, tx ports.Tx, people map[person.ID]person.Person, groups map[group.ID]group.Group,
) ([]GroupRole, error) {
	found, err := tx.Memberships.List(ctx, query.Query{Page: query.AllRows(), Where: query.And{
		query.HasAnyID(membership.Schema.Attr("person.id"), slices.Collect(maps.Keys(people))),
		query.HasAnyID(membership.Schema.Attr("group.id"), slices.Collect(maps.Keys(groups))),
	}})
	roles := make([]GroupRole, len(found.Items))
	for i, m := range found.Items {
		roles[i] = GroupRole{m.Person, m.Group, m.Role}
	}
	return roles, err
}

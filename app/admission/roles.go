package admission

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/policy"
)

// RoleIn is a role of a person in a course or a group.
type RoleIn[In, Role comparable] struct {
	Person person.ID
	In     In
	Role   Role
}

type (
	// CourseRole is a role of a person in a course.
	CourseRole = RoleIn[course.ID, enrollment.Role]
	// GroupRole is a role of a person in a group.
	GroupRole = RoleIn[group.ID, membership.Role]
)

// RolesIn returns, for each of people, the role in the given course or group.
func RolesIn[In, Role comparable](in In, role Role, people []person.ID) []RoleIn[In, Role] {
	roles := make([]RoleIn[In, Role], len(people))
	for i, p := range people {
		roles[i] = RoleIn[In, Role]{p, in, role}
	}
	return roles
}

// decisions contains the decisions on the roles R of a request. S is the record of a granted role.
type decisions[R comparable, S any] struct {
	refusals map[R]error // existing and requested roles with their refusal; nil: not refused
	row      []R         // roles that were first requested in the current row
	granted  []S
	rowStart int                // length of granted at the start of the row
	count    func(s S, n int64) // adds n to the count of the course or group of a granted role
}

func newDecisions[R comparable, S any](existing []R, count func(S, int64)) decisions[R, S] {
	d := decisions[R, S]{refusals: map[R]error{}, count: count}
	for _, role := range existing {
		d.refusals[role] = nil
	}
	return d
}

// startRow starts a row with at most n new roles.
func (d *decisions[R, S]) startRow(n int) {
	d.row, d.rowStart = slices.Grow(d.row[:0], n), len(d.granted)
	d.granted = slices.Grow(d.granted, n)
	if len(d.refusals) == 0 {
		d.refusals = make(map[R]error, n)
	}
}

// decide returns the refusal of a role. If the role is new, because it neither exists nor was
// requested before, decide calls grant, and counts the role unless the verdict refuses it or has no
// effect.
func (d *decisions[R, S]) decide(role R, grant func() (S, error)) error {
	if err, known := d.refusals[role]; known {
		return err
	}
	granted, verdict := grant()
	effect, err := policy.Effect(verdict)
	d.refusals[role] = err
	d.row = append(d.row, role)
	if effect {
		d.granted = append(d.granted, granted)
		d.count(granted, 1)
	}
	return err
}

// giveBack undoes the grants of the current row.
func (d *decisions[R, S]) giveBack() {
	for _, s := range d.granted[d.rowStart:] {
		d.count(s, -1)
	}
	for _, role := range d.row {
		delete(d.refusals, role)
	}
	d.granted, d.row = d.granted[:d.rowStart], d.row[:0]
}

// decideRow returns the refusal of each role of a row. If a role is refused, it undoes the row;
// otherwise it returns nil.
func decideRow[R any](roles []R, decide func(R) error, giveBack func()) []error {
	refused, rejected := make([]error, len(roles)), false
	for i, role := range roles {
		refused[i] = decide(role)
		rejected = rejected || refused[i] != nil
	}
	if !rejected {
		return nil
	}
	giveBack()
	return refused
}

// AtRows joins the refusals of a request's rows, each with its 0-based row. It returns nil if no
// row is refused.
func AtRows(refused []error) error {
	errs := make([]error, len(refused))
	for i, err := range refused {
		errs[i] = fault.AtRow(err, i)
	}
	return fault.Join(errs...)
}

// checkRemoval calls check for each of the roles that exist, once per role. It returns the roles to
// remove, and the refusals with their rows.
func checkRemoval[R comparable](roles, existing []R, check func(R) error) ([]R, error) {
	asked := map[R]bool{}
	for _, role := range existing {
		asked[role] = false
	}
	var removed []R
	refused := make([]error, len(roles))
	for i, role := range roles {
		if again, exists := asked[role]; again || !exists {
			continue
		}
		asked[role] = true
		effect, err := policy.Effect(check(role))
		if refused[i] = err; effect {
			removed = append(removed, role)
		}
	}
	return removed, AtRows(refused)
}

// removeRoles deletes the elements of roles whose Role is role. If all of them belong to one
// person, it calls ofPerson. Otherwise they must be in one course or group, and it calls inOne.
func removeRoles[In, Role comparable](
	ctx context.Context, roles []RoleIn[In, Role], role Role,
	ofPerson func(context.Context, person.ID, Role, []In) (int, error),
	inOne func(context.Context, In, Role, []person.ID) (int, error),
) error {
	var people []person.ID
	var in []In
	for _, r := range roles {
		if r.Role == role {
			people, in = append(people, r.Person), append(in, r.In)
		}
	}
	var err error
	switch {
	case len(people) == 0:
	case slices.ContainsFunc(people, func(p person.ID) bool { return p != people[0] }):
		_, err = inOne(ctx, in[0], role, people)
	default:
		_, err = ofPerson(ctx, people[0], role, in)
	}
	return err
}

// manyRoles is the number of roles of a row from which its decisions take turns with those of other
// rows, because they use a processor for milliseconds.
const manyRoles = 1_000

// byTurns calls decide, which decides on n roles.
func byTurns(p *usecase.Processors, n int, decide func() []error) (refused []error) {
	if n < manyRoles {
		return decide()
	}
	p.Run(func() { refused = decide() })
	return refused
}

type recordID interface {
	comparable
	~struct{ uuid.UUID }
}

// counts maps each course or group whose people a rule counts to the number of its people.
type counts[ID comparable] map[ID]int64

func (c counts[ID]) add(id ID, n int64) {
	if _, ok := c[id]; ok {
		c[id] += n
	}
}

// lockCounted locks the existing records among ids for update, one after another, and adds them to
// byID and their counts to c.
func lockCounted[ID recordID, T, S any](
	ctx context.Context, ids []ID, byID map[ID]T, c counts[ID],
	lock func(context.Context, ID) (T, error), get func(context.Context, ID) (S, error), countOf func(S) int64,
) error {
	for _, id := range usecase.InLockOrder(slices.Values(ids)) {
		record, err := lock(ctx, id)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return err
		}
		summary, err := get(ctx, id)
		if err != nil {
			return err
		}
		byID[id], c[id] = record, countOf(summary)
	}
	return nil
}

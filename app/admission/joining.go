package admission

import (
	"context"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/query"
	"lyceum/ports"
)

// Role is a role of a person in a group.
type Role struct {
	Person person.ID
	Group  group.ID
	Role   membership.Role
}

// Joining decides, for the rows of a request, who joins which groups, and so is
// enrolled in their courses.
type Joining struct {
	deps      usecase.Deps
	rules     policy.Rules[policy.Joining]
	groups    *Groups
	people    map[person.ID]person.Person
	now       time.Time
	enrolling *Enrolling

	there    map[Role]bool // the roles that were granted or are there already
	granted  []membership.Membership
	rowBegin int // in granted
}

// NewJoining returns the decisions about people and groups. Both are locked.
func NewJoining(
	ctx context.Context, d usecase.Deps, tx ports.Tx, groups *Groups, people map[person.ID]person.Person,
) (*Joining, error) {
	j := &Joining{
		deps: d, rules: d.Policies.Living.Join, groups: groups, people: people, now: d.Clock.Now(), there: map[Role]bool{},
	}
	if len(people) == 0 || len(groups.ByID) == 0 {
		groups.courses = &Courses{}
	} else {
		have, err := rolesOf(ctx, tx, people, groups.ByID)
		if err != nil {
			return nil, err
		}
		for _, role := range have {
			j.there[role] = true
		}
		if err := groups.load(ctx, tx); err != nil {
			return nil, err
		}
	}
	var err error
	j.enrolling, err = NewEnrolling(ctx, d, tx, groups.courses, people)
	return j, err
}

// Row decides on the roles of a row, of which it grants all or none. It returns what is
// refused, for each of them; nil if nothing is. Roles that are there already, or are in
// the row twice, are ignored: a person who was taken out of a course since then stays
// out.
func (j *Joining) Row(roles []Role) []error {
	j.rowBegin = len(j.granted)
	j.enrolling.begin()
	refused, asked := make([]error, len(roles)), make(map[Role]bool, len(roles))
	for i, role := range roles {
		if j.there[role] || asked[role] {
			continue
		}
		asked[role] = true
		refused[i] = j.ask(role)
	}
	if !anyOf(refused) {
		return nil
	}
	j.GiveBack()
	return refused
}

// GiveBack takes back what the last row was granted: the rest of the row is refused.
func (j *Joining) GiveBack() {
	for _, m := range j.granted[j.rowBegin:] {
		delete(j.there, Role{m.Person, m.Group, m.Role})
		j.count(m, -1)
	}
	j.granted = j.granted[:j.rowBegin]
	j.enrolling.giveBack()
}

// GiveBackAll takes back what all rows were granted.
func (j *Joining) GiveBackAll() {
	j.rowBegin, j.enrolling.rowBegin = 0, 0
	j.GiveBack()
}

// ask returns why a role is refused, nil if it is granted.
func (j *Joining) ask(role Role) error {
	p, g := j.people[role.Person], j.groups.ByID[role.Group]
	err := j.rules.Check(policy.Joining{
		Person: p.State(), Group: g.State(), Role: role.Role, Members: j.groups.members[role.Group],
	})
	if role.Role.Enrolls() {
		for _, c := range j.groups.held[role.Group] {
			err = fault.Join(err, j.enrolling.ask(Place{role.Person, c, enrollment.Learner}))
		}
	}
	if err != nil {
		return err
	}
	made := membership.New(membership.ID{UUID: j.deps.IDs.New()}, p, g, role.Role, j.now)
	j.granted = append(j.granted, made)
	j.there[role] = true
	j.count(made, 1)
	return nil
}

func (j *Joining) count(m membership.Membership, n int64) {
	if _, counts := j.groups.members[m.Group]; counts && m.Role == membership.Member {
		j.groups.members[m.Group] += n
	}
}

// Save saves what was granted.
func (j *Joining) Save(ctx context.Context, tx ports.Tx) error {
	if _, err := tx.Memberships.AddIfAbsent(ctx, j.granted); err != nil {
		return err
	}
	return j.enrolling.Save(ctx, tx)
}

// rolesOf returns the roles that people have in groups.
func rolesOf(
	ctx context.Context, tx ports.Tx, people map[person.ID]person.Person, groups map[group.ID]group.Group,
) ([]Role, error) {
	who := query.Cond{Attr: membership.Schema.Attr("person.id"), Op: query.Eq}
	for id := range people {
		who.Values = append(who.Values, query.Value{ID: id.UUID})
	}
	where := query.Cond{Attr: membership.Schema.Attr("group.id"), Op: query.Eq}
	for id := range groups {
		where.Values = append(where.Values, query.Value{ID: id.UUID})
	}
	found, err := tx.Memberships.List(ctx, query.Query{Where: query.And{who, where}, Page: query.Everything()})
	roles := make([]Role, len(found.Items))
	for i, m := range found.Items {
		roles[i] = Role{m.Person, m.Group, m.Role}
	}
	return roles, err
}

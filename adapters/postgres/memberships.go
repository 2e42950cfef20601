package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/ports"
)

var _ ports.MembershipRepo = membershipRepo{}

type membershipRow struct {
	ID        uuid.UUID `db:"id"`
	Person    uuid.UUID `db:"person_id"`
	Group     uuid.UUID `db:"group_id"`
	Role      string    `db:"role"`
	CreatedAt time.Time `db:"created_at"`
	UpdatedAt time.Time `db:"updated_at"`
}

func (r membershipRow) membership() (membership.Membership, error) {
	role, err := membership.ParseRole(r.Role)
	if err != nil {
		return membership.Membership{}, pgdb.Corrupt(membership.Type, r.ID, err)
	}
	return membership.Membership{
		ID: membership.ID{UUID: r.ID}, Person: person.ID{UUID: r.Person}, Group: group.ID{UUID: r.Group},
		Role: role, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}, nil
}

var membershipList = listsql.New(listsql.Definition{
	Table:   membership.Type,
	Columns: listsql.RowColumns[membershipRow](),
	Attrs: map[string]listsql.Column{
		"uuid":       {Expr: "r.id"},
		"role":       {Expr: "r.role", Fold: "r.role"},
		"person.id":  {Expr: "r.person_id"},
		"group.id":   {Expr: "r.group_id"},
		"created_at": {Expr: "r.created_at"},
		"updated_at": {Expr: "r.updated_at"},
	},
	Sort: membership.Schema.Default(),
}, membershipRow.membership)

type membershipReader struct {
	reader[membership.ID, membershipRow, membership.Membership]
}

var membershipTable = newTable("memberships", []column[membership.Membership]{
	{"person_id", "uuid", func(m membership.Membership) any { return m.Person.UUID }},
	{"id", "uuid", func(m membership.Membership) any { return m.ID.UUID }},
	{"group_id", "uuid", func(m membership.Membership) any { return m.Group.UUID }},
	{"role", "text", func(m membership.Membership) any { return m.Role.String() }},
	{"created_at", "timestamptz", func(m membership.Membership) any { return m.CreatedAt }},
	{"updated_at", "timestamptz", func(m membership.Membership) any { return m.UpdatedAt }},
})

const membersOf = `
	SELECT person_id FROM memberships
	WHERE school_id = $1 AND group_id = $2 AND role = 'member' ORDER BY person_id`

// MemberIDs implements ports.MembershipReader.
func (r membershipReader) MemberIDs(ctx context.Context, id group.ID) ([]person.ID, error) {
	return getIDs[person.ID](ctx, r.session, membersOf, r.session.SchoolID, id.UUID)
}

type membershipRepo struct{ membershipReader }

const (
	leaveGroups = withPersonLocked + `
		DELETE FROM memberships WHERE school_id = $1 AND person_id = (SELECT id FROM locked)
			AND role = $3 AND group_id = ANY ($4::uuid[])`
	deleteMembership = `
		WITH locked AS MATERIALIZED (
			SELECT p.id FROM people p WHERE p.school_id = $1 AND p.id = (
				SELECT m.person_id FROM memberships m WHERE m.school_id = $1 AND m.id = $2
			) FOR NO KEY UPDATE
		)
		DELETE FROM memberships WHERE school_id = $1 AND id = $2 AND` + pgdb.AfterLock
	deleteMembershipsOf = withPersonLocked + `
		DELETE FROM memberships WHERE school_id = $1 AND person_id = (SELECT id FROM locked)`
	deleteMembershipsOfGroup = `
		WITH chosen AS MATERIALIZED (
			SELECT id, person_id FROM memberships WHERE school_id = $1 AND group_id = $2 LIMIT $3
		), locked AS MATERIALIZED (
			SELECT p.id FROM people p WHERE p.school_id = $1 AND p.id = ANY (ARRAY (SELECT person_id FROM chosen))
			ORDER BY p.id FOR NO KEY UPDATE
		)
		DELETE FROM memberships WHERE school_id = $1 AND id = ANY (ARRAY (SELECT id FROM chosen)) AND` + pgdb.AfterLock
)

var (
	addMemberships = lockPeople + membershipTable.insertMany + `WHERE` + pgdb.AfterLock +
		`ON CONFLICT (school_id, person_id, role, group_id) DO NOTHING`
	removeMemberships = lockPeople + `
		DELETE FROM memberships WHERE school_id = $1 AND person_id = ANY ($2::uuid[])
			AND group_id = $3 AND role = $4 AND` + pgdb.AfterLock
)

// AddIfAbsent implements ports.MembershipRepo.
func (r membershipRepo) AddIfAbsent(ctx context.Context, ms []membership.Membership) (int, error) {
	return addRoleRows(ctx, r.session, addMemberships, membershipTable, ms, func(m *membership.Membership) roleKey {
		return roleKey{m.Person.UUID, m.Role.String(), m.Group.UUID}
	})
}

// RemovePeople implements ports.MembershipRepo.
func (r membershipRepo) RemovePeople(ctx context.Context, g group.ID, role membership.Role, people []person.ID) (int, error) {
	return r.session.Exec(ctx, removeMemberships, r.session.SchoolID, idArray(people), g.UUID, role.String())
}

// RemoveFromGroups implements ports.MembershipRepo.
func (r membershipRepo) RemoveFromGroups(ctx context.Context, p person.ID, role membership.Role, groups []group.ID) (int, error) {
	return r.session.Exec(ctx, leaveGroups, r.session.SchoolID, p.UUID, role.String(), idArray(groups))
}

// Delete implements ports.MembershipRepo.
func (r membershipRepo) Delete(ctx context.Context, id membership.ID) error {
	return r.session.writeOne(ctx, deleteMembership, r.session.SchoolID, id.UUID)
}

// DeleteByPerson implements ports.MembershipRepo.
func (r membershipRepo) DeleteByPerson(ctx context.Context, p person.ID) error {
	return r.session.write(ctx, deleteMembershipsOf, r.session.SchoolID, p.UUID)
}

// DeleteByGroup implements ports.MembershipRepo.
func (r membershipRepo) DeleteByGroup(ctx context.Context, g group.ID, limit int) (int, error) {
	return r.session.Exec(ctx, deleteMembershipsOfGroup, r.session.SchoolID, g.UUID, limit)
}

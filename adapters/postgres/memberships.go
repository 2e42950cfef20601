package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
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

var membershipList = listsql.List[membershipRow, membership.Membership]{
	Table:   membership.Type,
	Columns: "r.id, r.person_id, r.group_id, r.role, r.created_at, r.updated_at",
	Attrs: map[string]listsql.Column{
		"uuid":       {Expr: "r.id"},
		"role":       {Expr: "r.role", Fold: "r.role"},
		"person.id":  {Expr: "r.person_id"},
		"group.id":   {Expr: "r.group_id"},
		"created_at": {Expr: "r.created_at"},
		"updated_at": {Expr: "r.updated_at"},
	},
	Sort:    membership.Schema.Default(),
	Convert: membershipRow.membership,
}

type membershipReader struct{ *session }

// List returns a page of memberships.
func (c membershipReader) List(ctx context.Context, q query.Query) (query.Result[membership.Membership], error) {
	return membershipList.Page(ctx, c.session, q)
}

// Get returns the membership id.
func (c membershipReader) Get(ctx context.Context, id membership.ID) (membership.Membership, error) {
	return membershipList.One(ctx, c.session, id.UUID)
}

const membersOf = `
	SELECT person_id FROM memberships
	WHERE school_id = $1 AND group_id = $2 AND role = 'member' ORDER BY person_id`

// Members returns the members of a group.
func (c membershipReader) Members(ctx context.Context, id group.ID) ([]person.ID, error) {
	ids := []person.ID{}
	err := c.SelectRows(ctx, &ids, membersOf, c.SchoolID, id.UUID)
	return ids, err
}

type membershipRepo struct{ membershipReader }

const (
	leaveGroups = lockOne + `
		DELETE FROM memberships WHERE school_id = $1 AND person_id = (SELECT id FROM locked)
			AND role = $3 AND group_id = ANY ($4::uuid[])`
	removeMembership = `
		WITH locked AS MATERIALIZED (
			SELECT p.id FROM people p WHERE p.school_id = $1 AND p.id = (
				SELECT m.person_id FROM memberships m WHERE m.school_id = $1 AND m.id = $2
			) FOR NO KEY UPDATE
		)
		DELETE FROM memberships WHERE school_id = $1 AND id = $2 AND` + afterLock
	removeMembershipsOf = lockOne + `
		DELETE FROM memberships WHERE school_id = $1 AND person_id = (SELECT id FROM locked)`
	emptyGroup = `
		WITH locked AS MATERIALIZED (
			SELECT p.id FROM people p WHERE p.school_id = $1 AND p.id IN (
				SELECT m.person_id FROM memberships m WHERE m.school_id = $1 AND m.group_id = $2
			) ORDER BY p.id FOR NO KEY UPDATE OF p
		)
		DELETE FROM memberships WHERE school_id = $1 AND group_id = $2 AND` + afterLock
)

var addMemberships = lockPeople + `
		INSERT INTO memberships (school_id, person_id, id, group_id, role, created_at, updated_at)
		SELECT $1, m.* FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[],
			$6::timestamptz[], $7::timestamptz[]) m
		WHERE` + afterLock + `
		ON CONFLICT (school_id, person_id, role, group_id) DO NOTHING`

var removeMemberships = lockPeople + `
		DELETE FROM memberships WHERE school_id = $1 AND person_id = ANY ($2::uuid[])
			AND group_id = $3 AND role = $4 AND` + afterLock

// AddIfAbsent keeps those of ms that are new.
func (c membershipRepo) AddIfAbsent(ctx context.Context, ms []membership.Membership) (int, error) {
	places := make([]place, len(ms))
	for i, m := range ms {
		places[i] = place{m.ID.UUID, m.Person.UUID, m.Group.UUID, m.Role.String(), m.CreatedAt, m.UpdatedAt}
	}
	return c.addPlaces(ctx, addMemberships, places)
}

// Remove forgets memberships as role of people in a group.
func (c membershipRepo) Remove(ctx context.Context, g group.ID, role membership.Role, people []person.ID) (int, error) {
	return c.Exec(ctx, removeMemberships, c.SchoolID, pq.Array(pgdb.IDStrings(people)), g.UUID, role.String())
}

// Leave forgets the person's memberships as role in groups.
func (c membershipRepo) Leave(ctx context.Context, p person.ID, role membership.Role, groups []group.ID) (int, error) {
	return c.Exec(ctx, leaveGroups, c.SchoolID, p.UUID, role.String(), pq.Array(pgdb.IDStrings(groups)))
}

// RemoveByID forgets the membership id.
func (c membershipRepo) RemoveByID(ctx context.Context, id membership.ID) error {
	n, err := c.Exec(ctx, removeMembership, c.SchoolID, id.UUID)
	if err == nil && n == 0 {
		return fault.Missing()
	}
	return err
}

// RemoveOfPerson forgets all memberships of a person.
func (c membershipRepo) RemoveOfPerson(ctx context.Context, p person.ID) error {
	_, err := c.Exec(ctx, removeMembershipsOf, c.SchoolID, p.UUID)
	return err
}

// RemoveOfGroup forgets all memberships of a group.
func (c membershipRepo) RemoveOfGroup(ctx context.Context, g group.ID) error {
	_, err := c.Exec(ctx, emptyGroup, c.SchoolID, g.UUID)
	return err
}

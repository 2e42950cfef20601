package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/group"
	"lyceum/domain/query"
	"lyceum/domain/text"
	"lyceum/ports"
)

var _ ports.GroupRepo = groupRepo{}

type groupRow struct {
	ID          uuid.UUID `db:"id"`
	Name        string    `db:"name"`
	EnrollToken string    `db:"enroll_token"`
	CreatedAt   time.Time `db:"created_at"`
	UpdatedAt   time.Time `db:"updated_at"`
}

type groupSummaryRow struct {
	groupRow
	MembershipCount int64 `db:"membership_count"`
}

func (r groupRow) state() group.State {
	return group.State{
		ID: group.ID{UUID: r.ID}, Name: r.Name, EnrollToken: r.EnrollToken,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
}

func (r groupRow) group() (group.ID, group.Group) {
	s := r.state()
	return s.ID, group.Restore(s)
}

func (r groupSummaryRow) summary() (group.Summary, error) {
	return group.Summary{State: r.state(), MembershipCount: r.MembershipCount}, nil
}

const (
	groupColumns = `r.id, r.name, r.enroll_token, r.created_at, r.updated_at`

	// What the row lacks was left beside it; the sum of both is the count.
	membershipCount = `(r.membership_count + coalesce((SELECT sum(d.delta)::bigint FROM group_count_deltas d
		WHERE d.school_id = r.school_id AND d.group_id = r.id), 0))`
)

var groupList = listsql.List[groupSummaryRow, group.Summary]{
	Table:   "groups",
	Columns: groupColumns + ", " + membershipCount + " AS membership_count",
	Attrs: map[string]listsql.Column{
		"uuid":             {Expr: "r.id"},
		"name":             listsql.TextColumn("name"),
		"membership_count": {Expr: membershipCount},
		"created_at":       {Expr: "r.created_at"},
		"updated_at":       {Expr: "r.updated_at"},
		"enroll_token":     {Expr: "r.enroll_token", Fold: "r.enroll_token"},
	},
	Sort:    group.Schema.Default(),
	Convert: groupSummaryRow.summary,
}

type groupReader struct{ *session }

// List returns a page of groups.
func (c groupReader) List(ctx context.Context, q query.Query) (query.Result[group.Summary], error) {
	return groupList.Page(ctx, c.session, q)
}

// Get returns the group id.
func (c groupReader) Get(ctx context.Context, id group.ID) (group.Summary, error) {
	return groupList.One(ctx, c.session, id.UUID)
}

type groupRepo struct{ groupReader }

// Find takes the strongest lock and Load the weakest, which excludes nothing
// else: between the two stands the lock that the counter takes, so that who
// loads a group does not wait for those who have just joined it.
const (
	lockGroup = `SELECT ` + groupColumns + ` FROM groups r
		WHERE r.school_id = $1 AND r.id = $2 FOR UPDATE`
)

var loadGroups = `SELECT r.* FROM ` + pgdb.ByKey("groups", groupColumns, "id", "$2::uuid[]", "LIMIT 1 FOR KEY SHARE")

// Find returns the group id and locks it.
func (c groupRepo) Find(ctx context.Context, id group.ID) (group.Group, error) {
	var row groupRow
	if err := c.GetRow(ctx, &row, lockGroup, c.SchoolID, id.UUID); err != nil {
		return group.Group{}, pgdb.Missing(err)
	}
	return group.Restore(row.state()), nil
}

// Load returns the groups ids and locks them against Find and removal.
func (c groupRepo) Load(ctx context.Context, ids []group.ID) (map[group.ID]group.Group, error) {
	return load(ctx, c.session, loadGroups, ids, groupRow.group)
}

const (
	addGroup = `
		INSERT INTO groups (school_id, id, name, name_key, name_fold, enroll_token, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (school_id, name_key) DO NOTHING`
	// An update alone would not wait for those who have loaded the group.
	saveGroup = `
		WITH locked AS MATERIALIZED (
			SELECT g.id FROM groups g WHERE g.school_id = $1 AND g.id = $2 FOR UPDATE
		)
		UPDATE groups SET name = $3, name_key = $4, name_fold = $5, enroll_token = $6, created_at = $7, updated_at = $8
		WHERE school_id = $1 AND id = (SELECT id FROM locked)`
	removeGroup = `
		WITH list AS (DELETE FROM group_courses WHERE school_id = $1 AND group_id = $2),
		deltas AS (DELETE FROM group_count_deltas WHERE school_id = $1 AND group_id = $2)
		DELETE FROM groups WHERE school_id = $1 AND id = $2`
)

var groupRivals = rivalsOf("groups", "name_key")

func (c groupRepo) args(s group.State) []any {
	return []any{
		c.SchoolID, s.ID.UUID, s.Name, text.Key(s.Name), text.Fold(s.Name), s.EnrollToken, s.CreatedAt, s.UpdatedAt,
	}
}

func (c groupRepo) name(s group.State) unique {
	return unique{field: "name", holder: group.Type, rivals: groupRivals, value: text.Key(s.Name)}
}

// Add keeps a new group.
func (c groupRepo) Add(ctx context.Context, g group.Group) error {
	s := g.State()
	return c.add(ctx, c.name(s), s.ID.UUID, addGroup, c.args(s)...)
}

// Save keeps a changed group.
func (c groupRepo) Save(ctx context.Context, g group.Group) error {
	s := g.State()
	return c.save(ctx, c.name(s), s.ID.UUID, saveGroup, c.args(s)...)
}

// Remove forgets the group id and the list of its courses.
func (c groupRepo) Remove(ctx context.Context, id group.ID) error {
	return c.remove(ctx, removeGroup, id.UUID)
}

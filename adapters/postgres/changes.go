package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/listsql"
	"lyceum/domain/change"
	"lyceum/domain/query"
	"lyceum/ports"
)

var _ ports.ChangeReader = changeReader{}

type changeRow struct {
	Position int64     `db:"position"`
	Kind     string    `db:"kind"`
	Record   string    `db:"record_id"`
	Action   string    `db:"action"`
	At       time.Time `db:"changed_at"`
}

func (r changeRow) change() (change.Change, error) {
	return change.Change{
		Position: r.Position, Action: change.Action(r.Action), Record: change.Record{Type: r.Kind, ID: r.Record}, At: r.At.UTC(),
	}, nil
}

var changeList = listsql.New(listsql.Definition{
	Table:   "changes",
	Columns: rowColumns[changeRow](),
	Key:     []string{"r.position"},
	Attrs: map[string]listsql.Column{
		"uuid":        {Expr: "r.position"},
		"action":      {Expr: "r.action", Fold: "r.action"},
		"changed_at":  {Expr: "r.changed_at"},
		"record.type": {Expr: "r.kind", Fold: "r.kind"},
		"record.id":   {Expr: "r.record_id"},
	},
	Sort: change.Schema.Default(),
}, changeRow.change)

const (
	readableChanges = `SELECT readable_changes($1)`
	// readFeed selects the ID of the storage as store. The ID depends on the row of change_epoch,
	// the database and the cluster, so that a restored copy has a different ID.
	readFeed = `
		SELECT md5(e.id::text || d.oid || 'changes'::regclass::oid || s.system_identifier)::uuid AS store,
			coalesce((SELECT start FROM change_feeds WHERE school_id = $1), 0) AS start,
			readable_changes($1) AS "end"
		FROM change_epoch e, pg_database d, pg_control_system() s WHERE d.datname = current_database()`

	deleteExpiredChanges = `
		WITH old AS (
			SELECT c.school_id, c.position FROM schools s CROSS JOIN LATERAL (
				SELECT c.school_id, c.position FROM changes c
				WHERE c.school_id = s.id AND c.changed_at < $1 ORDER BY c.changed_at, c.position LIMIT $2
			) c LIMIT $2
		),
		gone AS (
			DELETE FROM changes c USING old o WHERE c.school_id = o.school_id AND c.position = o.position
			RETURNING c.school_id, c.position
		),
		moved AS (
			INSERT INTO change_feeds AS f (school_id, start)
			SELECT school_id, max(position) FROM gone GROUP BY school_id ORDER BY school_id
			ON CONFLICT (school_id) DO UPDATE SET start = greatest(f.start, excluded.start)
		)
		SELECT count(*) FROM gone`
)

type changeReader struct{ *session }

// Page implements ports.ChangeReader. Changes that are not readable yet have positions above the
// result of readable_changes. All other changes are visible to a statement that begins after
// readable_changes has returned.
func (c changeReader) Page(ctx context.Context, q query.Query) (query.Result[change.Change], error) {
	var last int64
	if err := c.GetRow(ctx, &last, readableChanges, c.SchoolID); err != nil {
		return query.Result[change.Change]{}, err
	}
	return changeList.Page(ctx, c.session, q.And(query.Cond{
		Attr: change.Schema.Attr("uuid"), Op: query.Lteq, Values: []query.Value{{Int: last}},
	}))
}

// Feed implements ports.ChangeReader.
func (c changeReader) Feed(ctx context.Context) (change.Feed, error) {
	var row feedRow
	err := c.GetRow(ctx, &row, readFeed, c.SchoolID)
	return change.Feed(row), err
}

type feedRow struct {
	Store uuid.UUID `db:"store"`
	Start int64     `db:"start"`
	End   int64     `db:"end"`
}

// DeleteExpiredChanges implements ports.Schools.
func (c schools) DeleteExpiredChanges(ctx context.Context, before time.Time, limit int) (int, error) {
	var n int
	err := c.GetRow(ctx, &n, deleteExpiredChanges, before, limit)
	return n, err
}

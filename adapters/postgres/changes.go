package postgres

import (
	"context"
	"slices"
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
	Only:    "r.in_feed",
	Columns: listsql.RowColumns[changeRow](),
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
	// The start is read before the page, so that Feed reports it if the page lacks changes.
	readableFeed = `
		SELECT readable_changes($1) AS "end", coalesce((SELECT start FROM change_feeds WHERE school_id = $1), 0) AS start`
	// readFeed selects the ID of the storage as store. The ID depends on the row of change_epoch,
	// the database and the cluster, so that a restored copy has a different ID.
	readFeed = `
		SELECT md5(e.id::text || d.oid || 'changes'::regclass::oid || s.system_identifier)::uuid AS store,
			coalesce((SELECT start FROM change_feeds WHERE school_id = $1), 0) AS start,
			readable_changes($1) AS "end"
		FROM change_epoch e, pg_database d, pg_control_system() s WHERE d.datname = current_database()`

	// The changes of a school are roughly in the order of their times. A later run expires changes
	// that are after the found one.
	expireChanges = `
		INSERT INTO change_feeds AS f (school_id, start)
		SELECT s.id, c.position FROM schools s CROSS JOIN LATERAL (
			SELECT c.position FROM changes c WHERE c.school_id = s.id AND c.changed_at < $1
			ORDER BY c.changed_at DESC, c.position DESC LIMIT 1
		) c ORDER BY s.id
		ON CONFLICT (school_id) DO UPDATE SET start = excluded.start WHERE f.start < excluded.start`
)

type changeReader struct{ *session }

// Page implements ports.ChangeReader. Changes that are not readable yet have positions above the
// result of readable_changes. All other changes are visible to a statement that begins after
// readable_changes has returned.
func (r changeReader) Page(ctx context.Context, q query.Query) (query.Result[change.Change], error) {
	var feed feedRow
	if err := r.GetRow(ctx, &feed, readableFeed, r.SchoolID); err != nil {
		return query.Result[change.Change]{}, err
	}
	q, ok := feed.within(q)
	if !ok {
		return query.Result[change.Change]{}, nil
	}
	return changeList.Page(ctx, r.session, q)
}

// within returns q without changes that have expired or are not readable yet. It returns false if
// no change is left.
func (f feedRow) within(q query.Query) (query.Query, bool) {
	position := change.Schema.Attr("uuid")
	if named, ok := q.Where.(query.Cond); ok && named.Attr.Name == position.Name && named.Op == query.Eq {
		// Without statistics, PostgreSQL would read all changes between two bounds to find these.
		named.Values = slices.DeleteFunc(slices.Clone(named.Values), func(v query.Value) bool { return v.Int <= f.Start || v.Int > f.End })
		q.Where = named
		return q, len(named.Values) > 0
	}
	return q.And(query.Cond{Attr: position, Op: query.Gt, Values: []query.Value{{Int: f.Start}}}).
		And(query.Cond{Attr: position, Op: query.Lteq, Values: []query.Value{{Int: f.End}}}), true
}

// Feed implements ports.ChangeReader.
func (r changeReader) Feed(ctx context.Context) (change.Feed, error) {
	var row feedRow
	err := r.GetRow(ctx, &row, readFeed, r.SchoolID)
	return change.Feed(row), err
}

type feedRow struct {
	Store uuid.UUID `db:"store"`
	Start int64     `db:"start"`
	End   int64     `db:"end"`
}

// ExpireChanges implements ports.Schools.
func (r schools) ExpireChanges(ctx context.Context, before time.Time) error {
	_, err := r.Exec(ctx, expireChanges, before)
	return err
}

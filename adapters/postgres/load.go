package postgres

import (
	"context"

	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
)

// identifier is an id of the domain.
type identifier interface {
	comparable
	String() string
}

// load returns what restore makes of those of the rows ids that there are, by
// id. The statement takes the school and the ids, and looks them up by byKey.
func load[K identifier, R, V any](
	ctx context.Context, c *session, statement string, ids []K, restore func(R) (K, V),
) (map[K]V, error) {
	var rows []R
	if err := c.AllKeyed(ctx, len(ids), &rows, statement, c.SchoolID, pq.Array(pgdb.IDStrings(ids))); err != nil {
		return nil, err
	}
	found := make(map[K]V, len(rows))
	for _, row := range rows {
		id, v := restore(row)
		found[id] = v
	}
	return found, nil
}

package postgres

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"
	"lyceum/adapters/postgres/pgdb"
)

// Every change of enrollments and memberships first locks their people, in the order of their IDs.
// The counter triggers would lock them anyway, but later, when other transactions may already wait
// for the changed rows.
var lockPeople = `
	WITH locked AS MATERIALIZED (
		SELECT r.id FROM ` + pgdb.ByKey("people", "r.id", "id", "$2::uuid[]", "LIMIT 1 FOR NO KEY UPDATE") + `
	) `

const withPersonLocked = `
	WITH locked AS MATERIALIZED (
		SELECT p.id FROM people p WHERE p.school_id = $1 AND p.id = $2 FOR NO KEY UPDATE
	)`

// roleRowBatch is the number of rows that one statement inserts. It limits the size of the
// statement when a large group gets many courses.
const roleRowBatch = 5000

// A roleKey identifies an enrollment or a membership.
type roleKey struct {
	person uuid.UUID
	role   string
	in     uuid.UUID // the course or the group
}

func (k roleKey) compare(l roleKey) int {
	return cmp.Or(bytes.Compare(k.person[:], l.person[:]), cmp.Compare(k.role, l.role), bytes.Compare(k.in[:], l.in[:]))
}

// addRoleRows inserts rows with a statement that takes them as arrays, and returns how many it
// inserted. It inserts them in the order of their keys, because two transactions that insert the
// same rows in different orders would deadlock. Of several rows with the same key, it inserts the
// first.
func addRoleRows[T any](
	ctx context.Context, c *session, insert string, t *table[T], rows []T, key func(*T) roleKey,
) (int, error) {
	if len(rows) == 0 {
		return 0, pgdb.Translate(ctx, ctx.Err())
	}
	added := 0
	batch := make([]T, 0, min(len(rows), roleRowBatch))
	for positions := range slices.Chunk(orderByKey(rows, key), roleRowBatch) {
		batch = batch[:0]
		for _, at := range positions {
			batch = append(batch, rows[at])
		}
		n, err := c.ExecKeyed(ctx, len(batch), insert, t.arrays(c.SchoolID, batch)...)
		if err != nil {
			return 0, err
		}
		added += n
	}
	return added, nil
}

// orderByKey returns the positions of rows in the order of their keys, and of equal keys in their
// own order. There may be 100,000 rows of a hundred bytes, so it neither sorts nor copies them.
func orderByKey[T any](rows []T, key func(*T) roleKey) []int32 {
	order := make([]int32, len(rows))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(key(&rows[a]).compare(key(&rows[b])), cmp.Compare(a, b))
	})
	return order
}

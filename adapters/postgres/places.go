package postgres

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
)

// place ties a person to something as a role: an enrollment or a membership.
type place struct {
	id, person, in       uuid.UUID
	role                 string
	createdAt, updatedAt time.Time
}

// Every change of places locks their people before it touches a place, in the
// order of their ids: the counters would lock them anyway, but afterwards, when
// others may be waiting for the places.
var lockPeople = `
		WITH locked AS MATERIALIZED (
			SELECT r.id FROM ` + pgdb.ByKey("people", "r.id", "id", "$2::uuid[]", "LIMIT 1 FOR NO KEY UPDATE") + `
		)`

const (
	lockOne = `
		WITH locked AS MATERIALIZED (
			SELECT p.id FROM people p WHERE p.school_id = $1 AND p.id = $2 FOR NO KEY UPDATE
		)`
	// afterLock is a condition that always holds, once the people are locked.
	afterLock = ` (SELECT count(*) FROM locked) >= 0 `
)

// placesBatch is how many places one statement brings: a large group gets many
// courses, and neither side needs to hold all of that as one message.
const placesBatch = 5000

// addPlaces runs insert, whose arguments are the school and the columns of
// places as arrays: person, id, what the person is in, role, times. The places go
// in batches, all of them in one order.
func (c *session) addPlaces(ctx context.Context, insert string, places []place) (int, error) {
	if len(places) == 0 {
		return 0, pgdb.Translate(ctx, ctx.Err())
	}
	sortByKey(places)
	added := 0
	for batch := range slices.Chunk(places, placesBatch) {
		n, err := c.addBatch(ctx, insert, batch)
		if err != nil {
			return 0, err
		}
		added += n
	}
	return added, nil
}

func (c *session) addBatch(ctx context.Context, insert string, places []place) (int, error) {
	n := len(places)
	people, ids, ins := make([]string, n), make([]string, n), make([]string, n)
	roles, created, updated := make([]string, n), make([]string, n), make([]string, n)
	for i, p := range places {
		people[i], ids[i], ins[i], roles[i] = p.person.String(), p.id.String(), p.in.String(), p.role
		created[i], updated[i] = pgdb.Instant(p.createdAt), pgdb.Instant(p.updatedAt)
	}
	return c.ExecKeyed(ctx, n, insert, c.SchoolID, pq.Array(people), pq.Array(ids), pq.Array(ins),
		pq.Array(roles), pq.Array(created), pq.Array(updated))
}

// sortByKey sorts by person, role and what the person is in: two transactions
// that insert some of the same would wait for each other if each began with what
// the other ends with. Of several alike the first stays first.
func sortByKey(places []place) {
	slices.SortStableFunc(places, func(a, b place) int {
		return cmp.Or(
			bytes.Compare(a.person[:], b.person[:]), cmp.Compare(a.role, b.role), bytes.Compare(a.in[:], b.in[:]))
	})
}

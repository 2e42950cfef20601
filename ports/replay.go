package ports

import (
	"context"
	"time"

	"lyceum/domain/person"
	"lyceum/domain/replay"
)

// ReplayRepo remembers how requests were answered, in the transaction that
// carries them out: either both are kept or neither.
type ReplayRepo interface {
	// Claim takes the id of c for the transaction, and finds nothing; or it
	// returns what is kept under the id, and takes nothing. Another transaction
	// that has taken it is waited for. What was kept at c.Expired or before counts
	// as absent, as does an id that was taken and under which nothing was kept.
	Claim(ctx context.Context, c replay.Claim) (r replay.Record, found bool, err error)

	// Keep keeps an answer under an id that the transaction has taken; it refuses
	// any other.
	Keep(ctx context.Context, id replay.ID, a replay.Answer) error

	// EraseOfPerson erases every kept answer that names the person's id
	// (replay.Answer's Mentions): its status is replay.Erased, and all but its id and
	// time is blank.
	EraseOfPerson(ctx context.Context, id person.ID) error

	// Forget removes what was taken at that time or before, at most so many, and
	// returns how many it has removed. It waits for nobody.
	Forget(ctx context.Context, until time.Time, most int) (int, error)
}

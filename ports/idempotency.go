package ports

import (
	"context"
	"time"

	"lyceum/domain/idempotency"
	"lyceum/domain/person"
)

// IdempotencyRepo stores the responses to requests in the transactions that execute the requests: a
// response is saved together with the effects of its request, or neither is.
type IdempotencyRepo interface {
	// Claim reserves the id of c for the transaction, or returns the record saved under the id and
	// reserves nothing. It waits for a concurrent transaction that has claimed the id. A record
	// saved at c.ExpiryCutoff or before counts as absent, and so does an id that was claimed
	// without a saved response.
	Claim(ctx context.Context, c idempotency.Claim) (r idempotency.Record, found bool, err error)

	// SaveResponse saves a response under an id that the transaction has claimed; any other id is
	// an error. A response that mentions a person whom a concurrent transaction has deleted is saved
	// as EraseByPerson leaves it, so that no response outlives the people in it.
	SaveResponse(ctx context.Context, id idempotency.ID, a idempotency.Response) error

	// EraseByPerson erases every saved response that contains the person's id
	// (idempotency.Response.Mentions): its status becomes idempotency.Erased, and all other attributes but
	// its id and time become blank.
	EraseByPerson(ctx context.Context, id person.ID) error

	// DeleteExpired deletes at most limit records that were claimed at before or earlier, and
	// returns how many it deleted. It does not wait for locks.
	DeleteExpired(ctx context.Context, before time.Time, limit int) (int, error)
}

package ports

import (
	"context"
	"time"

	"lyceum/domain/idempotency"
	"lyceum/domain/person"
)

// IdempotencyRepo stores the responses to requests in the transactions that execute the requests: a
// response and the effects of its request are saved together or not at all.
type IdempotencyRepo interface {
	// Claim reserves the id of c for the transaction. If a record is already saved under the id,
	// Claim returns it and reserves nothing. It waits for a concurrent transaction that has claimed
	// the id. A record saved at or before the time expired counts as absent, and so does an id that
	// was claimed without saving a response.
	Claim(ctx context.Context, c idempotency.Claim, expired time.Time) (r idempotency.Record, found bool, err error)

	// SaveResponse saves a response under an id that the transaction has claimed. Any other id is
	// an error. The response mentions the people whose ids, or whose partnerships' ids, it contains or
	// is about (idempotency.Response.Mentions). If a concurrent transaction has deleted one of these people,
	// the response is saved in the form that EraseByPerson leaves, so that no response outlives the
	// people that it mentions.
	SaveResponse(ctx context.Context, id idempotency.ID, a idempotency.Response) error

	// EraseByPerson erases at most limit of the saved responses that mention the person, and
	// returns how many it erased: their status becomes idempotency.Erased, and all attributes
	// except the id and the time become blank.
	EraseByPerson(ctx context.Context, id person.ID, limit int) (int, error)

	// DeleteExpired deletes at most limit records that were claimed at or before the given time,
	// and returns how many it deleted. It does not wait for locks: it skips records that another
	// transaction has locked.
	DeleteExpired(ctx context.Context, before time.Time, limit int) (int, error)
}

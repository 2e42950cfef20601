package app

import (
	"context"
	"errors"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/idempotency"
	"lyceum/ports"
)

// purgeBatch is the maximum number of expired responses that Run deletes whenever it saves a new
// response. It is greater than 1, so that the number of expired responses decreases, but too small
// to delay the request noticeably.
const purgeBatch = 20

// errNoResponse means that do returned a response although a use case was a dry run.
var errNoResponse = errors.New("app: a dry run has no response to record")

// Idempotency runs requests that clients may retry.
type Idempotency struct {
	deps      usecase.Deps
	retention time.Duration
}

// KeepFor sets how long recorded responses are kept. It must be called before the first request.
func (u *Idempotency) KeepFor(d time.Duration) { u.retention = d }

// IdempotentRequest identifies a request and its content.
type IdempotentRequest struct {
	ID          idempotency.ID
	Fingerprint idempotency.Fingerprint
}

// Run calls do and returns its response, which is saved in the same transaction. If a response to
// the request was saved within the configured time, Run returns it and true instead of calling
// do. It returns idempotency.ErrKeyReused if the saved request differs, and idempotency.ErrErased
// if the response was erased with a person. A concurrent request with the same ID blocks until this
// one finishes.
//
// Run is open to learners: the use cases of do check what a learner may do, and a learner gets only
// responses to their own requests.
//
// do must use the given context and actor, so that all its use cases share one transaction. It may
// be called more than once and must have no other effects.
func (u *Idempotency) Run(
	ctx context.Context, a Actor, r IdempotentRequest, do func(ctx context.Context, a Actor) (idempotency.Response, error),
) (answer idempotency.Response, again bool, err error) {
	if a.IsLearner() {
		r.ID = r.ID.By(a.Learner().UUID)
	}
	claim := idempotency.Claim{ID: r.ID, Fingerprint: r.Fingerprint, At: u.deps.Clock.Now()}
	expired := claim.At.Add(-u.retention)
	err = u.deps.InTx(ctx, a.Permit(), func(ctx context.Context, tx ports.Tx) error {
		kept, found, err := tx.Idempotency.Claim(ctx, claim, expired)
		if err != nil {
			return err
		}
		if again = found; found {
			answer = kept.Response
			return kept.Check(r.Fingerprint)
		}
		if _, err := tx.Idempotency.DeleteExpired(ctx, expired, purgeBatch); err != nil {
			return err
		}
		a, shared := a.Sharing(tx)
		if answer, err = do(ctx, a); err != nil {
			return err
		}
		if shared.HasDryRun() {
			return errNoResponse
		}
		return tx.Idempotency.SaveResponse(ctx, r.ID, answer)
	})
	return answer, again, err
}

// responseSweepBatch is the maximum number of expired responses that one call of Sweep deletes.
const responseSweepBatch = 1000

// Sweep deletes the oldest expired responses of all schools and reports whether there may be more.
func (u *Idempotency) Sweep(ctx context.Context) (bool, error) {
	n, err := u.deps.Schools.DeleteExpiredResponses(ctx, u.deps.Clock.Now().Add(-u.retention), responseSweepBatch)
	return n == responseSweepBatch, err
}

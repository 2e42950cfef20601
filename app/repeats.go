package app

import (
	"context"
	"errors"

	"lyceum/app/usecase"
	"lyceum/domain/replay"
	"lyceum/ports"
)

// forgotten is how many old answers each new one takes away: more than one, so
// that they become fewer, and not so many that anybody waits.
const forgotten = 20

// errUnkept says that a request which ran dry claims to have succeeded.
var errUnkept = errors.New("app: a dry run has no answer to keep")

// Repeats carries out requests that their senders may repeat.
type Repeats struct{ deps usecase.Deps }

// Request is a request that may come again.
type Request struct {
	ID          replay.ID
	Fingerprint replay.Fingerprint
}

// Once lets do carry out the request and returns its answer, which is remembered
// together with all that do has written, or nothing is. When the request was
// carried out within replay.Lifetime, do is not called and the first answer is
// returned, with again true; replay.ErrOther when it was a request that differs,
// replay.ErrErased when the answer was erased with a person.
// Who sends the same request meanwhile waits.
//
// do acts on behalf of the actor that it gets, whose transactions are all one,
// and with the context that it gets. It may be called more than once, and must
// write nothing elsewhere.
func (u *Repeats) Once(
	ctx context.Context, a Actor, r Request, do func(ctx context.Context, a Actor) (replay.Answer, error),
) (answer replay.Answer, again bool, err error) {
	claim := replay.Claim{ID: r.ID, Fingerprint: r.Fingerprint, At: u.deps.Clock.Now()}
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		kept, found, err := tx.Replays.Claim(ctx, claim)
		if err != nil {
			return err
		}
		if again = found; found {
			answer = kept.Answer
			return kept.Check(r.Fingerprint)
		}
		if _, err := tx.Replays.Forget(ctx, claim.Expired(), forgotten); err != nil {
			return err
		}
		a, shared := a.Sharing(tx)
		if answer, err = do(ctx, a); err != nil {
			return err
		}
		if shared.HasDryRun() {
			return errUnkept
		}
		return tx.Replays.Keep(ctx, r.ID, answer)
	})
	return answer, again, err
}

// sweepSize is how many old answers one transaction removes.
const sweepSize = 1000

// Sweep removes the oldest answers of all schools that are past their time and
// reports whether there may be more.
func (u *Repeats) Sweep(ctx context.Context) (bool, error) {
	n, err := u.deps.Schools.SweepReplays(ctx, u.deps.Clock.Now().Add(-replay.Lifetime), sweepSize)
	return n == sweepSize, err
}

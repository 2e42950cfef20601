package memory

import (
	"context"
	"errors"
	"sync/atomic"

	"lyceum/domain/job"
	"lyceum/domain/replay"
	"lyceum/domain/school"
	"lyceum/ports"
)

var (
	errNested = errors.New("memory: a transaction inside a transaction")
	errEnded  = errors.New("memory: the transaction has ended")
)

// inTx marks the context of a transaction.
type inTx struct{}

// tenant is a school with its state and the right to change it.
type tenant struct {
	state   atomic.Pointer[state]
	writing chan struct{} // full while a transaction runs
}

func newTenant(s school.School) *tenant {
	t := &tenant{writing: make(chan struct{}, 1)}
	t.state.Store(newState(s))
	return t
}

// acquire waits until no other transaction runs, or until ctx ends.
func (t *tenant) acquire(ctx context.Context) error {
	select {
	case t.writing <- struct{}{}:
		return nil
	case <-ctx.Done():
		return alive(ctx)
	}
}

// tryAcquire acquires unless another transaction runs, and reports whether it has.
func (t *tenant) tryAcquire() bool {
	select {
	case t.writing <- struct{}{}:
		return true
	default:
		return false
	}
}

func (t *tenant) release() { <-t.writing }

// InTx runs fn on a copy of the school's state that it publishes when fn returns
// nil and ctx has not ended. Transactions of one school run one after the other.
func (s *Store) InTx(
	ctx context.Context, id school.ID, fn func(ctx context.Context, tx ports.Tx) error,
) error {
	for try := 1; ; try++ {
		err := s.write(ctx, id, func(ctx context.Context, w *tx) error { return fn(ctx, w.repos()) })
		if try == ports.MaxTries || !errors.Is(err, ports.ErrChanged) {
			return err
		}
	}
}

// InLongTx is InTx, which has no limits in time.
func (s *Store) InLongTx(
	ctx context.Context, id school.ID, fn func(ctx context.Context, tx ports.Tx) error,
) error {
	return s.InTx(ctx, id, fn)
}

// write is InTx for the store's own work.
func (s *Store) write(ctx context.Context, id school.ID, fn func(ctx context.Context, w *tx) error) error {
	if ctx.Value(inTx{}) != nil {
		return errNested
	}
	if err := alive(ctx); err != nil {
		return err
	}
	t, err := s.tenant(id)
	if err != nil {
		return err
	}
	return s.inTenant(ctx, t, fn)
}

// inTenant is write in a school that need not be known yet.
func (s *Store) inTenant(ctx context.Context, t *tenant, fn func(ctx context.Context, w *tx) error) error {
	if err := t.acquire(ctx); err != nil {
		return err
	}
	defer t.release()
	w := &tx{
		store: s, state: t.state.Load().next(), jobs: map[job.ID]job.Job{}, claimed: map[replay.ID]bool{},
		registry: s.registry.Load(), scoreIDs: &s.scoreIDs,
	}
	defer w.end() // a Tx that fn let escape must not reach what readers see
	if err := fn(context.WithValue(ctx, inTx{}, true), w); err != nil {
		return err
	}
	if err := alive(ctx); err != nil {
		return err
	}
	publish := func() error { return s.queue.add(w.jobs, w.settled, func() { t.state.Store(w.state) }) }
	if len(w.added) == 0 && w.made == nil {
		return publish()
	}
	return s.change(ctx, func(r *registry) error {
		if w.made != nil {
			if err := r.addTenant(w.state.school.State().ID, w.made); err != nil {
				return err
			}
		}
		if err := r.addKeys(w.added); err != nil {
			return err
		}
		return publish()
	})
}

// tx is a transaction at work. It is the view of its repositories, so that they
// read what they wrote.
type tx struct {
	store   *Store
	state   *state // nobody else's until it is published
	jobs    map[job.ID]job.Job
	settled map[matter]bool // whose jobs go
	added   []school.Key    // of the school, new
	made    *tenant         // the school, if it is new

	claimed map[replay.ID]bool // the requests that the transaction has taken

	registry *registry // as it was when the transaction began
	ended    bool

	scoreIDs *atomic.Int64 // of the store; ids that a dropped transaction took are lost
}

func (w *tx) repos() ports.Tx {
	return ports.Tx{
		School:       schoolRepo{schoolReader{w}, w},
		Keys:         keys{keyReader{w}, w},
		Categories:   categories{categoryReader{w}, w},
		Coupons:      coupons{couponReader{w}, w},
		Redemptions:  redemptions{redemptionReader{w}, w},
		Courses:      courses{courseReader{w}, w},
		People:       people{personReader{w}, w},
		Partnerships: partnerships{partnershipReader{w}, w},
		Enrollments:  enrollments{enrollmentReader{w}, w},
		Groups:       groups{groupReader{w}, w},
		Memberships:  memberships{membershipReader{w}, w},
		Bulk:         bulkRepo{bulkReader{w}, w},
		Invitations:  invitations{invitationReader{w}, w},
		Deliveries:   deliveries{w},
		Activities:   activities{activityReader{w}, w},
		Structures:   structures{structureReader{w}, w},
		Quizzes:      quizzes{quizReader{w}, w},
		Assignments:  assignments{assignmentReader{w}, w},
		Submissions:  submissions{submissionReader{w}, w},
		Attempts:     attempts{w},
		QuizAttempts: quizAttempts{w},
		Events:       events{eventReader{w}, w},
		Ledger:       accounts{w},
		Jobs:         jobs{w},
		Replays:      replays{w},
	}
}

func (w *tx) current(ctx context.Context) (*state, error) {
	if err := alive(ctx); err != nil {
		return nil, err
	}
	if w.ended {
		return nil, errEnded
	}
	return w.state, nil
}

func (w *tx) end() { w.ended = true }

package memory

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"lyceum/adapters/memory/jobqueue"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/audit"
	"lyceum/domain/fault"
	"lyceum/domain/idempotency"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/ports"
)

var (
	errNested = errors.New("memory: transactions cannot be nested")
	errEnded  = errors.New("memory: the transaction has ended")
)

// inTx is the context key of a running transaction.
type inTx struct{}

// tenant contains the current state of a school and its write lock.
type tenant struct {
	state     atomic.Pointer[state]
	writeLock chan struct{} // semaphore; holds one value while a transaction runs
	deleted   bool          // guarded by writeLock
}

func newTenant(s school.School) *tenant {
	t := &tenant{writeLock: make(chan struct{}, 1)}
	t.state.Store(newState(s))
	return t
}

// acquire takes the write lock. It fails if ctx or its lock timeout ends first.
func (t *tenant) acquire(ctx context.Context) error {
	var timeout <-chan time.Time // nil: no timeout
	if d, ok := ports.LockTimeout(ctx); ok {
		timer := time.NewTimer(d)
		defer timer.Stop()
		timeout = timer.C
	}
	select {
	case t.writeLock <- struct{}{}:
		return nil
	case <-timeout:
		return ports.ErrLockTimeout
	case <-ctx.Done():
		return ordered.CheckContext(ctx)
	}
}

// tryAcquire takes the write lock if it is free, and reports whether it was.
func (t *tenant) tryAcquire() bool {
	select {
	case t.writeLock <- struct{}{}:
		return true
	default:
		return false
	}
}

func (t *tenant) release() { <-t.writeLock }

// InTx implements ports.Store. fn works on a copy of the state, which is published if fn
// returns nil and ctx has not ended. If fn returns ports.ErrChanged, InTx calls it again, at most
// ports.MaxTries times in all.
func (s *store) InTx(
	ctx context.Context, id school.ID, fn func(ctx context.Context, tx ports.Tx) error,
) error {
	for try := 1; ; try++ {
		err := s.write(ctx, id, func(ctx context.Context, w *tx) error { return fn(ctx, w.repos()) })
		if try == ports.MaxTries || !errors.Is(err, ports.ErrChanged) {
			return err
		}
	}
}

// InLongTx implements ports.Store. It is the same as InTx, because InTx has no time limit either.
func (s *store) InLongTx(
	ctx context.Context, id school.ID, fn func(ctx context.Context, tx ports.Tx) error,
) error {
	return s.InTx(ctx, id, fn)
}

// write runs fn once in a transaction of the school with the given id.
func (s *store) write(ctx context.Context, id school.ID, fn func(ctx context.Context, w *tx) error) error {
	if ctx.Value(inTx{}) != nil {
		return errNested
	}
	if err := ordered.CheckContext(ctx); err != nil {
		return err
	}
	t, err := s.tenant(id)
	if err != nil {
		return err
	}
	return s.inTenant(ctx, t, fn)
}

// inTenant runs fn in a transaction of t, which need not be in the registry.
func (s *store) inTenant(ctx context.Context, t *tenant, fn func(ctx context.Context, w *tx) error) error {
	if err := t.acquire(ctx); err != nil {
		return err
	}
	defer t.release()
	if t.deleted {
		return fault.RecordNotFound()
	}
	w := &tx{
		store: s, logged: t.state.Load(), state: t.state.Load().next(), jobs: jobqueue.Changes{Added: map[job.ID]job.Job{}}, claimed: map[idempotency.ID]bool{},
		registry: s.registry.Load(), scoreIDs: &s.scoreIDs, origin: ports.OriginOf(ctx),
	}
	defer w.end() // a Tx that is used after fn returns must not change the published state
	if err := fn(context.WithValue(ctx, inTx{}, true), w); err != nil {
		return err
	}
	if err := ordered.CheckContext(ctx); err != nil {
		return err
	}
	w.appendChanges()
	publish := func() error { return s.queue.Apply(w.jobs, func() { t.state.Store(w.state) }) }
	before, after := t.state.Load().school.State(), w.state.school.State()
	if len(w.newKeys) == 0 && w.newSchool == nil && before.Slug == after.Slug {
		return publish()
	}
	return s.changeRegistry(ctx, func(r *registry) error {
		if w.newSchool != nil {
			if err := r.addTenant(w.state.school.State().ID, w.newSchool); err != nil {
				return err
			}
		}
		if before.Slug != after.Slug {
			if err := r.setSlug(before, after); err != nil {
				return err
			}
		}
		if err := r.addKeys(w.newKeys); err != nil {
			return err
		}
		return publish()
	})
}

// tx is a running transaction. It is also the view of its repositories, so that they read the
// writes of the transaction.
type tx struct {
	store     *store
	state     *state // private until it is published
	jobs      jobqueue.Changes
	newKeys   []school.Key // added keys of the school
	newSchool *tenant      // the school, if the transaction creates it

	claimed map[idempotency.ID]bool // requests claimed by the transaction

	logged  *state        // state up to which changes are in the feed and the audit trail
	origin  audit.Origin  // of the changes since logged
	audited []audit.Event // events since logged that are not changes; without position, time and origin

	registry    *registry // registry at the start of the transaction
	namesLocked bool      // whether the transaction has locked the names of schools
	ended       bool

	scoreIDs *atomic.Int64 // sequence of the store; a failed transaction leaves a gap
}

func (w *tx) repos() ports.Tx {
	return ports.Tx{
		School:       schoolRepo{schoolReader{w}, w},
		Keys:         keys{keyReader{w}, w},
		Properties:   properties{propertyEntity.repo(w)},
		Categories:   categories{categoryEntity.repo(w)},
		Coupons:      coupons{couponEntity.repo(w)},
		Redemptions:  redemptions{redemptionsIn(w), w},
		Courses:      courses{courseEntity.repo(w)},
		People:       people{personEntity.repo(w)},
		Partnerships: partnerships{partnershipsIn(w), w},
		Enrollments:  enrollments{enrollmentsIn(w), w},
		Groups:       groups{groupEntity.repo(w)},
		Memberships:  memberships{membershipsIn(w), w},
		Bulk:         bulkRepo{bulkReader{w}, w},
		Invitations:  invitations{invitationReader{w}, w},
		SignIns:      signIns{signInReader{w}, w},
		Tokens:       tokens{tokenReader{w}, w},
		Deliveries:   deliveries{w},
		Activities:   activities{activityEntity.repo(w)},
		Structures:   structures{structureReader{w}, w},
		Quizzes:      quizzes{quizzesIn(w), w},
		Assignments:  assignmentEntity.repo(w),
		Submissions:  submissions{submissionsIn(w), w},
		Attempts:     attempts{w},
		QuizAttempts: quizAttempts{w},
		Events:       events{eventReader{w, listEvents}, w},
		Audit:        auditLog{w},
		Followers:    followers{w},
		Webhooks:     webhooks{webhookReader{w}, w},
		Reconciler:   reconciler{w},
		Jobs:         jobs{w},
		Idempotency:  responses{w},
	}
}

func (w *tx) current(ctx context.Context) (*state, error) {
	if err := ordered.CheckContext(ctx); err != nil {
		return nil, err
	}
	if w.ended {
		return nil, errEnded
	}
	return w.state, nil
}

// appendChanges adds the changes since w.logged to the feed and the audit trail.
func (w *tx) appendChanges() {
	w.state.appendChanges(w.logged, w.origin, w.audited)
	w.audited = nil
}

// setOrigin makes o the origin of later changes. The transaction continues with the next version of
// its state, so that later writes copy the tables and w.logged remains as it is.
func (w *tx) setOrigin(o audit.Origin) {
	if o == w.origin {
		return
	}
	w.appendChanges()
	logged := *w.state
	w.state.version++
	w.logged, w.origin = &logged, o
}

func (w *tx) end() {
	w.ended = true
	if w.namesLocked {
		w.store.unlockNames()
	}
}

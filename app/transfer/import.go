package transfer

import (
	"context"
	"errors"
	"io"
	"time"

	"lyceum/app/admission"
	"lyceum/app/transfer/format"
	"lyceum/app/usecase"
	"lyceum/domain/activity"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/invitation"
	"lyceum/domain/policy"
	"lyceum/domain/quiz"
	"lyceum/domain/school"
	"lyceum/ports"
)

// importTries bounds how often an import begins anew because others have changed
// the school meanwhile.
const importTries = 3

// Import is what an import is to do.
type Import struct {
	// Open opens the file at its beginning. The file is read at least twice.
	Open func() (io.ReadCloser, error)
	// DryRun only tells what would be done.
	DryRun bool
	// Restore brings back what a school had: no rule of package policy is asked but the
	// quotas.
	Restore bool
	// Once reads the file once, and so writes while it checks: for a file that is
	// known to be good.
	Once bool
	// Told, which may be nil, learns how many lines of this reading are dealt with,
	// and whether the records are written by it.
	Told func(lines int, writing bool)
}

// Imported is what an import has done, or would do.
type Imported struct {
	School school.State
	Kinds  []ImportedKind // those of which there was a line, in the order of the format
}

// ImportedKind is what has become of the lines of one kind.
type ImportedKind struct {
	Kind      string
	Created   int
	Changed   int
	Unchanged int
}

// Import brings the lines of a file into the actor's school: what it has not is
// made, what it has and may be changed is made as the file says, all or nothing.
// Nothing is removed. A file with faults is refused with ImportErrors. To import
// the same file again changes nothing.
func (u *Transfers) Import(ctx context.Context, a usecase.Actor, im Import) (Imported, error) {
	s, err := u.deps.Store.Read(a.School()).School.Get(ctx)
	if err != nil {
		return Imported{}, err
	}
	if im.DryRun || a.IsDryRun() || !im.Once {
		rehearsal, err := u.rehearse(ctx, a.School(), im)
		if err != nil || im.DryRun || a.IsDryRun() {
			return Imported{s.State(), rehearsal}, err
		}
	}
	for try := 1; ; try++ {
		kinds, err := u.importOnce(ctx, a.School(), im)
		var faulty ImportErrors
		outage := fault.Is(err, fault.Unavailable) && !errors.Is(err, ports.ErrChanged)
		if err == nil || try == importTries || ctx.Err() != nil || errors.As(err, &faulty) || outage {
			return Imported{s.State(), kinds}, err
		}
	}
}

func (u *Transfers) rehearse(ctx context.Context, id school.ID, im Import) ([]ImportedKind, error) {
	x, err := u.index(ctx, id)
	if err != nil {
		return nil, err
	}
	m := u.importing(im, x, nil, nil)
	err = m.file(ctx)
	return m.counted(), err
}

// importOnce imports into a school as it is now. What others do until the end is
// refused by the store and leads to another try.
func (u *Transfers) importOnce(ctx context.Context, id school.ID, im Import) ([]ImportedKind, error) {
	x, err := u.index(ctx, id)
	if err != nil {
		return nil, err
	}
	return u.write(ctx, im, x, nil, func(ctx context.Context, fn func(context.Context, ports.Load) error) error {
		return u.deps.Store.Load(ctx, id, fn)
	})
}

// ImportNew makes the school of which a file tells, all or nothing. A name that a
// school has already is refused.
func (u *Transfers) ImportNew(ctx context.Context, im Import) (Imported, error) {
	made, err := u.newSchool(ctx, im)
	if err != nil {
		return Imported{}, err
	}
	rehearsal := u.importing(im, newIndex(), &made, nil)
	if err := rehearsal.file(ctx); err != nil || im.DryRun {
		return Imported{made.State(), rehearsal.counted()}, err
	}
	kinds, err := u.write(ctx, im, newIndex(), &made, func(ctx context.Context, fn func(context.Context, ports.Load) error) error {
		return u.deps.Store.LoadNew(ctx, made, func(ctx context.Context, l ports.Load) error {
			if err := u.checkNew(ctx, made); err != nil { // another import may have added it after the rehearsal
				return err
			}
			if err := fn(ctx, l); err != nil {
				return err
			}
			for _, k := range rehearsal.apiKeys {
				if err := l.Tx().Keys.Add(ctx, k); err != nil {
					return err
				}
			}
			return nil
		})
	})
	return Imported{made.State(), kinds}, err
}

// write reads the file and writes its records. Files that were put are removed
// when nothing of the rest is kept.
func (u *Transfers) write(
	ctx context.Context, im Import, x *index, made *school.School, load func(context.Context, func(context.Context, ports.Load) error) error,
) (kinds []ImportedKind, err error) {
	var put []string
	err = load(ctx, func(ctx context.Context, l ports.Load) error {
		m := u.importing(im, x, made, l)
		err := m.file(ctx)
		kinds, put = m.counted(), m.put
		return err
	})
	if err != nil && (usecase.NothingSaved(err) || errors.Is(err, ports.ErrKnown) || errors.Is(err, ports.ErrChanged) ||
		errors.As(err, new(ImportErrors))) {
		for _, name := range put { // one that cannot be removed is only in the way
			_ = u.files.Remove(context.WithoutCancel(ctx), name)
		}
	}
	return kinds, err
}

// importing returns the reading of a file into the new school made, nil for one
// that exists. It writes nothing when l is nil.
func (u *Transfers) importing(im Import, x *index, made *school.School, l ports.Load) *importing {
	rules := u.deps.Policies.Living
	if made != nil || im.Restore {
		rules = u.deps.Policies.Restored
	}
	return &importing{
		rules: rules, joins: tally[group.ID]{}, enrolls: tally[course.ID]{}, redeems: tally[coupon.ID]{},
		Transfers: u, Import: im, index: x, made: made, load: l, now: u.deps.Clock.Now(),
		lineIDs: map[lineID]int{}, secrets: map[school.Hash]int{},
		counts: map[string]*ImportedKind{}, begun: map[course.ID]bool{},
		lists: map[quiz.ID]quiz.State{}, touched: map[activity.ID]bool{}, positions: map[coursePosition]int{},
		pending: newUnsettled(),
		told:    map[use]int{}, used: map[coupon.ID]int64{}, more: map[coupon.ID]int64{},
	}
}

// counted returns what became of the lines.
func (m *importing) counted() []ImportedKind {
	var kinds []ImportedKind
	for _, kind := range format.Kinds() {
		if c := m.counts[kind]; c != nil {
			kinds = append(kinds, *c)
		}
	}
	return kinds
}

// importing is a reading of a file.
type importing struct {
	*Transfers
	Import
	*index
	made   *school.School // nil when the school exists
	load   ports.Load     // nil when nothing is to be written
	now    time.Time
	source *format.Reader
	ahead  *format.Line // read and not taken yet
	line   int          // number of the line that is taken
	lines  int64        // so far, blank ones left out
	faults ImportErrors
	counts map[string]*ImportedKind
	batch  ports.Batch
	rows   int // records in the batch
	put    []string
	begun  map[course.ID]bool // courses in which the file has attempts
	grown  bool               // whether a new course got an activity behind attempts at it
	last   time.Time          // of the events
	byQuiz map[quiz.ID]quiz.State

	rules     policy.Set
	creations *admission.Creations
	joins     tally[group.ID]
	enrolls   tally[course.ID]
	redeems   tally[coupon.ID]

	freeBytes int64                  // that the quota leaves
	lists     map[quiz.ID]quiz.State // questions as the lines of their quizzes list them

	pending   unsettled
	touched   map[activity.ID]bool   // in which the file tells that something was done
	positions map[coursePosition]int // lines that tell of them

	lineIDs map[lineID]int      // lines that give ids
	secrets map[school.Hash]int // lines of API keys
	apiKeys []school.Key        // of a new school
	links   []invitation.Link   // of a new school

	told map[use]int         // lines of one use
	used map[coupon.ID]int64 // uses that are new
	more map[coupon.ID]int64 // those of coupons that the school had
}

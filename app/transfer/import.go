package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"lyceum/app/admission"
	"lyceum/app/transfer/format"
	"lyceum/app/usecase"
	"lyceum/domain/activity"
	"lyceum/domain/audit"
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

// maxImportAttempts is the maximum number of attempts of an import if the school is changed
// concurrently.
const maxImportAttempts = 3

// Import is an import file with its options.
type Import struct {
	// Open opens the file at its beginning. The file is read at least twice, unless Once is set.
	Open func() (io.ReadCloser, error)
	// DryRun reports what would change without changing anything.
	DryRun bool
	// Policies determines whether the import checks the rules of package policy.
	Policies Policies
	// Once reads the file only once and writes while it checks. Set it only for a file that is
	// known to be valid.
	Once bool
	// Progress, if not nil, is called with the number of lines read so far. writing is false while
	// the file is only checked.
	Progress func(lines int, writing bool)
}

// ImportResult is the outcome of an import, or of its dry run.
type ImportResult struct {
	School school.State
	Kinds  []ImportCount // only kinds that the file contains, in the order of the format
}

// ImportCount counts the lines of one kind.
type ImportCount struct {
	Kind      string
	Created   int
	Changed   int
	Unchanged int
}

// Import imports the lines of a file into the actor's school, in one transaction. It creates
// missing records and updates existing ones, and deletes nothing. Importing the same file again
// changes nothing. Faults of the file are returned as ImportErrors.
func (u *Transfers) Import(ctx context.Context, a usecase.Actor, im Import) (ImportResult, error) {
	s, err := u.deps.Read(a).School.Get(ctx)
	if err != nil {
		return ImportResult{}, err
	}
	if im.DryRun || a.IsDryRun() || !im.Once {
		dry, err := u.dryRun(ctx, a, im)
		if err != nil || im.DryRun || a.IsDryRun() {
			return ImportResult{s.State(), dry}, err
		}
	}
	for try := 1; ; try++ {
		kinds, err := u.importOnce(ctx, a, im)
		var faulty ImportErrors
		outage := fault.Is(err, fault.Unavailable) && !errors.Is(err, ports.ErrChanged)
		if err == nil || try == maxImportAttempts || ctx.Err() != nil || errors.As(err, &faulty) || outage {
			return ImportResult{s.State(), kinds}, explainConflict(err)
		}
	}
}

// explainConflict adds an explanation to ports.ErrExists: why the dry run did not find the existing
// record.
func explainConflict(err error) error {
	if !errors.Is(err, ports.ErrExists) {
		return err
	}
	return fmt.Errorf("a record of the file already exists, although the school does not show it: another request has just added it, "+
		"or its course is still being deleted in the background; import the file again later: %w", err)
}

func (u *Transfers) dryRun(ctx context.Context, a usecase.Actor, im Import) ([]ImportCount, error) {
	x, err := u.index(ctx, a.School())
	if err != nil {
		return nil, err
	}
	m := u.newImporter(a, im, x, nil, nil)
	err = m.importFile(ctx)
	return m.importCounts(), err
}

// importOnce attempts the import once. If the school is changed concurrently, it returns an error
// after which the caller can retry.
func (u *Transfers) importOnce(ctx context.Context, a usecase.Actor, im Import) ([]ImportCount, error) {
	x, err := u.index(ctx, a.School())
	if err != nil {
		return nil, err
	}
	return u.write(ctx, a, im, x, nil, func(ctx context.Context, fn func(context.Context, ports.LoadTx) error) error {
		return u.deps.Store.Load(ctx, a.School(), fn)
	})
}

// ImportNew creates the school described by a file, in one transaction. It returns a fault if a
// school with the same name exists.
func (u *Transfers) ImportNew(ctx context.Context, im Import) (ImportResult, error) {
	made, err := u.newSchool(ctx, im)
	if err != nil {
		return ImportResult{}, err
	}
	a := usecase.SystemActor(made.State().ID)
	dry := u.newImporter(a, im, newIndex(), &made, nil)
	if err := dry.importFile(ctx); err != nil || im.DryRun {
		return ImportResult{made.State(), dry.importCounts()}, err
	}
	kinds, err := u.write(ctx, a, im, newIndex(), &made, func(ctx context.Context, fn func(context.Context, ports.LoadTx) error) error {
		return u.deps.Store.LoadNewSchool(ctx, made, func(ctx context.Context, l ports.LoadTx) error {
			// Another import may have added the school since the dry run.
			if err := u.checkNew(ctx, made); err != nil {
				return err
			}
			if err := l.Tx().Audit.Add(ctx, audit.Created, usecase.SchoolRecord(made.State().ID)); err != nil {
				return err
			}
			if err := fn(ctx, l); err != nil {
				return err
			}
			for _, k := range dry.apiKeys {
				if err := usecase.AddKey(ctx, l.Tx(), k); err != nil {
					return err
				}
			}
			return nil
		})
	})
	return ImportResult{made.State(), kinds}, err
}

// write reads the file and saves its records in the bulk load that load runs. If nothing was saved,
// it deletes the files that it has stored.
func (u *Transfers) write(
	ctx context.Context, a usecase.Actor, im Import, x *index, made *school.School,
	load func(context.Context, func(context.Context, ports.LoadTx) error) error,
) (kinds []ImportCount, err error) {
	var stored []string
	err = load(ctx, func(ctx context.Context, l ports.LoadTx) error {
		m := u.newImporter(a, im, x, made, l)
		err := m.importFile(ctx)
		kinds, stored = m.importCounts(), m.storedFiles
		return err
	})
	if errors.As(err, new(*ports.NotSavedError)) {
		for _, name := range stored {
			_ = u.files.Delete(context.WithoutCancel(ctx), name) // errors are ignored: leftover files are harmless
		}
	}
	return kinds, err
}

// newImporter returns an importer that reads the file once, on behalf of the actor a. The importer
// imports into the new school made or, if made is nil, into the existing school. If l is nil, the
// importer writes nothing.
func (u *Transfers) newImporter(a usecase.Actor, im Import, x *index, made *school.School, l ports.LoadTx) *importer {
	rules := u.deps.Policies.Restored
	if im.Policies.asks(made != nil) {
		rules = u.deps.Policies.Living
	}
	return &importer{
		actor: a, rules: rules, groupTally: tally[group.ID]{}, courseTally: tally[course.ID]{}, couponTally: tally[coupon.ID]{},
		Transfers: u, Import: im, index: x, made: made, load: l, now: u.deps.Clock.Now(),
		lineIDs: map[lineID]int{}, secrets: map[school.Hash]int{},
		counts: map[string]*ImportCount{}, startedCourses: map[course.ID]bool{},
		questionOrder: map[quiz.ID]quiz.State{}, hasLearnerData: map[activity.ID]bool{}, positions: map[coursePosition]int{},
		pending:         newPendingChanges(),
		redemptionLines: map[redemptionKey]int{}, usesInFile: map[coupon.ID]int64{}, usesOfExisting: map[coupon.ID]int64{},
	}
}

// importCounts returns the counts in the order of the format.
func (m *importer) importCounts() []ImportCount {
	var kinds []ImportCount
	for _, kind := range format.Kinds() {
		if c := m.counts[kind]; c != nil {
			kinds = append(kinds, *c)
		}
	}
	return kinds
}

// An importer reads a file once.
type importer struct {
	*Transfers
	Import
	*index
	made           *school.School // nil: the school already exists
	load           ports.LoadTx   // nil: nothing is written
	now            time.Time
	source         *format.Reader
	peeked         *format.Line // returned by peek
	line           int          // number of the current line
	lines          int64        // lines read so far, without blank ones
	faults         ImportErrors
	counts         map[string]*ImportCount
	batch          ports.Batch
	rows           int // number of records in batch
	storedFiles    []string
	startedCourses map[course.ID]bool // courses with an attempt in the file
	// progressChanged reports whether a new course got an activity after one of its attempts.
	progressChanged bool
	lastEventAt     time.Time // time of the last event in the file
	quizzesByID     map[quiz.ID]quiz.State

	actor       usecase.Actor
	by          policy.Request
	rules       policy.Set
	creations   *admission.Creations
	groupTally  tally[group.ID]
	courseTally tally[course.ID]
	couponTally tally[coupon.ID]

	freeBytes     int64                  // allowed by the quota
	questionOrder map[quiz.ID]quiz.State // with the questions in the order of the line

	pending        pendingChanges
	hasLearnerData map[activity.ID]bool   // activities that have learner data in the file
	positions      map[coursePosition]int // line number, by the position of the activity

	lineIDs map[lineID]int      // line number, by the ID in the line
	secrets map[school.Hash]int // line number of each API key, by the hash of its secret
	apiKeys []school.Key        // API keys of a new school
	links   []invitation.Link   // links of a new school

	redemptionLines map[redemptionKey]int // number of lines with this key so far
	usesInFile      map[coupon.ID]int64   // redemptions in the file
	// usesOfExisting counts redemptions in the file of coupons that existed before.
	usesOfExisting map[coupon.ID]int64
}

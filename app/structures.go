package app

import (
	"context"
	"time"

	"github.com/google/uuid"
	"lyceum/app/admission"
	"lyceum/app/learning"
	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/policy"
	"lyceum/domain/structure"
	"lyceum/ports"
)

// Structures gets and replaces the structures of courses.
type Structures struct{ deps usecase.Deps }

// Get returns the structure of the course ref, which is an ID or a permalink.
func (u *Structures) Get(ctx context.Context, a Actor, ref string) (structure.Structure, error) {
	a, id, err := u.deps.Course(ctx, a, ref)
	if err != nil {
		return structure.Structure{}, err
	}
	return u.deps.Read(a).Structures.Get(ctx, id)
}

// StructureUpdate is a plan for the structure of a course.
type StructureUpdate struct {
	Plan structure.Plan
	// Check receives the current structure. If it returns an error, the structure is not changed.
	Check func(structure.Structure) error
	// DryRun reports the result without saving it.
	DryRun bool
}

// StructureResult is the outcome of a StructureUpdate.
type StructureResult struct {
	structure.Revision
	// ProvisionalIDs contains the ID of each new record. The value is true after a dry run, which
	// did not save the record.
	ProvisionalIDs map[uuid.UUID]bool
}

// Replace makes the structure of the course ref, which is an ID or a permalink, match a plan.
// Activities and questions that are not in the plan are archived if they have learner data,
// otherwise deleted. Progress and scores are recomputed, and quiz activities whose remaining
// questions all have answers are completed. A plan that equals the current structure changes
// nothing.
func (u *Structures) Replace(ctx context.Context, a Actor, ref string, r StructureUpdate) (StructureResult, error) {
	if r.DryRun {
		a = a.DryRun()
	}
	r.Plan.Check()
	now := u.deps.Clock.Now()
	var done StructureResult
	err := u.deps.InLongTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		done = StructureResult{ProvisionalIDs: map[uuid.UUID]bool{}} // the transaction may be retried
		id, err := usecase.CourseID(ctx, tx.Courses, ref)
		if err != nil {
			return err
		}
		quizzes, assignments := r.Plan.ReferencedIDs()
		was, err := tx.Structures.GetForUpdate(ctx, id, quizzes, assignments)
		if err != nil {
			return err
		}
		if err := r.Check(was); err != nil {
			return err
		}
		activities, begun := was.UsageNeeded(r.Plan)
		usage, err := tx.Structures.Usage(ctx, activities, begun)
		if err != nil {
			return err
		}
		newID := func() uuid.UUID {
			made := u.deps.IDs.New()
			done.ProvisionalIDs[made] = r.DryRun
			return made
		}
		if done.Revision, err = was.Revise(r.Plan, usage, newID, now); err != nil || done.Empty() {
			return err
		}
		if err := done.CheckSize(was); err != nil {
			return err
		}
		effect, err := u.mayChange(ctx, tx, a, id, now)
		if err != nil {
			return err
		}
		if !effect {
			done.Revision = structure.Revision{After: was}
			return nil
		}
		if err := u.checkAllowance(a, done.Revision); err != nil {
			return err
		}
		if err := learning.LockOpen(ctx, tx, done.Revision); err != nil {
			return err
		}
		changed, err := tx.Structures.Save(ctx, done.Revision)
		if err != nil {
			return err
		}
		u.deps.Additions.Use(a.School(), changed+done.Records())
		by, err := u.deps.Request(ctx, tx.School, a, now)
		if err != nil {
			return err
		}
		return learning.CompleteAnswered(ctx, u.deps, tx, by, done.Revision)
	})
	return done, err
}

// checkAllowance returns Unavailable if the school may not save r now. The number of attempts that r
// changes is known only after it is saved.
func (u *Structures) checkAllowance(a Actor, r structure.Revision) error {
	if r.ChangesAttempts() {
		return u.deps.Additions.CheckMany(a.School())
	}
	return u.deps.Additions.Check(a.School(), r.Records())
}

// mayChange returns a fault if a rule refuses a change of a course's structure, and reports whether
// the change has an effect. The course must be locked.
func (u *Structures) mayChange(ctx context.Context, tx ports.Tx, a Actor, id course.ID, now time.Time) (bool, error) {
	if len(u.deps.Policies.Living.ChangeCourse) == 0 {
		return true, nil
	}
	by, err := u.deps.Request(ctx, tx.School, a, now)
	if err != nil {
		return false, err
	}
	c, err := tx.Courses.Get(ctx, id)
	if err != nil {
		return false, err
	}
	effect, err := policy.Effect(admission.CheckCourseChange(ctx, u.deps.Policies.Living, tx.Courses, by, c.State, c.State, true))
	return effect, usecase.AtData(err)
}

package app

import (
	"context"

	"github.com/google/uuid"
	"lyceum/app/learning"
	"lyceum/app/usecase"
	"lyceum/domain/structure"
	"lyceum/ports"
)

// Structures is what can be done with what courses consist of.
type Structures struct{ deps usecase.Deps }

// Get returns the structure of the course that ref names: its UUID or its
// permalink.
func (u *Structures) Get(ctx context.Context, a Actor, ref string) (structure.Structure, error) {
	r := u.deps.Store.Read(a.School())
	id, err := usecase.CourseID(ctx, r.Courses, ref)
	if err != nil {
		return structure.Structure{}, err
	}
	return r.Structures.Get(ctx, id)
}

// Restructuring is how a course shall be.
type Restructuring struct {
	Plan structure.Plan
	// Check looks at the structure as it is before the change, and may refuse to
	// change it.
	Check func(structure.Structure) error
	// DryRun says that nothing is to be kept.
	DryRun bool
}

// Restructured is what became of a structure.
type Restructured struct {
	structure.Revision
	// Unkept is the ids of new records that a dry run did not keep.
	Unkept map[uuid.UUID]bool
}

// Put gives the course that ref names the structure of a plan. The plan is all
// of it: what it does not name is removed, or archived when learners have begun
// it. The progress of who learns in the course follows, and a quiz
// activity is completed when the questions that are left have answers. A plan of what there is
// already changes nothing.
func (u *Structures) Put(ctx context.Context, a Actor, ref string, r Restructuring) (Restructured, error) {
	if r.DryRun {
		a = a.DryRun()
	}
	now := u.deps.Clock.Now()
	var done Restructured
	err := u.deps.InLongTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		done = Restructured{Unkept: map[uuid.UUID]bool{}} // it may run again
		id, err := usecase.CourseID(ctx, tx.Courses, ref)
		if err != nil {
			return err
		}
		quizzes, assignments := r.Plan.Named()
		was, err := tx.Structures.Find(ctx, id, quizzes, assignments)
		if err != nil {
			return err
		}
		if err := r.Check(was); err != nil {
			return err
		}
		activities, begun := was.Doubts(r.Plan)
		facts, err := tx.Structures.Facts(ctx, activities, begun)
		if err != nil {
			return err
		}
		newID := func() uuid.UUID {
			made := u.deps.IDs.New()
			done.Unkept[made] = r.DryRun
			return made
		}
		if done.Revision, err = was.Revise(r.Plan, facts, newID, now); err != nil || done.Empty() {
			return err
		}
		if err := done.CheckQuizText(was); err != nil {
			return err
		}
		if err := learning.LockOpen(ctx, tx, done.Revision); err != nil {
			return err
		}
		if err := tx.Structures.Save(ctx, done.Revision); err != nil {
			return err
		}
		return learning.CompleteAnswered(ctx, u.deps.Policies.Living, tx, done.Revision, now)
	})
	return done, err
}

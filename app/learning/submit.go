package learning

import (
	"context"
	"io"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/submission"
	"lyceum/ports"
)

// Upload is a file that a client sends.
type Upload struct {
	Name      string // as the person calls it
	MediaType string // as it is declared; may be blank
	Bytes     io.Reader
}

// Entrant is who hands in a file.
type Entrant struct {
	Person   person.ID
	Activity *activity.ID // in which the assignment stands; nil: in the only one
}

// Staged is a file whose bytes are stored, and which no submission has yet.
type Staged struct {
	id   submission.ID
	file submission.File
}

// Stage stores the bytes of a file before the submission that they are for is
// saved, so that a submission without its file is never seen. The bytes that no
// submission needs are removed by Settle, or, should the server end before, by a
// job.
func (u *Learning) Stage(ctx context.Context, a usecase.Actor, up Upload) (Staged, error) {
	s := Staged{id: submission.ID{UUID: u.deps.IDs.New()}}
	if _, err := submission.NewFile(up.Name, up.MediaType, 0); err != nil {
		return Staged{}, err
	}
	if err := u.watch(ctx, a, s.id); err != nil {
		return Staged{}, err
	}
	size, err := u.files.Put(ctx, usecase.FileOf(s.id), up.Bytes)
	if err != nil {
		return Staged{}, err
	}
	s.file, err = submission.NewFile(up.Name, up.MediaType, size)
	u.Settle(ctx, s, err)
	return s, err
}

// Submit saves a submission for the assignment id: the staged file, of the learner
// e.
func (u *Learning) Submit(
	ctx context.Context, a usecase.Actor, id assignment.ID, e Entrant, s Staged,
) (submission.Submission, error) {
	now := u.deps.Clock.Now()
	var kept submission.Submission
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		room, err := u.deps.RoomForBytes(ctx, tx)
		if err != nil {
			return err
		}
		if _, err := tx.Assignments.Get(ctx, id); err != nil {
			return err
		}
		t := task{person: e.Person, row: noRow}
		var errActivity error
		if e.Activity != nil {
			t.activity = *e.Activity
		} else if t.activity, errActivity = only(ctx, tx, id, t); errActivity != nil && !fault.IsRefusal(errActivity) {
			return errActivity
		}
		r, err := u.resolve(ctx, tx, []task{t}, now)
		if err != nil && !fault.IsRefusal(err) {
			return err
		}
		all := r.all
		if errActivity != nil {
			return fault.Join(errActivity, except(err, "activity"))
		}
		if all[0].there && all[0].activity.Content.Assignment != id {
			err = fault.Join(err, t.invalid("activity", "is none in which the assignment stands"))
		}
		if err != nil {
			return err
		}
		if s.file.Size > room {
			return u.deps.NoRoomForFile("file")
		}
		if err := u.begin(ctx, tx, r); err != nil {
			return err
		}
		kept = submission.HandIn(s.id, all[0].attempt.State(), all[0].activity, s.file, now)
		return addSubmission(ctx, u.deps.Policies.Living, tx, kept, all[0])
	})
	return kept, err
}

// Settle removes the bytes of a staged file if err, to which its submission came,
// says that the submission was certainly not saved.
func (u *Learning) Settle(ctx context.Context, s Staged, err error) {
	if usecase.NothingSaved(err) {
		u.Discard(ctx, s)
	}
}

// Discard removes the bytes of a staged file that no submission has. Where they
// cannot be removed now, a job removes them later.
func (u *Learning) Discard(ctx context.Context, s Staged) {
	_ = u.files.Remove(context.WithoutCancel(ctx), usecase.FileOf(s.id))
}

// addSubmission saves a new submission of a study, which completes its activity.
func addSubmission(ctx context.Context, rules policy.Set, tx ports.Tx, made submission.Submission, s study) error {
	if err := tx.Submissions.Add(ctx, made); err != nil {
		return err
	}
	_, refused, err := completeAll(ctx, rules, tx, []study{s})
	if err != nil {
		return err
	}
	return refused[0]
}

// only returns the only activity in which an assignment stands.
func only(ctx context.Context, tx ports.Tx, id assignment.ID, t task) (activity.ID, error) {
	ids, err := tx.Activities.OfAssignment(ctx, id)
	switch {
	case err != nil:
		return activity.ID{}, err
	case len(ids) == 0:
		return activity.ID{}, t.invalid("activity", "cannot be made out: the assignment stands in none")
	case len(ids) > 1:
		return activity.ID{}, t.invalid("activity", "must be named: the assignment stands in several")
	}
	return ids[0], nil
}

// except returns err without the faults on field.
func except(err error, field string) error {
	if !fault.IsRefusal(err) {
		return err
	}
	var rest []error
	for _, f := range fault.All(err) {
		if f.Field != field {
			rest = append(rest, f)
		}
	}
	return fault.Join(rest...)
}

// orphanAge is how long after its bytes were stored a file is looked at again. No
// submission takes so long to be saved.
const orphanAge = 24 * time.Hour

// watch has the file of a submission that is about to be handed in looked at when
// it is certain what has become of it: a server that dies between keeping the
// bytes and keeping the submission leaves a file of which nobody knows.
func (u *Learning) watch(ctx context.Context, a usecase.Actor, id submission.ID) error {
	now := u.deps.Clock.Now()
	look := job.New(job.ID{UUID: u.deps.IDs.New()}, a.School(), usecase.DiscardKind, usecase.FileOf(id), now)
	look.RunAt = now.Add(orphanAge)
	return u.deps.InTx(ctx, usecase.System(a.School()), func(ctx context.Context, tx ports.Tx) error { // a dry run stores bytes too
		return tx.Jobs.Add(ctx, look)
	})
}

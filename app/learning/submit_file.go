package learning

import (
	"context"
	"io"
	"time"

	"lyceum/app/jobs"
	"lyceum/app/usecase"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/school"
	"lyceum/domain/submission"
	"lyceum/ports"
)

// Upload is a file from a client.
type Upload struct {
	Name      string // file name given by the client
	MediaType string // declared by the client; may be blank
	Bytes     io.Reader
}

// Submitter is the learner who submits a file.
type Submitter struct {
	Person   person.ID
	Activity *activity.ID // the activity with the assignment; nil if only one activity uses it
}

// Staged is an announced file to which no submission refers yet.
type Staged struct {
	school school.ID
	id     submission.ID
	file   submission.File
}

// Announce returns a staged file without content. If no submission is saved, Settle deletes the
// content that Stage stores. If the process ends before that, a job that Announce adds deletes it.
func (u *Learning) Announce(ctx context.Context, a usecase.Actor, up Upload) (Staged, error) {
	file, err := submission.NewFile(up.Name, up.MediaType, 0)
	if err != nil {
		return Staged{}, err
	}
	s := Staged{school: a.School(), id: submission.ID{UUID: u.deps.IDs.New()}, file: file}
	return s, u.scheduleOrphanCheck(ctx, a.Permit(), s.id) // Submit checks the learner's permission
}

// Stage stores the content of an announced file. It must be called before the submission is saved,
// so that no submission lacks its file. It can take as long as the client needs to send the
// content, and does not use the store.
func (u *Learning) Stage(ctx context.Context, s Staged, up Upload) (Staged, error) {
	size, err := u.files.Put(ctx, usecase.FileOf(s.school, s.id), up.Bytes)
	if err != nil {
		return Staged{}, err
	}
	s.file, err = submission.NewFile(up.Name, up.MediaType, size)
	u.Settle(ctx, s, err)
	return s, err
}

// Submit adds a submission of the staged file s for the given assignment.
func (u *Learning) Submit(
	ctx context.Context, a usecase.Actor, id assignment.ID, e Submitter, s Staged,
) (submission.Submission, error) {
	var kept submission.Submission
	a, err := a.ActFor(e.Person)
	if err != nil {
		return kept, err
	}
	now := u.deps.Clock.Now()
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		// The school may have been suspended while the file arrived, and the files of a school that is
		// being deleted have been deleted already.
		of, err := tx.School.Get(ctx)
		if err == nil {
			err = of.CheckActive()
		}
		if err != nil {
			return err
		}
		room, err := u.deps.RoomForBytes(ctx, tx)
		if err != nil {
			return err
		}
		if _, err := tx.Assignments.Get(ctx, id); err != nil {
			return err
		}
		var uses []activity.ID // read only if needed
		if a.IsLearner() || e.Activity == nil {
			if uses, err = usesOf(ctx, tx, a, id); err != nil {
				return err
			}
		}
		t := activityRef{person: e.Person, row: noRow}
		var errActivity error
		if e.Activity != nil {
			t.activity = *e.Activity
		} else {
			t.activity, errActivity = onlyActivity(uses, t)
		}
		by, err := u.deps.Request(ctx, tx.School, a, now)
		if err != nil {
			return err
		}
		r, err := u.resolve(ctx, tx, []activityRef{t}, func(int) policy.Request { return by })
		if err != nil && !fault.IsRefusal(err) {
			return err
		}
		all := r.contexts
		if errActivity != nil {
			return fault.Join(errActivity, withoutField(err, "activity"))
		}
		if all[0].exists && all[0].activity.Content.Assignment != id {
			err = fault.Join(err, t.invalid("activity", "does not contain this assignment"))
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
		kept = submission.New(s.id, all[0].attempt.State(), all[0].activity, s.file, now)
		if effect, err := policy.Effect(all[0].verdict); !effect {
			return err // if the submission has no effect, the job of Announce deletes the file
		}
		if err := addFresh(ctx, tx, all); err != nil {
			return err
		}
		if err := addSubmission(ctx, u.deps.Policies.Living, tx, kept, all[0]); err != nil {
			return err
		}
		return tx.Jobs.Delete(ctx, jobs.FileCleanupKind, usecase.FileOf(s.school, s.id)) // the file has a submission now
	})
	return kept, err
}

// Settle deletes a staged file if err, the error that saving the submission returned, means that
// nothing was saved.
func (u *Learning) Settle(ctx context.Context, s Staged, err error) {
	if usecase.NothingSaved(err) {
		u.Discard(ctx, s)
	}
}

// discardTime is the maximum time that Discard waits for the store.
const discardTime = time.Second

// Discard deletes a staged file and its job, also if ctx has ended. If it fails, the job deletes the
// file later.
func (u *Learning) Discard(ctx context.Context, s Staged) {
	ctx, name := context.WithoutCancel(ctx), usecase.FileOf(s.school, s.id)
	if u.files.Delete(ctx, name) != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, discardTime)
	defer cancel()
	_ = u.deps.InTx(ctx, usecase.SystemActor(s.school), func(ctx context.Context, tx ports.Tx) error {
		return tx.Jobs.Delete(ctx, jobs.FileCleanupKind, name)
	})
}

// addSubmission adds a submission and completes its activity.
func addSubmission(ctx context.Context, rules policy.Set, tx ports.Tx, made submission.Submission, s activityContext) error {
	if err := tx.Submissions.Add(ctx, made); err != nil {
		return err
	}
	refused, err := completeAll(ctx, rules, tx, []activityContext{s})
	if err != nil {
		return err
	}
	return refused[0]
}

// usesOf returns the IDs of the activities with the assignment. If a is a learner, it returns only
// those of the learner's courses, or NotFound if there is none.
func usesOf(ctx context.Context, tx ports.Tx, a usecase.Actor, id assignment.ID) ([]activity.ID, error) {
	if a.IsLearner() {
		return activitiesOf(ctx, tx, a.Learner(), "assignment.id", id.UUID)
	}
	return tx.Activities.ByAssignment(ctx, id)
}

// onlyActivity returns the only activity in ids, or a fault.
func onlyActivity(ids []activity.ID, t activityRef) (activity.ID, error) {
	switch {
	case len(ids) == 0:
		return activity.ID{}, t.invalid("activity", "is required: no activity uses this assignment")
	case len(ids) > 1:
		return activity.ID{}, t.invalid("activity", "is required: several activities use this assignment")
	}
	return ids[0], nil
}

// withoutField returns err without the faults on field.
func withoutField(err error, field string) error {
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

// orphanAge is the age at which a staged file is checked for its submission. It is longer than the
// request that saves the submission, because the clocks of servers can differ, and short, because
// the deletion of a person does not find the file.
const orphanAge = 2 * submission.UploadTime

// scheduleOrphanCheck adds a job that deletes the staged file after orphanAge if no submission
// refers to it then. It is needed if the process ends after the file is stored and before the
// submission is committed, which deletes the job.
func (u *Learning) scheduleOrphanCheck(ctx context.Context, a usecase.Actor, id submission.ID) error {
	now := u.deps.Clock.Now()
	look := job.New(job.ID{UUID: u.deps.IDs.New()}, a.School(), jobs.FileCleanupKind, usecase.FileOf(a.School(), id), now)
	look.RunAt = now.Add(orphanAge)
	// The job is committed even in a dry run, which stores the file too.
	return u.deps.InTx(ctx, usecase.SystemActor(a.School()), func(ctx context.Context, tx ports.Tx) error {
		return tx.Jobs.Add(ctx, look)
	})
}

package app

import (
	"context"
	"errors"
	"io"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/replay"
	"lyceum/domain/submission"
	"lyceum/ports"
)

// Upload is a file on its way in.
type Upload struct {
	Name      string // as the person calls it
	MediaType string // as it is declared; may be blank
	Bytes     io.Reader
}

// Submit is HandIn for the assignment of an activity.
func (u *Learning) Submit(
	ctx context.Context, a Actor, p person.ID, id activity.ID, up Upload,
) (submission.Submission, error) {
	return u.take(ctx, a, up, func(ctx context.Context, a Actor, made submission.ID, f submission.File) (submission.Submission, error) {
		return u.submit(ctx, a, p, id, made, f)
	})
}

// Entrant is who hands in a file.
type Entrant struct {
	Person   person.ID
	Activity *activity.ID // in which the assignment stands; nil: in the only one
}

// HandIn keeps a file that somebody hands in for the assignment id. Who it is may
// be known only when all bytes have come, so who is asked then; it also tells
// whether all that it knows is right. When it is not nothing is kept, and the
// faults are those that the rest has. The bytes are kept before the record: a
// submission without its file is never seen.
//
// once, which may be nil, carries out what may be repeated; of a repeat neither
// the file nor the submission is kept.
func (u *Learning) HandIn(
	ctx context.Context, a Actor, id assignment.ID, up Upload, who func() (Entrant, bool), once Once,
) (submission.Submission, error) {
	return u.take(ctx, a, up, func(ctx context.Context, a Actor, made submission.ID, f submission.File) (submission.Submission, error) {
		e, sure := who()
		if !sure {
			a = a.Rehearsing()
		}
		if sure && once != nil {
			return u.handInOnce(ctx, id, e, made, f, once)
		}
		kept, err := u.handIn(ctx, a, id, e, made, f)
		if err == nil && !sure {
			err = errUnneeded
		}
		return kept, err
	})
}

// Once lets do keep a submission on behalf of the actor that do gets, or finds that
// this was done before.
type Once func(
	ctx context.Context, do func(ctx context.Context, a Actor) (submission.Submission, error),
) (again bool, err error)

func (u *Learning) handInOnce(
	ctx context.Context, id assignment.ID, e Entrant, made submission.ID, f submission.File, once Once,
) (submission.Submission, error) {
	var kept submission.Submission
	again, err := once(ctx, func(ctx context.Context, a Actor) (_ submission.Submission, err error) {
		kept, err = u.handIn(ctx, a, id, e, made, f)
		return kept, err
	})
	if err == nil && again {
		err = errUnneeded
	}
	return kept, err
}

// errUnneeded drops a file whose submission was only rehearsed, or made before.
var errUnneeded error = fault.Forbiddenf("nobody needs the file")

// take keeps the bytes of a file while record keeps the submission made of it.
func (u *Learning) take(
	ctx context.Context, a Actor, up Upload,
	record func(ctx context.Context, a Actor, made submission.ID, f submission.File) (submission.Submission, error),
) (submission.Submission, error) {
	made := submission.ID{UUID: u.ids.New()}
	if _, err := submission.NewFile(up.Name, up.MediaType, 0); err != nil {
		return submission.Submission{}, err
	}
	if err := u.watch(ctx, a, made); err != nil {
		return submission.Submission{}, err
	}
	size, err := u.files.Put(ctx, fileOf(made), up.Bytes)
	if err != nil {
		return submission.Submission{}, err
	}
	file, err := submission.NewFile(up.Name, up.MediaType, size)
	var kept submission.Submission
	if err == nil {
		kept, err = record(ctx, a, made, file)
	}
	if a.rehearses || dropped(err) {
		// Nobody needs the file; when it cannot be removed now it is later.
		_ = u.files.Remove(context.WithoutCancel(ctx), fileOf(made))
	}
	if err == errUnneeded { //lint:ignore errorlint it is this one, and comes from here
		err = nil
	}
	return kept, err
}

// dropped tells whether a transaction that ended with err has certainly kept
// nothing. Of one that failed otherwise nobody knows: the answer to its commit
// may have been lost.
func dropped(err error) bool {
	return errors.Is(err, replay.ErrOther) || errors.Is(err, replay.ErrErased) || fault.IsRefusal(err)
}

func (u *Learning) submit(
	ctx context.Context, a Actor, p person.ID, id activity.ID, made submission.ID, f submission.File,
) (submission.Submission, error) {
	now := u.clock.Now()
	var kept submission.Submission
	err := u.inTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		room, err := u.roomForBytes(ctx, tx)
		if err != nil {
			return err
		}
		all, err := u.studies(ctx, tx, []task{{p, id, noRow}}, now)
		if err != nil {
			return err
		}
		if all[0].activity.Content.Kind != activity.Assignment {
			return fault.Invalidf("activity", "is not an assignment")
		}
		if f.Size > room {
			return u.noRoomForFile("file")
		}
		kept = submission.HandIn(made, all[0].attempt.State(), all[0].activity, f, now)
		return addSubmission(ctx, tx, kept, all[0])
	})
	return kept, err
}

func (u *Learning) handIn(
	ctx context.Context, a Actor, id assignment.ID, e Entrant, made submission.ID, f submission.File,
) (submission.Submission, error) {
	now := u.clock.Now()
	var kept submission.Submission
	err := u.inTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		room, err := u.roomForBytes(ctx, tx)
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
		all, err := u.studies(ctx, tx, []task{t}, now)
		if err != nil && !fault.IsRefusal(err) {
			return err
		}
		if errActivity != nil {
			return fault.Join(errActivity, except(err, "activity"))
		}
		if all[0].there && all[0].activity.Content.Assignment != id {
			err = fault.Join(err, t.invalid("activity", "is none in which the assignment stands"))
		}
		if err != nil {
			return err
		}
		if f.Size > room {
			return u.noRoomForFile("file")
		}
		kept = submission.HandIn(made, all[0].attempt.State(), all[0].activity, f, now)
		return addSubmission(ctx, tx, kept, all[0])
	})
	return kept, err
}

// addSubmission saves a new submission of a study, which completes its activity.
func addSubmission(ctx context.Context, tx ports.Tx, made submission.Submission, s study) error {
	if err := tx.Submissions.Add(ctx, made); err != nil {
		return err
	}
	_, err := completeAll(ctx, tx, []study{s})
	return err
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

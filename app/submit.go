package app

import (
	"context"
	"io"

	"lyceum/domain/activity"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/submission"
	"lyceum/ports"
)

// Upload is a file on its way in.
type Upload struct {
	Name      string // as the person calls it
	MediaType string // as it is declared; may be blank
	Bytes     io.Reader
}

// Submit keeps a file that a person hands in for the assignment of an activity.
// The bytes are kept first: a submission without its file is never seen.
func (u *Learning) Submit(
	ctx context.Context, a Actor, p person.ID, id activity.ID, up Upload,
) (submission.Submission, error) {
	made := submission.ID{UUID: u.ids.New()}
	if _, err := submission.NewFile(up.Name, up.MediaType, 0); err != nil {
		return submission.Submission{}, err
	}
	size, err := u.files.Put(ctx, fileOf(made), up.Bytes)
	if err != nil {
		return submission.Submission{}, err
	}
	kept, err := u.submit(ctx, a, p, id, made, up, size)
	if a.rehearses || dropped(err) {
		// Nobody knows of the file; when it cannot be removed it is only in the way.
		_ = u.files.Remove(context.WithoutCancel(ctx), fileOf(made))
	}
	return kept, err
}

// dropped tells whether a transaction that ended with err has certainly kept
// nothing. Of one that failed otherwise nobody knows: the answer to its commit
// may have been lost.
func dropped(err error) bool { return len(fault.All(err)) > 0 }

func (u *Learning) submit(
	ctx context.Context, a Actor, p person.ID, id activity.ID, made submission.ID, up Upload, size int64,
) (submission.Submission, error) {
	file, err := submission.NewFile(up.Name, up.MediaType, size)
	if err != nil {
		return submission.Submission{}, err
	}
	var kept submission.Submission
	err = u.record(ctx, a, p, id, func(ctx context.Context, tx ports.Tx, s study) error {
		if s.activity.Content.Kind != activity.Assignment {
			return fault.Invalidf("activity", "is not an assignment")
		}
		kept = submission.HandIn(made, s.attempt.State(), s.activity, file, s.now)
		return tx.Submissions.Add(ctx, kept)
	})
	return kept, err
}

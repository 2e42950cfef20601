package usecase

import (
	"context"
	"errors"
	"math"

	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/replay"
	"lyceum/domain/submission"
	"lyceum/ports"
)

// DiscardKind is the kind of the jobs that remove a file which no submission needs any
// longer; the payload is its name.
const DiscardKind job.Kind = "discard"

// SubmissionFiles is what the names of the files of submissions begin with.
const SubmissionFiles = "submissions/"

// FileOf returns the name of the file of a submission.
func FileOf(id submission.ID) string { return SubmissionFiles + id.String() }

// NothingSaved reports whether a transaction that ended with err has certainly saved
// nothing. After any other error that is unknown: the response to its commit may have
// been lost.
func NothingSaved(err error) bool {
	return errors.Is(err, replay.ErrOther) || errors.Is(err, replay.ErrErased) || fault.IsRefusal(err)
}

// RoomForBytes returns how many bytes of files the school may still get in tx, and locks
// the school, so that no others are added by another transaction in the meantime. It is
// called before anything else is locked. Without a quota it asks and locks nothing.
func (d Deps) RoomForBytes(ctx context.Context, tx ports.Tx) (int64, error) {
	if d.Policies.MaxBytes != 0 {
		if _, err := tx.School.Find(ctx); err != nil {
			return 0, err
		}
	}
	return d.BytesLeft(ctx, tx.School.StoredBytes)
}

// BytesLeft returns how many bytes a quota leaves in addition to those that are used.
func (d Deps) BytesLeft(ctx context.Context, used func(context.Context) (int64, error)) (int64, error) {
	if d.Policies.MaxBytes == 0 {
		return math.MaxInt64, nil
	}
	n, err := used(ctx)
	return max(d.Policies.MaxBytes-n, 0), err
}

// NoRoomForFile returns the fault of a file beyond the quota, on a field.
func (d Deps) NoRoomForFile(field string) error {
	return fault.Invalidf(field, "cannot be kept: the files of the school may have %d bytes in all at most", d.Policies.MaxBytes)
}

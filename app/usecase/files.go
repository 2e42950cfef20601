package usecase

import (
	"context"
	"errors"
	"math"

	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/domain/submission"
	"lyceum/ports"
)

// FolderOf returns the folder of the submitted files of a school.
func FolderOf(s school.ID) string { return "submissions/" + s.String() }

// FilesOf is the prefix of the names of the submitted files of a school. Two schools can have
// submissions with the same ID, because an imported school keeps the IDs in its file.
func FilesOf(s school.ID) string { return FolderOf(s) + "/" }

// FileOf returns the name of a submission's file.
func FileOf(s school.ID, id submission.ID) string { return FilesOf(s) + id.String() }

// NothingSaved reports whether a transaction that returned err has certainly saved nothing. After
// some errors this is unknown, because the response to the commit may have been lost.
func NothingSaved(err error) bool {
	return errors.As(err, new(*ports.NotSavedError)) || fault.IsRefusal(err)
}

// RoomForBytes returns how many bytes of files the quota still allows. It locks the school, so that
// no concurrent transaction adds files; call it before any other lock. Without a quota it locks
// nothing.
func (d Deps) RoomForBytes(ctx context.Context, tx ports.Tx) (int64, error) {
	if d.Policies.MaxBytes != 0 {
		if _, err := tx.School.GetForUpdate(ctx); err != nil {
			return 0, err
		}
	}
	return d.BytesLeft(ctx, tx.School.StoredBytes)
}

// BytesLeft returns how many more bytes of files the quota allows. used returns the size of the
// stored files; BytesLeft calls it only if there is a quota. Without a quota it returns
// math.MaxInt64.
func (d Deps) BytesLeft(ctx context.Context, used func(context.Context) (int64, error)) (int64, error) {
	if d.Policies.MaxBytes == 0 {
		return math.MaxInt64, nil
	}
	n, err := used(ctx)
	return max(d.Policies.MaxBytes-n, 0), err
}

// NoRoomForFile returns the fault for a file that exceeds the quota.
func (d Deps) NoRoomForFile(field string) error {
	return fault.Invalidf(field, "is larger than the space left for files in this school (maximum is %d bytes in total)", d.Policies.MaxBytes)
}

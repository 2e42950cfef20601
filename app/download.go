package app

import (
	"context"
	"io"

	"lyceum/app/usecase"
	"lyceum/domain/school"
	"lyceum/domain/submission"
)

// Download is an open file. The caller must close it.
type Download struct {
	File  submission.File
	Bytes io.ReadSeekCloser
}

// Download opens the file of a submission. of is the school of the submission. Download takes no
// actor, because the caller has already verified a signed link for this school.
func (u *Submissions) Download(ctx context.Context, of school.ID, id submission.ID) (Download, error) {
	found, err := u.deps.Store.Read(of).Submissions.Get(ctx, id)
	if err != nil {
		return Download{}, err
	}
	bytes, err := u.files.Open(ctx, usecase.FileOf(of, id))
	if err != nil {
		return Download{}, err
	}
	return Download{File: found.File, Bytes: bytes}, nil
}

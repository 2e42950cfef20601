package app

import (
	"context"
	"io"

	"lyceum/app/usecase"
	"lyceum/domain/school"
	"lyceum/domain/submission"
)

// Download is a file on its way out; the caller closes it.
type Download struct {
	File  submission.File
	Bytes io.ReadSeekCloser
}

// Download opens the file of a submission of the school of, for whoever has a
// link to it in the place of a key: the caller has checked that the link was made
// for that school.
func (u *Submissions) Download(ctx context.Context, of school.ID, id submission.ID) (Download, error) {
	found, err := u.deps.Store.Read(of).Submissions.Get(ctx, id)
	if err != nil {
		return Download{}, err
	}
	bytes, err := u.files.Open(ctx, usecase.FileOf(id))
	if err != nil {
		return Download{}, err
	}
	return Download{File: found.File, Bytes: bytes}, nil
}

package app

import (
	"context"
	"io"

	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/domain/submission"
)

// Download is a file on its way out; the caller closes it.
type Download struct {
	File  submission.File
	Bytes io.ReadSeekCloser
}

// Download opens the file of a submission for whoever has a link to it, in the
// place of a key. meant tells whether the link was made for a school; when it
// was made for none the request is refused. The link, not the caller, says which
// school that is, so that a file is fetched with nothing but its link.
func (u *Submissions) Download(
	ctx context.Context, id submission.ID, meant func(school.ID) bool,
) (Download, error) {
	all, err := u.schools.List(ctx)
	if err != nil {
		return Download{}, err
	}
	for _, s := range all {
		if of := s.State().ID; meant(of) {
			return u.open(ctx, of, id)
		}
	}
	return Download{}, fault.Forbiddenf("This link does not hold")
}

func (u *Submissions) open(ctx context.Context, of school.ID, id submission.ID) (Download, error) {
	found, err := u.store.Read(of).Submissions.Get(ctx, id)
	if err != nil {
		return Download{}, err
	}
	bytes, err := u.files.Open(ctx, fileOf(id))
	if err != nil {
		return Download{}, err
	}
	return Download{File: found.File, Bytes: bytes}, nil
}

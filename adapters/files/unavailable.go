package files

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"syscall"

	"lyceum/domain/fault"
)

// unavailable returns an error of the file system as a fault, because the operator has to fix it:
// fault.Full if there is no space, and otherwise fault.Unavailable. It must not be called for
// errors of the uploaded bytes.
func unavailable(err error) error {
	if err == nil {
		return nil
	}
	detail := "The file directory is not writable"
	for _, full := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		if errors.Is(err, full) {
			return noSpace(fmt.Errorf("files.dir: %w", err))
		}
	}
	return errors.Join(fault.Unavailablef("%s", detail), fmt.Errorf("files.dir: %w", err))
}

// noSpace returns fault.Full with its cause, because the operator has to provide more space.
func noSpace(cause error) error {
	return errors.Join(fault.Fullf("There is not enough storage space for files"), cause)
}

// unreadable returns an error of opening a file as fault.Unavailable, because the operator has to
// fix it.
func unreadable(err error) error {
	return errors.Join(fault.Unavailablef("The file directory is not readable"), fmt.Errorf("files.dir: %w", err))
}

// probe is written by Ready. It has the block size of most file systems, so that a full file
// system is detected.
var probe = strings.Repeat("x", 4096)

// submissionsDir is the folder of the files of submissions.
const submissionsDir = "submissions"

// Ready implements ports.Files. It writes and deletes a small file, and checks that the folder of
// submissions can be searched.
func (f *Folder) Ready(ctx context.Context) error {
	root, err := f.attached()
	if err != nil {
		return err
	}
	part := path.Join(tempDir, rand.Text())
	_, err = write(ctx, root, part, strings.NewReader(probe))
	if errRemove := root.Remove(part); err == nil && errRemove != nil {
		err = unavailable(errRemove)
	}
	if err != nil {
		return err
	}
	if _, err := root.Stat(path.Join(submissionsDir, rand.Text())); !errors.Is(err, fs.ErrNotExist) {
		return unreadable(err)
	}
	return nil
}

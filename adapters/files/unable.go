package files

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path"
	"strings"
	"syscall"

	"lyceum/domain/fault"
)

// unable returns an error of the file system as a fault: fault.Full if there is
// no space, else fault.Unavailable, since all of them are the operator's to fix.
// It is not for errors of the bytes that are read.
func unable(err error) error {
	if err == nil {
		return nil
	}
	detail := "The folder of files cannot be written"
	for _, full := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		if errors.Is(err, full) {
			return errors.Join(fault.Fullf("There is no space left to keep files"), fmt.Errorf("files.dir: %w", err))
		}
	}
	return errors.Join(fault.Busyf("%s", detail), fmt.Errorf("files.dir: %w", err))
}

// probe is what Ready writes: a block of most file systems, so that one without
// a free block is found full.
var probe = strings.Repeat("x", 4096)

// Ready writes a small file and removes it.
func (f *Folder) Ready(ctx context.Context) error {
	part := path.Join(incoming, rand.Text())
	_, err := f.write(ctx, part, strings.NewReader(probe))
	if errRemove := f.root.Remove(part); err == nil && errRemove != nil {
		err = unable(errRemove)
	}
	return err
}

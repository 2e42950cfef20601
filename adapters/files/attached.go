package files

import (
	"errors"
	"fmt"
	"os"

	"lyceum/domain/fault"
)

// attached returns the folder at the path, or fault.Unavailable. After startup, the path can lead
// to a different folder, because a file system was mounted or unmounted there or the folder was
// renamed. attached switches to the different folder only if it contains tempDir, that is, if a
// Folder has used it before. A new folder may be the mount point of a missing file system.
func (f *Folder) attached() (*os.Root, error) {
	held := f.root.Load()
	there, err := os.Stat(f.dir)
	if err != nil {
		return nil, detached(err)
	}
	own, err := held.Stat(".")
	if err != nil {
		return nil, unavailable(err)
	}
	if os.SameFile(there, own) {
		return held, nil
	}
	other, err := os.OpenRoot(f.dir)
	if err != nil {
		return nil, detached(err)
	}
	if _, err := other.Stat(tempDir); err != nil {
		return nil, detached(errors.Join(err, other.Close()))
	}
	// The runtime closes the former root once no call uses it any longer.
	if !f.root.CompareAndSwap(held, other) {
		return f.root.Load(), other.Close()
	}
	return other, nil
}

// detached returns fault.Unavailable joined with err. It means that the path no longer leads to the
// folder.
func detached(err error) error {
	return errors.Join(fault.Unavailablef("The file directory was moved or unmounted"), fmt.Errorf("files.dir: %w", err))
}

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
// Folder has used it before. A folder without tempDir may be the mount point of a file system that is
// not mounted: files written there would not be found after the next mount.
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
	// held is not closed here, because calls may still use it; its finalizer closes it. If another call
	// has replaced it first, the folder of that call is used.
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

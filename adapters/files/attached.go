package files

import (
	"errors"
	"fmt"
	"os"

	"lyceum/domain/fault"
)

// attached returns the folder to which the path leads, or fault.Unavailable. The path
// may lead to another folder than at the start: a file system was mounted or unmounted
// there, or the folder was renamed. The other folder is taken if it has been one of
// files before. A new one is not: it may be the place of a mount that is missing.
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
	// The former root is closed when no call uses it any longer, by the runtime.
	if !f.root.CompareAndSwap(held, other) {
		return f.root.Load(), other.Close()
	}
	return other, nil
}

// detached returns fault.Unavailable for a path that no longer leads to the folder.
func detached(err error) error {
	return errors.Join(fault.Unavailablef("The file directory was moved or unmounted"), fmt.Errorf("files.dir: %w", err))
}

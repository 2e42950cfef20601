package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// readEntries is the number of entries of a folder that are read together.
const readEntries = 1000

// DeleteFolder implements ports.Files. It also removes the empty folders.
func (f *Folder) DeleteFolder(ctx context.Context, name string) error {
	root, err := f.rootFor(ctx, name)
	if err != nil {
		return err
	}
	_, err = deleteFolder(ctx, root, name)
	return err
}

// deleteFolder deletes the files of dir and of its folders, and reports whether there were any.
// Anything else in dir remains, such as the files in which NFS keeps the bytes of open files.
func deleteFolder(ctx context.Context, root *os.Root, dir string) (found bool, err error) {
	// A file system may skip entries while others are deleted.
	for more := true; more; found = found || more {
		if more, err = deleteEntries(ctx, root, dir); err != nil {
			return found, err
		}
	}
	// A missing file may have been removed by a call whose sync failed.
	switch err := syncDir(root, dir); {
	case errors.Is(err, fs.ErrNotExist):
		return found, nil
	case err != nil:
		return found, unavailable(err)
	}
	_ = root.Remove(dir) // fails if something else is in dir; then the folder remains
	return found, nil
}

// deleteEntries reads dir once and deletes the files that it finds. It reports whether there were
// any.
func deleteEntries(ctx context.Context, root *os.Root, dir string) (found bool, err error) {
	d, err := root.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, unreadable(err)
	}
	defer func() { _ = d.Close() }()
	for {
		entries, errRead := d.ReadDir(readEntries)
		for _, e := range entries {
			deleted, err := deleteEntry(ctx, root, path.Join(dir, e.Name()), e.IsDir())
			if found = found || deleted; err != nil {
				return found, err
			}
		}
		if errors.Is(errRead, io.EOF) {
			return found, nil
		}
		if errRead != nil {
			return found, unreadable(errRead)
		}
	}
}

// deleteEntry deletes a file, or the files of a folder, and reports whether there were any.
func deleteEntry(ctx context.Context, root *os.Root, at string, isDir bool) (found bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	name, isFile := strings.CutSuffix(at, suffix)
	switch {
	case isDir && nameForm.MatchString(at):
		return deleteFolder(ctx, root, at)
	case isDir || !isFile || !nameForm.MatchString(name):
		return false, nil
	}
	err = root.Remove(at) // another call may have deleted the file
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, unavailable(err)
	}
	return err == nil, nil
}

package files

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"sync/atomic"
	"time"

	"lyceum/domain/fault"
	"lyceum/domain/submission"
	"lyceum/ports"
)

const (
	// suffix is appended to the names of stored files, so that both a and a/b can be stored.
	suffix = ".file"
	// tempDir is the folder of incomplete files.
	tempDir = ".incoming"
	// tempMaxAge is the time since the last write after which an incomplete file is deleted. It is
	// longer than an upload, because the clocks of servers can differ.
	tempMaxAge = 2 * submission.UploadTime

	dirMode  = 0o700
	fileMode = 0o600
)

// Folder stores files in a folder, which several servers can share. It never accesses files outside
// of the folder, even if the folder contains symbolic links.
type Folder struct {
	dir  string
	root atomic.Pointer[os.Root] // replaced when dir leads to another folder
}

var _ ports.Files = (*Folder)(nil)

// OpenFolder opens the folder dir. It creates a missing folder.
func OpenFolder(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return nil, fmt.Errorf("files.dir: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("files.dir: %w", err)
	}
	if err := root.MkdirAll(tempDir, dirMode); err != nil {
		return nil, fmt.Errorf("files.dir: %w", errors.Join(err, root.Close()))
	}
	f := &Folder{dir: dir}
	f.root.Store(root)
	return f, nil
}

func (f *Folder) Close() error { return f.root.Load().Close() }

// Put implements ports.Files. It writes a temporary file and renames it, so that a file is complete
// or does not exist, even after a crash.
func (f *Folder) Put(ctx context.Context, name string, r io.Reader) (int64, error) {
	if err := check(name); err != nil {
		return 0, err
	}
	root, err := f.attached()
	if err != nil {
		return 0, err
	}
	target, part := name+suffix, path.Join(tempDir, rand.Text())
	n, err := write(ctx, root, part, r)
	if err == nil {
		err = unavailable(place(root, part, target))
	}
	if err != nil {
		_ = root.Remove(part) // if this fails, DeleteIncomplete deletes the file later
		return 0, err
	}
	return n, unavailable(settle(root, path.Dir(target)))
}

// place moves the complete file part to target. Another call can remove the folder of target while it
// is empty, so place tries more than once. MkdirAll returns ErrExist if the folder is removed after it
// could not be created because it existed.
func place(root *os.Root, part, target string) (err error) {
	const attempts = 10
	for range attempts {
		if err = root.MkdirAll(path.Dir(target), dirMode); err == nil {
			err = root.Rename(part, target)
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return err
}

// writeSize is the number of bytes that are written together.
const writeSize = 64 << 10

// write creates the file part with the contents of r.
func write(ctx context.Context, root *os.Root, part string, r io.Reader) (int64, error) {
	file, err := root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return 0, unavailable(err)
	}
	from := &ctxReader{ctx: ctx, Reader: r}
	// A client can send small pieces. The buffer must not see that file implements io.ReaderFrom,
	// because it would then pass them on.
	buffered := bufio.NewWriterSize(struct{ io.Writer }{file}, writeSize)
	n, err := io.Copy(buffered, from)
	if err == nil {
		err = buffered.Flush()
	}
	if err != nil && from.err == nil {
		err = unavailable(err)
	}
	if err == nil {
		err = unavailable(file.Sync())
	}
	if errClose := file.Close(); err == nil {
		err = unavailable(errClose)
	}
	if err == nil {
		err = ctx.Err()
	}
	return n, err
}

// settle syncs dir and its parents, so that the names of new files survive a crash.
func settle(root *os.Root, dir string) error {
	for {
		if err := syncDir(root, dir); err != nil || dir == "." {
			return err
		}
		dir = path.Dir(dir)
	}
}

func syncDir(root *os.Root, dir string) error {
	d, err := root.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// rootFor returns the root for an operation on name, unless name is invalid or ctx has ended.
func (f *Folder) rootFor(ctx context.Context, name string) (*os.Root, error) {
	if err := check(name); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return f.attached()
}

// Open implements ports.Files. The opened file stays readable after Delete or Put.
func (f *Folder) Open(ctx context.Context, name string) (io.ReadSeekCloser, error) {
	root, err := f.rootFor(ctx, name)
	if err != nil {
		return nil, err
	}
	file, err := root.Open(name + suffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.RecordNotFound()
	}
	if err != nil {
		return nil, unreadable(err)
	}
	return file, nil
}

// Delete implements ports.Files. It also removes the folders that are empty then, because the names of
// folders contain the IDs of schools. It syncs the first folder that remains: after a crash a file that
// comes back would remain, because its job is gone.
func (f *Folder) Delete(ctx context.Context, name string) error {
	root, err := f.rootFor(ctx, name)
	if err != nil {
		return err
	}
	target := name + suffix
	if err := root.Remove(target); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	dir := path.Dir(target)
	for ; dir != "." && root.Remove(dir) == nil; dir = path.Dir(dir) {
	}
	// A missing file or folder may have been removed by a call whose sync failed.
	err = syncDir(root, dir)
	for ; errors.Is(err, fs.ErrNotExist) && dir != "."; err = syncDir(root, dir) {
		dir = path.Dir(dir)
	}
	return unavailable(err)
}

// DeleteIncomplete implements ports.Files.
func (f *Folder) DeleteIncomplete(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	root, err := f.attached()
	if err != nil {
		return err
	}
	entries, err := fs.ReadDir(root.FS(), tempDir)
	if err != nil {
		return unreadable(err)
	}
	var failed []error // a file that cannot be deleted does not keep the others
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && time.Since(info.ModTime()) > tempMaxAge {
			err = root.Remove(path.Join(tempDir, e.Name()))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // another server may have deleted it
			failed = append(failed, err)
		}
	}
	return unavailable(errors.Join(failed...))
}

package files

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"lyceum/domain/fault"
	"lyceum/ports"
)

const (
	// suffix ends the names of kept files, so that none is in the way of the
	// folders of another: a and a/b may both be kept.
	suffix = ".file"
	// incoming is the folder of files that are not whole yet.
	incoming = ".incoming"
	// abandoned is the age at which a file that never became whole is swept out.
	abandoned = 24 * time.Hour

	onlyOwner    = 0o700
	onlyOwnerRaw = 0o600
)

// Folder keeps files in a folder of the file system, which several servers may
// share. Nothing outside of it is ever touched, whatever links it holds.
type Folder struct{ root *os.Root }

var _ ports.Files = (*Folder)(nil)

// OpenFolder returns the files in the folder dir, which is made if it is not
// there. What a crash left half written there is swept out.
func OpenFolder(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, onlyOwner); err != nil {
		return nil, fmt.Errorf("files.dir: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("files.dir: %w", err)
	}
	f := &Folder{root}
	if err := f.prepare(); err != nil {
		return nil, fmt.Errorf("files.dir: %w", errors.Join(err, root.Close()))
	}
	return f, nil
}

// Close releases the folder.
func (f *Folder) Close() error { return f.root.Close() }

func (f *Folder) prepare() error {
	if err := f.root.MkdirAll(incoming, onlyOwner); err != nil {
		return err
	}
	entries, err := fs.ReadDir(f.root.FS(), incoming)
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && time.Since(info.ModTime()) > abandoned {
			err = f.root.Remove(path.Join(incoming, e.Name()))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // another server may sweep as well
			return err
		}
	}
	return nil
}

// Put writes the bytes beside the kept files and then moves them to their place,
// so that a file is whole or not there, after a crash too.
func (f *Folder) Put(ctx context.Context, name string, r io.Reader) (int64, error) {
	if err := check(name); err != nil {
		return 0, err
	}
	place, part := name+suffix, path.Join(incoming, rand.Text())
	n, err := f.write(ctx, part, r)
	if err == nil {
		err = unable(f.root.MkdirAll(path.Dir(place), onlyOwner))
	}
	if err == nil {
		err = unable(f.root.Rename(part, place))
	}
	if err != nil {
		_ = f.root.Remove(part) // or it is swept out later
		return 0, err
	}
	return n, unable(f.settle(path.Dir(place)))
}

// write makes the file part of the bytes of r.
func (f *Folder) write(ctx context.Context, part string, r io.Reader) (int64, error) {
	file, err := f.root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, onlyOwnerRaw)
	if err != nil {
		return 0, unable(err)
	}
	from := &obedient{ctx: ctx, Reader: r}
	n, err := io.Copy(file, from)
	if err != nil && from.err == nil {
		err = unable(err)
	}
	if err == nil {
		err = unable(file.Sync())
	}
	if errClose := file.Close(); err == nil {
		err = unable(errClose)
	}
	if err == nil {
		err = ctx.Err()
	}
	return n, err
}

// settle makes the names in dir, and that of dir itself, outlast a crash.
func (f *Folder) settle(dir string) error {
	for {
		d, err := f.root.Open(dir)
		if err != nil {
			return err
		}
		if err := errors.Join(d.Sync(), d.Close()); err != nil {
			return err
		}
		if dir == "." {
			return nil
		}
		dir = path.Dir(dir)
	}
}

// Open opens the file. It can be read to its end, whatever becomes of it.
func (f *Folder) Open(ctx context.Context, name string) (io.ReadSeekCloser, error) {
	if err := check(name); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	file, err := f.root.Open(name + suffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Missing()
	}
	if err != nil {
		return nil, err
	}
	return file, nil
}

// Remove removes the file. The folders around it stay.
func (f *Folder) Remove(ctx context.Context, name string) error {
	if err := check(name); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := f.root.Remove(name + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

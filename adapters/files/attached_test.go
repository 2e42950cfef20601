package files_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/files"
	"lyceum/domain/fault"
)

// After a folder was moved, no file can be stored or opened until the path leads to the folder
// again, or to another folder of files. A new folder at the path may be the mount point of a
// missing file system.
func TestDetachedFolder(t *testing.T) {
	is := is.New(t)
	dir, aside := filepath.Join(t.TempDir(), "files"), filepath.Join(t.TempDir(), "aside")
	f, err := files.OpenFolder(dir)
	is.NoErr(err)
	t.Cleanup(func() { _ = f.Close() })
	refused := func() {
		t.Helper()
		is.True(fault.Is(f.Ready(t.Context()), fault.Unavailable))
		_, err := f.Put(t.Context(), "a", strings.NewReader("lost"))
		is.True(fault.Is(err, fault.Unavailable))
		_, err = f.Open(t.Context(), "a") // not NotFound, because the file may exist
		is.True(fault.Is(err, fault.Unavailable))
		// Delete must not return nil, because the file would remain.
		is.True(fault.Is(f.Delete(t.Context(), "a"), fault.Unavailable))
		is.True(fault.Is(f.DeleteFolder(t.Context(), "a"), fault.Unavailable))
	}

	is.NoErr(os.Rename(dir, aside))
	refused()
	is.NoErr(os.Mkdir(dir, 0o700))
	refused()
	is.NoErr(os.Remove(dir))
	is.NoErr(os.Rename(aside, dir))
	is.NoErr(f.Ready(t.Context()))
	_, err = f.Put(t.Context(), "a", strings.NewReader("kept"))
	is.NoErr(err)

	is.NoErr(os.CopyFS(aside, os.DirFS(dir))) // restored from a copy
	is.NoErr(os.RemoveAll(dir))
	is.NoErr(os.Rename(aside, dir))
	is.NoErr(f.Ready(t.Context()))
	is.Equal(read(t, f, "a"), "kept")
	_, err = f.Put(t.Context(), "b", strings.NewReader("new"))
	is.NoErr(err)
	_, err = os.Stat(filepath.Join(dir, "b.file"))
	is.NoErr(err)
}

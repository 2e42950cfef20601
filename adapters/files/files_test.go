package files_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/files"
	"lyceum/domain/fault"
	"lyceum/ports"
	"lyceum/test/conformance/filetest"
)

func TestConformance(t *testing.T) {
	t.Run("memory", func(t *testing.T) {
		filetest.Run(t, func(*testing.T) ports.Files { return files.NewMemory() })
	})
	t.Run("folder", func(t *testing.T) {
		filetest.Run(t, func(t *testing.T) ports.Files {
			t.Helper()
			f, err := files.OpenFolder(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			return f
		})
	})
}

func TestPutReplaceDelete(t *testing.T) {
	for kind, f := range both(t) {
		t.Run(kind, func(t *testing.T) {
			is := is.New(t)
			for _, name := range []string{"a/b", "a", "a/b/c"} { // no name conflicts with another
				n, err := f.Put(t.Context(), name, strings.NewReader(name))
				is.NoErr(err)
				is.Equal(n, int64(len(name)))
			}
			was, err := f.Open(t.Context(), "a/b")
			is.NoErr(err)
			broken := errors.New("broken")
			_, err = f.Put(t.Context(), "a/b", io.MultiReader(strings.NewReader("half"), iotest.ErrReader(broken)))
			is.True(errors.Is(err, broken))
			is.Equal(read(t, f, "a/b"), "a/b") // the file is unchanged
			_, err = f.Put(t.Context(), "a/b", strings.NewReader("new"))
			is.NoErr(err)
			is.Equal(read(t, f, "a/b"), "new")
			is.NoErr(f.Delete(t.Context(), "a/b"))
			is.NoErr(f.Delete(t.Context(), "a/b"))
			_, err = f.Open(t.Context(), "a/b")
			is.True(fault.Is(err, fault.NotFound))
			old, err := io.ReadAll(was)
			is.NoErr(err)
			is.Equal(string(old), "a/b") // an open file remains readable
			is.NoErr(was.Close())
			is.Equal(read(t, f, "a")+read(t, f, "a/b/c"), "aa/b/c")

			ended, end := context.WithCancel(t.Context())
			end()
			_, err = f.Put(ended, "late", strings.NewReader("x"))
			is.True(errors.Is(err, context.Canceled))
			_, err = f.Open(t.Context(), "late")
			is.True(fault.Is(err, fault.NotFound))
		})
	}
}

func TestFolderIsReopened(t *testing.T) {
	is := is.New(t)
	dir := filepath.Join(t.TempDir(), "made", "here")
	f, err := files.OpenFolder(dir)
	is.NoErr(err)
	_, err = f.Put(t.Context(), "a/b", strings.NewReader("kept"))
	is.NoErr(err)
	_, err = f.Put(t.Context(), "c", iotest.ErrReader(io.ErrUnexpectedEOF))
	is.Equal(err, io.ErrUnexpectedEOF)
	left, err := os.ReadDir(filepath.Join(dir, ".incoming"))
	is.NoErr(err)
	is.Equal(len(left), 0) // no incomplete file remains
	is.NoErr(f.Close())

	f, err = files.OpenFolder(dir)
	is.NoErr(err)
	is.Equal(read(t, f, "a/b"), "kept")
	is.NoErr(f.Close())
}

// DeleteIncomplete deletes the files that a crash has left, and none that another server may be
// writing.
func TestDeleteIncomplete(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	f, err := files.OpenFolder(dir)
	is.NoErr(err)
	defer func() { is.NoErr(f.Close()) }()
	_, err = f.Put(t.Context(), "a", strings.NewReader("kept"))
	is.NoErr(err)
	is.NoErr(os.Chtimes(filepath.Join(dir, "a.file"), time.Time{}, time.Now().Add(-3*time.Hour)))
	for name, age := range map[string]time.Duration{"old": 121 * time.Minute, "young": 119 * time.Minute} {
		at := filepath.Join(dir, ".incoming", name)
		is.NoErr(os.WriteFile(at, []byte(name), 0o600))
		is.NoErr(os.Chtimes(at, time.Time{}, time.Now().Add(-age)))
	}
	is.NoErr(f.DeleteIncomplete(t.Context()))
	left, err := os.ReadDir(filepath.Join(dir, ".incoming"))
	is.NoErr(err)
	is.Equal(len(left), 1)
	is.Equal(left[0].Name(), "young")
	is.Equal(read(t, f, "a"), "kept")

	// A file that cannot be deleted does not keep the others.
	stuck := filepath.Join(dir, ".incoming", "stuck")
	is.NoErr(os.MkdirAll(filepath.Join(stuck, "full"), 0o700))
	young := filepath.Join(dir, ".incoming", "young")
	for _, name := range []string{stuck, young} {
		is.NoErr(os.Chtimes(name, time.Time{}, time.Now().Add(-3*time.Hour)))
	}
	is.True(fault.Is(f.DeleteIncomplete(t.Context()), fault.Unavailable))
	_, err = os.Stat(young)
	is.True(errors.Is(err, os.ErrNotExist))

	is.NoErr(os.RemoveAll(filepath.Join(dir, ".incoming")))
	is.True(fault.Is(f.DeleteIncomplete(t.Context()), fault.Unavailable))
}

// DeleteFolder removes the folder, unless it contains something else, such as a file in which NFS
// keeps the bytes of an open file.
func TestDeleteFolder(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	f, err := files.OpenFolder(dir)
	is.NoErr(err)
	defer func() { is.NoErr(f.Close()) }()
	for _, name := range []string{"a/b", "c/d"} {
		_, err = f.Put(t.Context(), name, strings.NewReader("x"))
		is.NoErr(err)
	}
	is.NoErr(os.WriteFile(filepath.Join(dir, "c", ".nfs01"), nil, 0o600))
	is.NoErr(f.DeleteFolder(t.Context(), "a"))
	_, err = os.Stat(filepath.Join(dir, "a"))
	is.True(errors.Is(err, os.ErrNotExist))
	is.NoErr(f.DeleteFolder(t.Context(), "c"))
	left, err := os.ReadDir(filepath.Join(dir, "c"))
	is.NoErr(err)
	is.Equal(len(left), 1)
	is.Equal(left[0].Name(), ".nfs01")
}

func TestSymlinkDoesNotLeadOutOfFolder(t *testing.T) {
	is := is.New(t)
	dir, outside := t.TempDir(), t.TempDir()
	is.NoErr(os.Symlink(outside, filepath.Join(dir, "a")))
	is.NoErr(os.WriteFile(filepath.Join(outside, "b.file"), []byte("secret"), 0o600))
	f, err := files.OpenFolder(dir)
	is.NoErr(err)
	defer func() { _ = f.Close() }()
	_, err = f.Open(t.Context(), "a/b")
	is.True(err != nil)
	_, err = f.Put(t.Context(), "a/c", strings.NewReader("x"))
	is.True(err != nil)
}

func TestOpenFolderFails(t *testing.T) {
	is := is.New(t)
	file := filepath.Join(t.TempDir(), "file")
	is.NoErr(os.WriteFile(file, nil, 0o600))
	_, err := files.OpenFolder(file)
	is.True(err != nil)
	is.True(strings.HasPrefix(err.Error(), "files.dir: "))
}

// both returns an empty store of each implementation of ports.Files, by name.
func both(t *testing.T) map[string]ports.Files {
	t.Helper()
	folder, err := files.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = folder.Close() })
	return map[string]ports.Files{"memory": files.NewMemory(), "folder": folder}
}

func read(t *testing.T, f ports.Files, name string) string {
	t.Helper()
	r, err := f.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Delete removes the folders that are empty then, and no others.
func TestDeleteRemovesEmptyFolders(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	f, err := files.OpenFolder(dir)
	is.NoErr(err)
	defer func() { is.NoErr(f.Close()) }()
	for _, name := range []string{"a/b/one", "a/b/two", "a/c/three"} {
		_, err := f.Put(t.Context(), name, strings.NewReader(name))
		is.NoErr(err)
	}
	exists := func(name string) bool { _, err := os.Stat(filepath.Join(dir, name)); return err == nil }
	is.NoErr(f.Delete(t.Context(), "a/b/one"))
	is.True(exists("a/b"))
	is.NoErr(f.Delete(t.Context(), "a/b/two"))
	is.True(!exists("a/b"))
	is.True(exists("a/c"))
	is.NoErr(f.Delete(t.Context(), "a/b/two")) // its folder does not exist
	is.NoErr(f.Delete(t.Context(), "a/c/three"))
	is.True(!exists("a"))
	is.True(exists(".incoming"))
}

// A file is stored even if its folder is removed at the same time, because it was empty.
func TestPutWhileFoldersAreRemoved(t *testing.T) {
	is := is.New(t)
	f, err := files.OpenFolder(t.TempDir())
	is.NoErr(err)
	defer func() { is.NoErr(f.Close()) }()
	var writers sync.WaitGroup
	for n := range 4 {
		writers.Go(func() {
			name := fmt.Sprintf("a/b/%d", n)
			for range 100 {
				if _, err := f.Put(t.Context(), name, strings.NewReader(name)); err != nil {
					t.Error(err)
				}
				r, err := f.Open(t.Context(), name)
				if err != nil {
					t.Error(err)
					return
				}
				_ = r.Close()
				if err := f.Delete(t.Context(), name); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
}

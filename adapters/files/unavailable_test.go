package files_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/files"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/domain/submission"
)

// TestFullFolder runs itself in a second process in which a file can have at most 8 KiB: writing a
// larger file fails as on a full disk (with EFBIG in place of ENOSPC).
func TestFullFolder(t *testing.T) {
	if dir := os.Getenv("LYCEUM_TEST_FULL"); dir != "" {
		is := is.New(t)
		is.NoErr(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 8192, Max: 8192}))
		f, err := files.OpenFolder(dir)
		is.NoErr(err)
		is.NoErr(f.Ready(t.Context()))
		_, err = f.Put(t.Context(), "large", bytes.NewReader(make([]byte, 1<<20)))
		is.True(fault.Is(err, fault.Full))
		is.True(!fault.IsRefusal(err)) // the request may be retried
		_, err = f.Put(t.Context(), "small", strings.NewReader("kept"))
		is.NoErr(err)
		left, err := os.ReadDir(filepath.Join(dir, ".incoming"))
		is.NoErr(err)
		is.Equal(len(left), 0)
		_, err = f.Open(t.Context(), "large")
		is.True(fault.Is(err, fault.NotFound))
		return
	}
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFullFolder$")
	command.Env = append(os.Environ(), "LYCEUM_TEST_FULL="+t.TempDir())
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// A folder that cannot be written to is an outage. Permissions do not apply to root, so the
// test removes the folder of incomplete files.
func TestUnwritableFolder(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	f, err := files.OpenFolder(dir)
	is.NoErr(err)
	t.Cleanup(func() { _ = f.Close() })
	is.NoErr(f.Ready(t.Context()))
	is.NoErr(os.Remove(filepath.Join(dir, ".incoming")))
	is.NoErr(os.WriteFile(filepath.Join(dir, ".incoming"), nil, 0o600))
	is.True(fault.Is(f.Ready(t.Context()), fault.Unavailable))
	_, err = f.Put(t.Context(), "a", strings.NewReader("x"))
	is.True(fault.Is(err, fault.Unavailable))

	is.NoErr(os.Remove(filepath.Join(dir, ".incoming")))
	is.NoErr(os.Mkdir(filepath.Join(dir, ".incoming"), 0o700))
	is.NoErr(f.Ready(t.Context()))
	// The error is about the uploaded bytes, not the folder.
	_, err = f.Put(t.Context(), "a", iotest.ErrReader(syscall.ENOSPC))
	is.True(errors.Is(err, syscall.ENOSPC) && fault.All(err) == nil)
	_, err = f.Put(t.Context(), "a", iotest.ErrReader(io.ErrUnexpectedEOF))
	is.Equal(err, io.ErrUnexpectedEOF)
}

// It is an outage if an existing file, or the whole folder of submissions, cannot be opened.
// Permissions do not apply to root, so the test replaces the file with a symbolic link and the
// folder with a file.
func TestUnreadableFile(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	f, err := files.OpenFolder(dir)
	is.NoErr(err)
	t.Cleanup(func() { _ = f.Close() })
	name := usecase.FileOf(school.ID{UUID: uuid.New()}, submission.ID{UUID: uuid.New()})
	_, err = f.Put(t.Context(), name, strings.NewReader("kept"))
	is.NoErr(err)
	is.NoErr(f.Ready(t.Context()))

	target := filepath.Join(dir, name+".file")
	is.NoErr(os.Remove(target))
	is.NoErr(os.Symlink(filepath.Base(target), target)) // opening the file fails with ELOOP
	_, err = f.Open(t.Context(), name)
	is.True(fault.Is(err, fault.Unavailable))

	all := filepath.Join(dir, "submissions")
	is.NoErr(os.RemoveAll(all))
	is.NoErr(os.WriteFile(all, nil, 0o600)) // opening a file fails with ENOTDIR
	_, err = f.Open(t.Context(), name)
	is.True(fault.Is(err, fault.Unavailable))
	is.True(fault.Is(f.Ready(t.Context()), fault.Unavailable))
	is.NoErr(os.Remove(all))
	is.NoErr(f.Ready(t.Context()))
}

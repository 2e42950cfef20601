package files_test

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/matryer/is"
	"lyceum/adapters/files"
)

// A file that arrives in small pieces is written in large ones.
func TestWriteSize(t *testing.T) {
	is := is.New(t)
	f, err := files.OpenFolder(t.TempDir())
	is.NoErr(err)
	before := writes(t)
	_, err = f.Put(t.Context(), "pieces", iotest.OneByteReader(strings.NewReader(strings.Repeat("x", 1<<20))))
	is.NoErr(err)
	is.True(writes(t)-before < 1000)
}

// writes returns the number of writes of this process so far.
func writes(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		t.Skip("the system does not count writes:", err)
	}
	_, counts, _ := strings.Cut(string(text), "syscw: ")
	count, _, _ := strings.Cut(counts, "\n")
	n, err := strconv.Atoi(count)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

package files_test

import (
	"bytes"
	"runtime"
	"testing"
	"testing/iotest"

	"github.com/matryer/is"
	"lyceum/adapters/files"
)

// A large file in memory is not copied to a longer slice again and again while it arrives.
func TestFileInMemoryIsNotCopied(t *testing.T) {
	is := is.New(t)
	data := make([]byte, 32<<20)
	f := files.NewMemory()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n, err := f.Put(t.Context(), "large", iotest.HalfReader(bytes.NewReader(data)))
	is.NoErr(err)
	is.Equal(n, int64(len(data)))
	runtime.ReadMemStats(&after)
	is.True(after.TotalAlloc-before.TotalAlloc < uint64(len(data))*5/4)
}

package files_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/files"
	"lyceum/domain/fault"
)

// A school uses at most half of the memory that the files of other schools leave. Deleted and
// replaced files do not count.
func TestMemoryIsShared(t *testing.T) {
	is := is.New(t)
	f := files.NewMemoryOf(1000)
	put := func(name string, size int) error {
		_, err := f.Put(t.Context(), name, strings.NewReader(strings.Repeat("x", size)))
		return err
	}
	is.NoErr(put("submissions/a/1", 400))
	is.NoErr(put("submissions/a/2", 100))
	is.True(fault.Is(put("submissions/a/3", 1), fault.Full))
	_, err := f.Open(t.Context(), "submissions/a/3")
	is.True(fault.Is(err, fault.NotFound))
	is.True(fault.Is(put("submissions/a/2", 101), fault.Full)) // the old file remains
	is.NoErr(put("submissions/a/2", 100))
	is.NoErr(put("submissions/a/empty", 0))

	is.True(fault.Is(put("submissions/b/1", 251), fault.Full))
	is.NoErr(put("submissions/b/1", 250))
	is.NoErr(put("submissions/a/1", 275)) // a has 375 of the 750 bytes that b leaves
	is.True(fault.Is(put("submissions/a/3", 1), fault.Full))

	is.NoErr(f.Delete(t.Context(), "submissions/a/1"))
	is.NoErr(f.Delete(t.Context(), "submissions/a/unknown"))
	is.NoErr(put("submissions/a/3", 275))
	is.NoErr(f.DeleteFolder(t.Context(), "submissions/a"))
	is.NoErr(put("submissions/a/1", 375))
}

// Simultaneous uploads of a school do not exceed its share together.
func TestMemoryIsSharedByConcurrentUploads(t *testing.T) {
	is := is.New(t)
	f := files.NewMemoryOf(1000)
	var all sync.WaitGroup
	stored := make(chan error, 20)
	start := make(chan struct{})
	for i := range cap(stored) {
		all.Go(func() {
			_, err := f.Put(context.Background(), "submissions/a/"+string(rune('a'+i)), &waiting{start, strings.NewReader(strings.Repeat("x", 100))})
			stored <- err
		})
	}
	close(start)
	all.Wait()
	n := 0
	for range cap(stored) {
		if <-stored == nil {
			n++
		}
	}
	is.Equal(n, 5)
}

// waiting is a reader that waits for start before the first byte.
type waiting struct {
	start chan struct{}
	*strings.Reader
}

// Read implements io.Reader.
func (w *waiting) Read(p []byte) (int, error) {
	<-w.start
	return w.Reader.Read(p)
}

package slowuploads_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/matryer/is"
)

// size is the size of the file, more than what buffers on the way hold.
const size = 8 << 20

// Who sends half of a file and then nothing is cut off when the pause is over. The
// key of the request is as good as new.
func TestStalledClientIsDisconnected(t *testing.T) {
	onEachStore(t, func(w world) {
		is := is.New(w.t)
		text := formStart(size)
		c := w.dial(len(text))
		w.write(c, text[:size/2])
		w.eventually(func() bool { return len(w.storedFiles()) == 1 }) // it comes in
		stopped := time.Now()
		status, closed := w.readResponse(c)
		took := time.Since(stopped)
		is.Equal(status, http.StatusRequestTimeout)
		is.True(closed)
		is.True(took < testTimeout) // in the time of the API, not of the connection
		is.Equal(w.storedFiles(), nil)
		is.Equal(w.submissions(), 0)

		again := w.dial(len(text))
		w.write(again, text)
		status, _ = w.readResponse(again)
		is.Equal(status, http.StatusCreated)
		is.Equal(w.submissions(), 1)
		is.Equal(len(w.storedFiles()), 1)
	})
}

// Who never stops for long, but never comes to the end, is cut off when all of the
// time is over.
func TestEndlessClientIsDisconnected(t *testing.T) {
	onEachStore(t, func(w world) {
		is := is.New(w.t)
		text := formStart(size)
		begun := time.Now()
		c := w.dial(len(text))
		w.write(c, text[:1000])
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			for i := 1000; ; i++ {
				select {
				case <-stop:
					return
				case <-time.After(idleTimeout / 10):
					if _, err := c.Write([]byte(text[i : i+1])); err != nil {
						return
					}
				}
			}
		}()
		status, _ := w.readResponse(c)
		took := time.Since(begun)
		close(stop)
		<-stopped
		is.Equal(status, http.StatusServiceUnavailable)
		is.True(took >= uploadTimeout && took < testTimeout)
		is.Equal(w.storedFiles(), nil)
		is.Equal(w.submissions(), 0)
	})
}

// A client that sends a byte now and then, fewer than the least rate, is cut off
// long before all of the time is over.
func TestUploadBelowLeastRate(t *testing.T) {
	onEachStore(t, func(w world) {
		is := is.New(w.t)
		text := formStart(size)
		c := w.dial(len(text))
		w.write(c, text[:1000])
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			for i := 1000; ; i++ {
				select {
				case <-stop:
					return
				case <-time.After(idleTimeout * 2 / 3): // never as long as the pause
					if _, err := c.Write([]byte(text[i : i+1])); err != nil {
						return
					}
				}
			}
		}()
		status, closed := w.readResponse(c)
		close(stop)
		<-stopped
		is.Equal(status, http.StatusRequestTimeout)
		is.True(closed)
		is.Equal(w.storedFiles(), nil)
		is.Equal(w.submissions(), 0)
	})
}

// Who hangs up in the midst leaves nothing either.
func TestDisconnectedClientLeavesNothing(t *testing.T) {
	onEachStore(t, func(w world) {
		is := is.New(w.t)
		text := formStart(size)
		c := w.dial(len(text))
		w.write(c, text[:size/2])
		w.eventually(func() bool { return len(w.storedFiles()) == 1 })
		is.NoErr(c.Close())
		w.eventually(func() bool { return len(w.storedFiles()) == 0 })
		is.Equal(w.submissions(), 0)
	})
}

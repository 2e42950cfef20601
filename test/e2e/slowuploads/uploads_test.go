package slowuploads_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/matryer/is"
)

// size is the size of the file in bytes. It exceeds the size of all buffers together.
const size = 8 << 20

// TestStalledClientIsDisconnected checks that the server disconnects a client after the idle
// timeout if the client sends half of a file and then nothing. The client can retry the request
// with the same key.
func TestStalledClientIsDisconnected(t *testing.T) {
	onEachStore(t, func(w world) {
		is := is.New(w.t)
		text := formStart(size)
		c := w.dial(len(text))
		w.write(c, text[:size/2])
		w.eventually(func() bool { return len(w.storedFiles()) == 1 }) // the upload has started
		stopped := time.Now()
		status, closed := w.readResponse(c)
		took := time.Since(stopped)
		is.Equal(status, http.StatusRequestTimeout)
		is.True(closed)
		is.True(took < testTimeout) // the server used the time limit of the API, not the time limit of the connection
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

// TestEndlessClientIsDisconnected checks that the server disconnects a client at the time limit if
// the client sends without long pauses but never finishes.
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
				case <-time.After(idleTimeout / 40):
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

// TestUploadBelowLeastRate checks that the server disconnects a client whose rate is below the
// minimum, although its pauses are shorter than the idle timeout. The response is 408, not the 503
// of the time limit.
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
				case <-time.After(idleTimeout * 2 / 3): // shorter than the idle timeout
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

// TestDisconnectedClientLeavesNothing checks that nothing is saved if the client disconnects during
// the upload.
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

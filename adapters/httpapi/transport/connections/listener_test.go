package connections_test

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/transport/connections"
)

// If file descriptors or memory run out, the listener closes a waiting connection and continues to
// accept.
func TestAcceptSurvivesShortages(t *testing.T) {
	for _, err := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM} {
		t.Run(err.Error(), func(t *testing.T) {
			is := is.New(t)
			l := connections.New(connections.Config{Max: 100}, slog.New(slog.DiscardHandler))
			waiting, active, last := &conn{from: "192.0.2.1"}, &conn{from: "192.0.2.1"}, &conn{from: "192.0.2.1"}
			failed := &net.OpError{Op: "accept", Err: err}
			limited := l.Listener(&script{results: []any{active, waiting, failed, failed, last}})
			first, err := limited.Accept()
			is.NoErr(err)
			l.Changed(first, http.StateActive)
			for range 2 {
				_, err := limited.Accept()
				is.NoErr(err)
			}
			is.True(!last.closed)
			is.True(waiting.closed)
			is.True(!active.closed)
			is.Equal(l.Stats(), connections.Stats{Open: 2, Waiting: 1, Replaced: 1})
		})
	}
}

func TestAcceptReturnsOtherErrors(t *testing.T) {
	is := is.New(t)
	l := connections.New(connections.Config{Max: 100}, slog.New(slog.DiscardHandler))
	_, err := l.Listener(&script{results: []any{syscall.EINVAL}}).Accept()
	is.True(errors.Is(err, syscall.EINVAL))
}

// Close ends the pause after a failed accept.
func TestCloseEndsPause(t *testing.T) {
	is := is.New(t)
	l := connections.New(connections.Config{Max: 100}, slog.New(slog.DiscardHandler))
	results := make([]any, 500)
	for i := range results {
		results[i] = syscall.EMFILE
	}
	limited := l.Listener(&script{results: results}) // pauses of about 500 seconds in total
	is.NoErr(limited.Close())
	_, err := limited.Accept()
	is.True(errors.Is(err, net.ErrClosed))
}

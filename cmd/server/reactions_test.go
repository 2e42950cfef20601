package server_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/app/reactions"
	"lyceum/cmd/server"
	"lyceum/test/kit"
)

// log is the output of a logger that several goroutines use.
type log struct {
	mu    sync.Mutex
	lines bytes.Buffer
}

// Write implements io.Writer.
func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.Write(p)
}

// String returns what was written.
func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.String()
}

// reacting runs a server with a reaction to categories until the test ends, and adds a category.
func reacting(t *testing.T, cfg server.Config, react reactions.Func) *server.Server {
	t.Helper()
	is := is.New(t)
	cfg.Worker.Poll = 20 * time.Millisecond
	cfg.Extension = server.Extend(server.WithReaction("test", []string{"categories"}, react))
	s, err := server.New(cfg)
	is.NoErr(err)
	is.NoErr(s.Start(t.Context()))
	t.Cleanup(func() { is.NoErr(s.Stop()) })
	_, key, err := kit.School{Name: "Acme"}.Import(t.Context(), s.App())
	is.NoErr(err)
	a, err := s.App().Auth.Authenticate(t.Context(), key)
	is.NoErr(err)
	_, err = s.App().Categories.Create(t.Context(), a, "Music")
	is.NoErr(err)
	return s
}

// The error of a reaction is in the log, and not in the job, where the deletion of a person whom the
// error names would not find it.
func TestErrorsOfReactionsAreOnlyLogged(t *testing.T) {
	is := is.New(t)
	cfg, lines := local(), &log{}
	cfg.Log = slog.New(slog.NewTextHandler(lines, nil))
	s := reacting(t, cfg, func(context.Context, reactions.Notification) error { return errors.New("refused ada@example.test") })
	failed := ""
	for end := time.Now().Add(20 * time.Second); failed == "" && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		all, err := s.App().Jobs.List(t.Context(), reactions.KindPrefix+"test")
		is.NoErr(err)
		for _, j := range all {
			failed = j.LastError
		}
	}
	is.True(failed != "")
	is.True(!strings.Contains(failed, "ada@example.test"))
	is.True(strings.Contains(lines.String(), "refused ada@example.test"))
}

// A running server calls the reactions of its extension in the background.
func TestReactionsOfARunningServer(t *testing.T) {
	called := make(chan struct{}, 100)
	reacting(t, local(), func(context.Context, reactions.Notification) error {
		called <- struct{}{}
		return nil
	})
	select {
	case <-called:
	case <-time.After(20 * time.Second):
		t.Fatal("the reaction was not called")
	}
}

package academy_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"go.uber.org/fx"
	"lyceum/app"
	"lyceum/cmd/server"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/ports"
	"lyceum/test/kit"
	"lyceum/test/kit/pgtest"
)

// slowMail is a mail server that responds late about strangers.
type slowMail struct {
	respond  chan struct{} // closed when it responds
	toPerson chan string

	mu   sync.Mutex // guards sent
	sent map[string]int
}

// SendSignIn implements ports.SignInSender.
func (m *slowMail) SendSignIn(ctx context.Context, e signin.Message) error {
	if !strings.HasPrefix(e.To, "stranger") {
		m.toPerson <- e.To
		return nil
	}
	select {
	case <-m.respond:
	case <-ctx.Done():
		return ctx.Err()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sent[e.To]++
	return nil
}

// sentOnce returns the number of strangers who got one email. It fails the test if one got more.
func (m *slowMail) sentOnce(t *testing.T) int {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	for to, n := range m.sent {
		if n != 1 {
			t.Fatal(to, "got", n, "emails")
		}
	}
	return len(m.sent)
}

// Everyone can request emails from an open school to addresses whose mail server responds late. The
// people of the school do not wait for them, and each stranger gets one.
func TestEmailsToStrangersDoNotDelayPeople(t *testing.T) {
	for _, store := range []server.Store{server.Memory, server.Postgres} {
		t.Run(string(store), func(t *testing.T) {
			is, ctx := is.New(t), t.Context()
			cfg := server.Defaults()
			cfg.Store, cfg.Transport.Addr, cfg.Worker.Poll = store, "127.0.0.1:0", 10*time.Millisecond
			if store == server.Postgres {
				cfg.Files.Dir, cfg.Postgres.DSN, cfg.Postgres.MaxConns = t.TempDir(), pgtest.Migrated(t), 8
			}
			m := &slowMail{respond: make(chan struct{}), toPerson: make(chan string, 1), sent: map[string]int{}}
			srv, err := server.New(cfg, fx.Decorate(func(ports.SignInSender) ports.SignInSender { return m }))
			is.NoErr(err)
			a := srv.App()
			id, _, err := kit.School{Name: "School", Auth: school.Open}.Import(ctx, a)
			is.NoErr(err)
			_, err = a.Transfers.ImportPeople(ctx, app.SystemActor(id), kit.Reading("email\nada@example.test\n"), false) // no invitation
			is.NoErr(err)
			s, err := a.School.Get(ctx, app.SystemActor(id))
			is.NoErr(err)
			is.NoErr(srv.Start(ctx))
			const strangers = 20
			for i := range strangers {
				is.NoErr(a.SignIns.Request(ctx, s.State, fmt.Sprintf("stranger%d@example.test", i), "", false))
			}
			is.NoErr(a.SignIns.Request(ctx, s.State, "ada@example.test", "", false))
			select {
			case to := <-m.toPerson:
				is.Equal(to, "ada@example.test")
			case <-time.After(20 * time.Second):
				t.Error("the person got no email")
			}
			is.Equal(m.sentOnce(t), 0)
			close(m.respond)
			for end := time.Now().Add(20 * time.Second); m.sentOnce(t) < strangers && time.Now().Before(end); {
				time.Sleep(10 * time.Millisecond)
			}
			is.Equal(m.sentOnce(t), strangers)
			is.NoErr(srv.Stop())
		})
	}
}

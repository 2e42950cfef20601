package server_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"go.uber.org/fx"
	"lyceum/app"
	"lyceum/cmd/server"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/signin"
	"lyceum/ports"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
)

// brokenSweep is a store that cannot delete recorded responses.
type brokenSweep struct{ ports.Schools }

func (brokenSweep) DeleteExpiredResponses(context.Context, time.Time, int) (int, error) {
	return 0, errors.New("the table is locked")
}

// The workers delete every kind of expired records, also if one kind cannot be deleted.
func TestExpiredRecordsAreDeleted(t *testing.T) {
	for name, option := range map[string]fx.Option{
		"all": fx.Options(), "but one": fx.Decorate(func(s ports.Schools) ports.Schools { return brokenSweep{s} }),
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			clock, ctx := fake.NewClock(fake.Start), t.Context()
			var store ports.Store
			var queue ports.Queue
			cfg := server.Defaults()
			cfg.Transport.Addr, cfg.Worker.Poll = "127.0.0.1:0", 10*time.Millisecond
			cfg.Files.Dir = t.TempDir()
			upload := filepath.Join(cfg.Files.Dir, ".incoming", "upload")
			srv, err := server.New(cfg, option, fx.Decorate(func(ports.Clock) ports.Clock { return clock }), fx.Populate(&store, &queue))
			is.NoErr(err)
			a := srv.App()
			id, _, err := kit.School{Name: "School"}.Import(ctx, a)
			is.NoErr(err)
			actor := app.SystemActor(id)
			p, err := a.People.Create(ctx, actor, person.Profile{Email: "ada@example.test"})
			is.NoErr(err)
			token, err := a.SignIns.CreateLink(ctx, id, p.Email)
			is.NoErr(err)
			j, err := a.Bulk.Accept(ctx, actor, bulk.People, []bulk.Row{{Subject: "alan@example.test"}})
			is.NoErr(err)
			_, err = a.Bulk.ApplyNext(ctx)
			is.NoErr(err)
			is.NoErr(store.InTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
				return tx.Jobs.Add(ctx, job.New(job.ID{UUID: uuid.New()}, id, signin.Kind, "x", clock.Now()))
			}))
			held, err := queue.Lease(ctx, signin.Kind, 1, clock.Now(), clock.Now().Add(time.Minute))
			is.NoErr(err)
			is.NoErr(queue.MarkDead(ctx, held[0], "no mailbox"))
			left := func() (names []string) {
				keep := func(name string, exists bool) {
					if exists {
						names = append(names, name)
					}
				}
				_, err := a.Bulk.Get(ctx, actor, j.ID)
				keep("bulk job", !fault.Is(err, fault.NotFound))
				dead, err := queue.List(ctx, signin.Kind, job.Dead)
				is.NoErr(err)
				keep("dead job", len(dead) > 0)
				_, err = store.Read(id).SignIns.Link(ctx, signin.HashToken(token))
				keep("sign-in link", !fault.Is(err, fault.NotFound))
				trail, err := a.Audit.List(ctx, actor, query.Query{Page: query.NewPage(1, 1)})
				is.NoErr(err)
				keep("audit events", len(trail.Items) > 0)
				_, err = os.Stat(upload)
				keep("incomplete file", err == nil)
				return names
			}
			is.NoErr(os.WriteFile(upload, nil, 0o600))
			is.NoErr(os.Chtimes(upload, time.Time{}, time.Now().Add(-3*time.Hour)))
			all := []string{"bulk job", "dead job", "sign-in link", "audit events", "incomplete file"}
			is.Equal(left(), all)
			clock.Advance(2 * 365 * 24 * time.Hour)
			is.Equal(left(), all)
			is.NoErr(srv.Start(ctx))
			for end := time.Now().Add(20 * time.Second); len(left()) > 0 && time.Now().Before(end); {
				time.Sleep(10 * time.Millisecond)
			}
			is.Equal(left(), nil)
			is.NoErr(srv.Stop())
		})
	}
}

package httpapi_test

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/files"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/memory"
	"lyceum/app"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/intercept"
)

const invitationToken = "0123456789012345678901234567890123456789"

// If the writes of a school are blocked, acceptances of its invitations hold slots of that school,
// up to its share.
func TestAcceptancesHoldSlotsOfTheirSchool(t *testing.T) {
	for _, tt := range []struct{ name, path string }{
		{"form", "/invitations/" + invitationToken},
		{"acceptance", "/v2/invitations/" + invitationToken + "/acceptance"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				var locked atomic.Bool
				end := make(chan struct{})
				store := memory.New()
				served := apiOn(t, intercept.Store(store, func(_ context.Context, call string) error {
					if call == "InTx" && locked.Load() {
						<-end
					}
					return nil
				}), store.Schools(), store.Queue())
				_, key, err := kit.School{Name: "Other"}.Import(t.Context(), served.app)
				is.NoErr(err)
				of, _, err := kit.School{Name: "School"}.Import(t.Context(), served.app)
				is.NoErr(err)
				invite(t, served.app, store, of)
				locked.Store(true)
				var accepted atomic.Int64
				var all sync.WaitGroup
				for range 40 {
					all.Go(func() {
						if served.from(client, "", "POST", tt.path).Code == http.StatusOK {
							accepted.Add(1)
						}
					})
				}
				time.Sleep(time.Second)
				synctest.Wait()
				is.Equal(served.handler.Admission()["keyless"].Running, 0)
				is.Equal(served.handler.Admission()["cheap"].Running, 5) // of six for a school
				begin := time.Now()
				is.Equal(served.from(another, key, "GET", "/v1/coupons").Code, http.StatusOK)
				is.Equal(time.Since(begin), time.Duration(0))
				close(end)
				all.Wait()
				is.Equal(accepted.Load(), int64(1))
			})
		})
	}
}

// One network of clients holds at most three of the four keyless slots, so lookups of another
// network start immediately.
func TestNetworksShareKeylessSlots(t *testing.T) {
	for _, tt := range []struct {
		name, key, path string
		want            int
	}{
		{"unknown keys", guess(1), "/v1/coupons", http.StatusUnauthorized},
		{"unknown tokens", "", "/invitations/" + invitationToken, http.StatusNotFound},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				var slow atomic.Bool
				end := make(chan struct{})
				store := memory.New()
				served := apiOn(t, store, intercept.Schools(store.Schools(), func(_ context.Context, call string) error {
					if slow.Load() && (call == "Schools.KeyByHash" || call == "Schools.InvitationLinkByHash") {
						<-end
					}
					return nil
				}), store.Queue())
				slow.Store(true)
				var all sync.WaitGroup
				for range 8 {
					all.Go(func() { is.Equal(served.from(client, tt.key, "GET", tt.path).Code, tt.want) })
				}
				time.Sleep(time.Second)
				synctest.Wait()
				is.Equal(served.handler.Admission()["keyless"].Running, 3)
				slow.Store(false)
				begin := time.Now()
				is.Equal(served.from(another, tt.key, "GET", tt.path).Code, tt.want)
				is.Equal(time.Since(begin), time.Duration(0))
				close(end)
				all.Wait()
			})
		})
	}
}

// apiOn returns an API on the given ports, with eight slots for cheap requests.
func apiOn(t *testing.T, s ports.Store, schools ports.Schools, q ports.Queue) *api {
	a := app.New(s, schools, q, files.NewMemory(), fake.NewInvitationSender(), fake.NewClock(fake.Start), fake.NewIDs())
	return &api{t: t, app: a, handler: httpapi.New(a, httpapi.Config{
		Admission: limits.Admission{Slots: 8, Wait: time.Minute},
	}, slog.New(slog.DiscardHandler))}
}

// invite adds a person to the school, and an invitation link with invitationToken.
func invite(t *testing.T, a *app.App, store ports.Store, of school.ID) {
	t.Helper()
	p, err := a.People.Create(t.Context(), app.SystemActor(of), person.Profile{Email: "ada@example.test"})
	if err != nil {
		t.Fatal(err)
	}
	err = store.InTx(t.Context(), of, func(ctx context.Context, tx ports.Tx) error {
		i, err := tx.Invitations.Get(ctx, p.ID)
		if err != nil {
			return err
		}
		return tx.Invitations.AddLink(ctx, invitation.Link{
			School: of, Hash: invitation.HashToken(invitationToken), Person: p.ID, MessageID: i.MessageID,
			CreatedAt: fake.Start, ExpiresAt: fake.Start.Add(time.Hour),
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

package httpapi_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/memory"
	"lyceum/domain/invitation"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit"
	"lyceum/test/kit/intercept"
)

// linkedSchools looks up invitation links in links first.
type linkedSchools struct {
	ports.Schools
	links map[invitation.Hash]invitation.Link
}

func (l linkedSchools) InvitationLinkByHash(ctx context.Context, h invitation.Hash) (invitation.Link, error) {
	if link, ok := l.links[h]; ok {
		return link, nil
	}
	return l.Schools.InvitationLinkByHash(ctx, h)
}

// If records of a school are locked, requests for its invitations hold only slots of that school:
// invitations and new keys of other schools are looked up immediately.
func TestInvitationsOfALockedSchool(t *testing.T) {
	const token = "/0123456789012345678901234567890123456789"
	for _, tt := range []struct{ name, method, path string }{
		{"page", "GET", "/invitations" + token},
		{"form", "POST", "/invitations" + token},
		{"acceptance", "POST", "/v2/invitations" + token + "/acceptance"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				end := make(chan struct{})
				store := memory.New()
				locked := invitation.Link{School: school.ID{UUID: uuid.UUID{1}}}
				schools := linkedSchools{store.Schools(), map[invitation.Hash]invitation.Link{invitation.HashToken(token[1:]): locked}}
				served := apiOn(t, intercept.Store(store, func(_ context.Context, call string) error {
					if call == "Reader.People.Get" {
						<-end
					}
					return nil
				}), schools, store.Queue())
				_, key, err := kit.School{Name: "Other"}.Import(t.Context(), served.app)
				is.NoErr(err)
				var all sync.WaitGroup
				for range 40 {
					all.Go(func() { is.Equal(served.from(client, "", tt.method, tt.path).Code, http.StatusNotFound) })
				}
				time.Sleep(time.Second)
				synctest.Wait()
				is.Equal(served.handler.Admission()["keyless"].Running, 0)
				is.Equal(served.handler.Admission()["cheap"].Running, 5) // of six for a school
				begin := time.Now()
				is.Equal(served.from(another, key, "GET", "/v1/coupons").Code, http.StatusOK)
				is.Equal(served.from(another, "", "GET", "/invitations"+token[:40]+"x").Code, http.StatusNotFound)
				is.Equal(time.Since(begin), time.Duration(0))
				close(end)
				all.Wait()
			})
		})
	}
}

package httpapi_test

import (
	"net/http"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/limiter"
	"lyceum/domain/change"
	"lyceum/test/kit"
)

// Next to an active school, documents of webhook messages are written by turns, so that they leave
// processors to requests. In memory they always are.
func TestMessagesOfASchoolTakeTurns(t *testing.T) {
	const messages = 9
	half := max(1, limiter.Processors()/2)
	for name, tt := range map[string]struct {
		inMemory, neighbor bool
		want               int // concurrent documents
	}{
		"alone":                          {false, false, messages},
		"next to a school":               {false, true, half},
		"alone, in memory":               {true, false, half},
		"next to a school and in memory": {true, true, half},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				a, end := newBlocked(t, httpapi.Config{Admission: limits.Admission{InMemory: tt.inMemory}})
				_, other, err := kit.School{Name: "Other"}.Import(t.Context(), a.app)
				is.NoErr(err)
				if tt.neighbor {
					a.from(client, other, http.MethodGet, "/v1/coupons")
				}
				by, err := a.app.Auth.Authenticate(t.Context(), a.key)
				is.NoErr(err)
				var all sync.WaitGroup
				for range messages {
					all.Go(func() {
						_, err := a.handler.ChangeDocument(t.Context(), by, change.Change{Record: change.Record{Type: "categories", ID: uuid.UUID{1}.String()}})
						is.NoErr(err)
					})
				}
				synctest.Wait()
				is.Equal(a.handler.Admission()["message"].Running, tt.want)
				close(end)
				all.Wait()
				is.Equal(a.handler.Admission()["message"].Running, 0)
			})
		})
	}
}

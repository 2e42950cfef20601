package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/memory"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/ports"
	"lyceum/test/kit"
)

// failingLinks returns err for every token.
type failingLinks struct {
	ports.Schools
	err error
}

func (f failingLinks) InvitationLinkByHash(context.Context, invitation.Hash) (invitation.Link, error) {
	return invitation.Link{}, f.err
}

// If a request for the invitation page fails, a browser gets a page in its language, and other
// clients get JSON.
func TestInvitationFailures(t *testing.T) {
	const path = "/invitations/" + invitationToken
	busy := func(t *testing.T) http.Handler {
		t.Helper()
		store := memory.New()
		return apiOn(t, store, failingLinks{Schools: store.Schools(), err: fault.Unavailablef("The database is down")}, store.Queue()).handler
	}
	for _, tt := range []struct {
		name, method    string
		serve           func(t *testing.T) http.Handler
		earlier, status int // number of requests sent before; expected status
		english, german string
	}{
		{"an outage", "GET", busy, 0, 503, "Wait a minute and try again.", "Warten Sie eine Minute"},
		{"an outage at the form", "POST", busy, 0, 503, "The server has too much to do.", "Der Server hat zu viel zu tun."},
		{"too many requests", "GET", func(t *testing.T) http.Handler {
			t.Helper()
			return newAPI(t, httpapi.Config{Rates: limits.Rates{UnknownTokens: 1}}, always).handler
		}, 1, 429, "The server has too much to do.", "Der Server hat zu viel zu tun."},
		{"a form of another type", "POST", func(t *testing.T) http.Handler {
			t.Helper()
			store := memory.New()
			served := apiOn(t, store, store.Schools(), store.Queue())
			of, _, err := kit.School{Name: "School"}.Import(t.Context(), served.app)
			is.New(t).NoErr(err)
			invite(t, served.app, store, of)
			return served.handler
		}, 0, 415, "Open the link in the invitation email again.", "Öffnen Sie den Link"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			handler := tt.serve(t)
			send := func(accept, language string) *httptest.ResponseRecorder {
				r := httptest.NewRequestWithContext(t.Context(), tt.method, path, strings.NewReader("{}"))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Accept", accept)
				r.Header.Set("Accept-Language", language)
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, r)
				return w
			}
			is := is.New(t)
			for range tt.earlier {
				send("*/*", "")
			}
			for language, want := range map[string]string{"en": tt.english, "de": tt.german} {
				w := send("text/html,*/*;q=0.8", language)
				is.Equal(w.Code, tt.status)
				is.Equal(w.Header().Get("Content-Type"), "text/html; charset=utf-8")
				is.True(strings.Contains(w.Body.String(), want))
				is.True(w.Header().Get("Content-Security-Policy") != "")
				is.True(tt.status == 415 || w.Header().Get("Retry-After") != "")
			}
			w := send("*/*", "")
			is.Equal(w.Code, tt.status)
			is.Equal(w.Header().Get("Content-Type"), "application/json; charset=utf-8")
		})
	}
}

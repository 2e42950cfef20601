package policies_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/cmd/server"
	"lyceum/domain/fault"
	"lyceum/domain/policy"
	"lyceum/test/kit"
	"lyceum/test/lyceumtest"
)

// TestRefusalsOnInvitationPage checks that the invitation page shows why a rule refuses the
// acceptance, regardless of the status, and that the person can try again with another name.
func TestRefusalsOnInvitationPage(t *testing.T) {
	rules := policy.Set{Accept: policy.Rules[policy.Accepting]{{Check: func(a policy.Accepting) error {
		switch a.After.FirstName {
		case "Forbidden":
			return fault.Forbiddenf("The course has begun")
		case "Conflict":
			return fault.Conflictf("", "The course is full")
		case "Invalid":
			return fault.Invalidf("first_name", "must be real")
		case "Blank":
			return fault.Invalidf("", "Ask your teacher")
		}
		return nil
	}}}}
	token := strings.Repeat("1", 40)
	s := lyceumtest.Start(t, lyceumtest.With(server.WithPolicy(rules)), lyceumtest.WithSchool(kit.School{Name: "House", Lines: `
{"kind": "person", "email": "ada@example.test"}
{"kind": "invitation", "person": "ada@example.test", "token": "` + token + `", "created_at": "2026-01-01T00:00:00Z", "expires_at": "2126-01-01T00:00:00Z"}
`}.Open))
	for _, tt := range []struct {
		name   string
		status int
		part   string
	}{
		{"Forbidden", 403, "<li>The course has begun</li>"},
		{"Conflict", 409, "<li>The course is full</li>"},
		{"Invalid", 422, "<li>Vorname must be real</li>"},
		{"Blank", 422, "<li>Ask your teacher</li>"},
		{"Ada", 200, "Willkommen bei House"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			form := url.Values{"first_name": {tt.name}}.Encode()
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/invitations/"+token, strings.NewReader(form))
			is.NoErr(err)
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.Header.Set("Accept-Language", "de")
			response, err := http.DefaultClient.Do(r)
			is.NoErr(err)
			defer func() { _ = response.Body.Close() }()
			page, err := io.ReadAll(response.Body)
			is.NoErr(err)
			is.Equal(response.StatusCode, tt.status)
			is.True(strings.Contains(string(page), tt.part))
			is.Equal(strings.Contains(string(page), `name="first_name" value="`+tt.name+`"`), tt.status != http.StatusOK)
		})
	}
}

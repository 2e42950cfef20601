package people

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/bodies"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// Invitations checks that an invitation link opens a page and activates the person only once.
func Invitations(t *testing.T, s *fixture.Server) {
	const page, acceptance = "/invitations/" + records.InvitationToken, "/v2/invitations/" + records.InvitationToken + "/acceptance"
	open := func(t *testing.T, method, path, form string) fixture.Response {
		t.Helper()
		c := s.Request(method, path).As("").Set("Accept", "text/html").With(form)
		if form != "" {
			c.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		return c.Send(t)
	}
	status := func(t *testing.T) any {
		t.Helper()
		return s.Get(t, "/v2/people?filter[uuid]="+records.Grace).Page(t).Data[0].Attributes["registration_status"]
	}

	t.Run("the page can be fetched repeatedly", func(t *testing.T) {
		is := is.New(t)
		for range 3 {
			a := open(t, "GET", page, "")
			is.Equal(a.Status, 200)
			is.Equal(a.Header.Get("Content-Type"), "text/html; charset=utf-8")
			is.Equal(a.Header.Get("Cache-Control"), "no-store")
			is.Equal(a.Header.Get("X-Robots-Tag"), "noindex")
			policy := a.Header.Get("Content-Security-Policy")
			is.True(strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-"))
			is.True(!strings.Contains(policy, "script-src"))
			is.True(strings.Contains(a.Body, "<h1>Join Own School</h1>"))
			is.True(strings.Contains(a.Body, "Grace@example.test"))
			is.True(!strings.Contains(a.Body, records.InvitationToken)) // the form must not contain the token
		}
		is.Equal(open(t, "HEAD", page, "").Status, 200)
		is.Equal(status(t), "not_activated")
	})

	t.Run("a token that was never sent", func(t *testing.T) {
		for _, token := range []string{strings.Repeat("7", 40), "x", strings.ToUpper(strings.Repeat("a", 40)), records.Unknown} {
			is := is.New(t)
			is.Equal(open(t, "GET", "/invitations/"+token, "").Status, 404)
			is.Equal(open(t, "POST", "/invitations/"+token, "first_name=G").Status, 404)
			a := s.Request("POST", "/v2/invitations/"+token+"/acceptance").As("").With(`{"data":{"attributes":{"first_name":7}}}`).Send(t)
			is.Equal(a.Failures(t), []string{"404 " + fixture.Missing}) // the response does not depend on the document
		}
	})

	t.Run("the token is checked before the body", func(t *testing.T) {
		is := is.New(t)
		large := `{"data":{"attributes":{"first_name":"` + strings.Repeat("x", 4<<10) + `"}}}`
		stranger := strings.Repeat("7", 40)
		for _, body := range []string{large, "{", "", `{"data":7}`} {
			a := s.Request("POST", "/v2/invitations/"+stranger+"/acceptance").As("").With(body).Send(t)
			is.Equal(a.Failures(t), []string{"404 " + fixture.Missing}) // regardless of the body
			is.Equal(open(t, "POST", "/invitations/"+stranger, "first_name="+body+"%zz").Status, 404)
		}
		refused := []string{"413 The request body exceeds 4096 bytes"}
		is.Equal(s.Request("POST", acceptance).As("").With(large).Send(t).Failures(t), refused)
		is.Equal(open(t, "POST", page, "first_name="+strings.Repeat("x", 4<<10)).Status, 413)
		is.Equal(status(t), "not_activated")
	})

	t.Run("invalid names", func(t *testing.T) {
		is := is.New(t)
		a := s.Request("POST", acceptance).As("").With(`{"data":{"type":"courses","attributes":{"first_name":7,"last_name":"a\u0000b"}}}`).Send(t)
		is.Equal(a.Status, 409)
		is.Equal(len(a.Failures(t)), 3)
		long := open(t, "POST", page, "first_name="+strings.Repeat("x", 256)+"&last_name=%3Cb%3E")
		is.Equal(long.Status, 422)
		is.True(strings.Contains(long.Body, `<li>First name `))
		is.True(strings.Contains(long.Body, `value="&lt;b&gt;"`)) // the page repeats the input
		is.Equal(open(t, "POST", page, "first_name=%ff").Status, 422)
		is.Equal(open(t, "POST", page, "%zz").Status, 400)
		is.Equal(s.Request("POST", page).As("").With("{}").Set("Content-Type", "application/json").Send(t).Status, 415)
		is.Equal(status(t), "not_activated")
	})

	t.Run("acceptance on the page succeeds once", func(t *testing.T) {
		is := is.New(t)
		a := open(t, "POST", page, url.Values{"first_name": {"Grace <b>"}, "last_name": {" Hopper "}}.Encode())
		is.Equal(a.Status, 200)
		is.True(strings.Contains(a.Body, "Grace &lt;b&gt; Hopper, you have joined Own School."))
		is.True(strings.Contains(a.Body, `<a href="`+records.Academy+`">`))
		is.Equal(status(t), "activated")
		for _, again := range []fixture.Response{open(t, "GET", page, ""), open(t, "POST", page, "first_name=Eve")} {
			is.Equal(again.Status, 410)
			is.True(strings.Contains(again.Body, "This invitation has already been used or has expired."))
			is.True(!strings.Contains(again.Body, "Hopper")) // the page does not reveal the person
		}
		is.Equal(s.Request("POST", acceptance).As("").Send(t).Failures(t), []string{"410 This invitation has already been used or has expired"})
		is.Equal(s.Get(t, "/v2/people?filter[uuid]="+records.Grace).Page(t).Data[0].Attributes["first_name"], "Grace <b>")
	})

	t.Run("a person who accepted gets no further email", func(t *testing.T) {
		is := is.New(t)
		path := "/v2/people/" + records.Grace + "/invitation"
		is.Equal(s.Send(t, "POST", path, "").Failures(t), []string{"422 This person has already accepted the invitation"})
		is.Equal(s.Get(t, path).ID(t), records.GracesInvitation)
		is.Equal(s.Get(t, "/v2/people/"+records.Ada+"/invitation").Status, 404) // ada has no invitation
		is.Equal(s.Send(t, "POST", "/v2/people/"+records.Unknown+"/invitation", "").Status, 404)
		is.Equal(s.Request("POST", path).As("").Send(t).Status, 401)
	})

	t.Run("resending is limited to one email a minute and expires earlier links", func(t *testing.T) {
		is := is.New(t)
		kurt := s.Send(t, "POST", "/v2/people", `{"data":{"attributes":{"email":"kurt@example.test"}}}`).ID(t)
		path, token := "/v2/people/"+kurt+"/invitation", strings.Repeat("8", 40)
		first := s.Get(t, path)
		s.SaveInvitation(t, s.Own, first.ID(t), kurt, token)
		s.Clock.Advance(time.Hour)
		is.Equal(s.Get(t, path).ID(t), first.ID(t))
		is.Equal(s.Send(t, "POST", path, "").ID(t), first.ID(t)) // returns the invitation whose email has just been queued
		is.Equal(open(t, "GET", "/invitations/"+token, "").Status, 200)
		s.Clock.Advance(time.Minute)
		second := s.Send(t, "POST", path, "rubbish")
		is.Equal(second.Status, 202)
		is.Equal(second.Header.Get("Location"), records.Base+path)
		is.True(second.ID(t) != first.ID(t))
		is.Equal(s.Send(t, "POST", path, "").ID(t), second.ID(t))
		is.Equal(open(t, "GET", "/invitations/"+token, "").Status, 410)
		is.Equal(s.Request("POST", "/v2/invitations/"+token+"/acceptance").As("").Send(t).Status, 410)
	})

	t.Run("the response to an acceptance has no properties", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "POST", "/v2/property_definitions", bodies.Definition("people", "remark", "text", "")).Status, 201)
		mary := s.Send(t, "POST", "/v2/people", `{"data":{"attributes":{"email":"mary@example.test","properties":{"remark":"only for staff"}}}}`).ID(t)
		token := strings.Repeat("4", 40)
		s.SaveInvitation(t, s.Own, s.Get(t, "/v2/people/"+mary+"/invitation").ID(t), mary, token)
		a := s.Request("POST", "/v2/invitations/"+token+"/acceptance").As("").With(`{"data":{"attributes":{"first_name":"Mary"}}}`).Send(t)
		is.Equal(a.Status, 200)
		is.True(strings.Contains(a.Body, `"first_name":"Mary"`) && !strings.Contains(a.Body, "remark"))
		is.True(strings.Contains(s.Get(t, "/v2/people/"+mary).Body, "only for staff"))
	})

	t.Run("a link expires, and is deleted with its person", func(t *testing.T) {
		is := is.New(t)
		emmy := s.Send(t, "POST", "/v2/people", `{"data":{"attributes":{"email":"emmy@example.test"}}}`).ID(t)
		token := strings.Repeat("9", 40)
		s.SaveInvitation(t, s.Own, s.Get(t, "/v2/people/"+emmy+"/invitation").ID(t), emmy, token)
		s.Clock.Advance(25*time.Hour - time.Millisecond)
		is.Equal(open(t, "GET", "/invitations/"+token, "").Status, 200)
		s.Clock.Advance(time.Millisecond)
		is.Equal(open(t, "GET", "/invitations/"+token, "").Status, 410)
		is.Equal(s.Send(t, "DELETE", "/v2/people/"+emmy, "").Status, 204)
		is.Equal(open(t, "GET", "/invitations/"+token, "").Status, 404)
	})

	t.Run("no other path is open without a key", func(t *testing.T) {
		for _, path := range []string{
			"/invitations", "/invitations/", "/invitations/" + records.InvitationToken + "/x", "/v2/invitations/" + records.InvitationToken,
			"/v2/invitations/" + records.InvitationToken + "/acceptance/x", "/v1/invitations/" + records.InvitationToken + "/acceptance",
		} {
			is.New(t).Equal(s.Request("GET", path).As("").Send(t).Status, 401)
		}
	})
}

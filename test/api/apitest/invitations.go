package apitest

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

// invitations checks that an invitation link opens a page and activates the person only once.
func invitations(t *testing.T, s *server) {
	const page, acceptance = "/invitations/" + invitationToken, "/v2/invitations/" + invitationToken + "/acceptance"
	open := func(t *testing.T, method, path, form string) response {
		t.Helper()
		c := s.request(method, path).as("").set("Accept", "text/html").with(form)
		if form != "" {
			c.set("Content-Type", "application/x-www-form-urlencoded")
		}
		return c.send(t)
	}
	status := func(t *testing.T) any {
		t.Helper()
		return s.get(t, "/v2/people?filter[uuid]="+grace).page(t).Data[0].Attributes["registration_status"]
	}

	t.Run("the page can be fetched repeatedly", func(t *testing.T) {
		is := is.New(t)
		for range 3 {
			a := open(t, "GET", page, "")
			is.Equal(a.status, 200)
			is.Equal(a.header.Get("Content-Type"), "text/html; charset=utf-8")
			is.Equal(a.header.Get("Cache-Control"), "no-store")
			is.Equal(a.header.Get("X-Robots-Tag"), "noindex")
			policy := a.header.Get("Content-Security-Policy")
			is.True(strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-"))
			is.True(!strings.Contains(policy, "script-src"))
			is.True(strings.Contains(a.body, "<h1>Join Own School</h1>"))
			is.True(strings.Contains(a.body, "Grace@example.test"))
			is.True(!strings.Contains(a.body, invitationToken)) // the form must not contain the token
		}
		is.Equal(open(t, "HEAD", page, "").status, 200)
		is.Equal(status(t), "not_activated")
	})

	t.Run("a token that was never sent", func(t *testing.T) {
		for _, token := range []string{strings.Repeat("7", 40), "x", strings.ToUpper(strings.Repeat("a", 40)), unknown} {
			is := is.New(t)
			is.Equal(open(t, "GET", "/invitations/"+token, "").status, 404)
			is.Equal(open(t, "POST", "/invitations/"+token, "first_name=G").status, 404)
			a := s.request("POST", "/v2/invitations/"+token+"/acceptance").as("").with(`{"data":{"attributes":{"first_name":7}}}`).send(t)
			is.Equal(a.failures(t), []string{"404 " + missing}) // the response does not depend on the document
		}
	})

	t.Run("the token is checked before the body", func(t *testing.T) {
		is := is.New(t)
		large := `{"data":{"attributes":{"first_name":"` + strings.Repeat("x", 4<<10) + `"}}}`
		stranger := strings.Repeat("7", 40)
		for _, body := range []string{large, "{", "", `{"data":7}`} {
			a := s.request("POST", "/v2/invitations/"+stranger+"/acceptance").as("").with(body).send(t)
			is.Equal(a.failures(t), []string{"404 " + missing}) // regardless of the body
			is.Equal(open(t, "POST", "/invitations/"+stranger, "first_name="+body+"%zz").status, 404)
		}
		refused := []string{"413 The request body exceeds 4096 bytes"}
		is.Equal(s.request("POST", acceptance).as("").with(large).send(t).failures(t), refused)
		is.Equal(open(t, "POST", page, "first_name="+strings.Repeat("x", 4<<10)).status, 413)
		is.Equal(status(t), "not_activated")
	})

	t.Run("invalid names", func(t *testing.T) {
		is := is.New(t)
		a := s.request("POST", acceptance).as("").with(`{"data":{"type":"courses","attributes":{"first_name":7,"last_name":"a\u0000b"}}}`).send(t)
		is.Equal(a.status, 409)
		is.Equal(len(a.failures(t)), 3)
		long := open(t, "POST", page, "first_name="+strings.Repeat("x", 256)+"&last_name=%3Cb%3E")
		is.Equal(long.status, 422)
		is.True(strings.Contains(long.body, `<li>First name `))
		is.True(strings.Contains(long.body, `value="&lt;b&gt;"`)) // the page repeats the input
		is.Equal(open(t, "POST", page, "first_name=%ff").status, 422)
		is.Equal(open(t, "POST", page, "%zz").status, 400)
		is.Equal(s.request("POST", page).as("").with("{}").set("Content-Type", "application/json").send(t).status, 415)
		is.Equal(status(t), "not_activated")
	})

	t.Run("acceptance on the page succeeds once", func(t *testing.T) {
		is := is.New(t)
		a := open(t, "POST", page, url.Values{"first_name": {"Grace <b>"}, "last_name": {" Hopper "}}.Encode())
		is.Equal(a.status, 200)
		is.True(strings.Contains(a.body, "Grace &lt;b&gt; Hopper, you have joined Own School."))
		is.True(strings.Contains(a.body, `<a href="`+academy+`">`))
		is.Equal(status(t), "activated")
		for _, again := range []response{open(t, "GET", page, ""), open(t, "POST", page, "first_name=Eve")} {
			is.Equal(again.status, 410)
			is.True(strings.Contains(again.body, "This invitation has already been used or has expired."))
			is.True(!strings.Contains(again.body, "Hopper")) // the page does not reveal the person
		}
		is.Equal(s.request("POST", acceptance).as("").send(t).failures(t), []string{"410 This invitation has already been used or has expired"})
		is.Equal(s.get(t, "/v2/people?filter[uuid]="+grace).page(t).Data[0].Attributes["first_name"], "Grace <b>")
	})

	t.Run("a person who accepted gets no further email", func(t *testing.T) {
		is := is.New(t)
		path := "/v2/people/" + grace + "/invitation"
		is.Equal(s.send(t, "POST", path, "").failures(t), []string{"422 This person has already accepted the invitation"})
		is.Equal(s.get(t, path).id(t), gracesInvitation)
		is.Equal(s.get(t, "/v2/people/"+ada+"/invitation").status, 404) // ada has no invitation
		is.Equal(s.send(t, "POST", "/v2/people/"+unknown+"/invitation", "").status, 404)
		is.Equal(s.request("POST", path).as("").send(t).status, 401)
	})

	t.Run("resending is limited to one email a minute and expires earlier links", func(t *testing.T) {
		is := is.New(t)
		kurt := s.send(t, "POST", "/v2/people", `{"data":{"attributes":{"email":"kurt@example.test"}}}`).id(t)
		path, token := "/v2/people/"+kurt+"/invitation", strings.Repeat("8", 40)
		first := s.get(t, path)
		s.saveInvitation(t, s.own, first.id(t), kurt, token)
		s.clock.Advance(time.Hour)
		is.Equal(s.get(t, path).id(t), first.id(t))
		is.Equal(s.send(t, "POST", path, "").id(t), first.id(t)) // returns the invitation whose email has just been queued
		is.Equal(open(t, "GET", "/invitations/"+token, "").status, 200)
		s.clock.Advance(time.Minute)
		second := s.send(t, "POST", path, "rubbish")
		is.Equal(second.status, 202)
		is.Equal(second.header.Get("Location"), base+path)
		is.True(second.id(t) != first.id(t))
		is.Equal(s.send(t, "POST", path, "").id(t), second.id(t))
		is.Equal(open(t, "GET", "/invitations/"+token, "").status, 410)
		is.Equal(s.request("POST", "/v2/invitations/"+token+"/acceptance").as("").send(t).status, 410)
	})

	t.Run("the response to an acceptance has no properties", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "POST", "/v2/property_definitions", definition("people", "remark", "text", "")).status, 201)
		mary := s.send(t, "POST", "/v2/people", `{"data":{"attributes":{"email":"mary@example.test","properties":{"remark":"only for staff"}}}}`).id(t)
		token := strings.Repeat("4", 40)
		s.saveInvitation(t, s.own, s.get(t, "/v2/people/"+mary+"/invitation").id(t), mary, token)
		a := s.request("POST", "/v2/invitations/"+token+"/acceptance").as("").with(`{"data":{"attributes":{"first_name":"Mary"}}}`).send(t)
		is.Equal(a.status, 200)
		is.True(strings.Contains(a.body, `"first_name":"Mary"`) && !strings.Contains(a.body, "remark"))
		is.True(strings.Contains(s.get(t, "/v2/people/"+mary).body, "only for staff"))
	})

	t.Run("a link expires, and is deleted with its person", func(t *testing.T) {
		is := is.New(t)
		emmy := s.send(t, "POST", "/v2/people", `{"data":{"attributes":{"email":"emmy@example.test"}}}`).id(t)
		token := strings.Repeat("9", 40)
		s.saveInvitation(t, s.own, s.get(t, "/v2/people/"+emmy+"/invitation").id(t), emmy, token)
		s.clock.Advance(25*time.Hour - time.Millisecond)
		is.Equal(open(t, "GET", "/invitations/"+token, "").status, 200)
		s.clock.Advance(time.Millisecond)
		is.Equal(open(t, "GET", "/invitations/"+token, "").status, 410)
		is.Equal(s.send(t, "DELETE", "/v2/people/"+emmy, "").status, 204)
		is.Equal(open(t, "GET", "/invitations/"+token, "").status, 404)
	})

	t.Run("no other path is open without a key", func(t *testing.T) {
		for _, path := range []string{
			"/invitations", "/invitations/", "/invitations/" + invitationToken + "/x", "/v2/invitations/" + invitationToken,
			"/v2/invitations/" + invitationToken + "/acceptance/x", "/v1/invitations/" + invitationToken + "/acceptance",
		} {
			is.New(t).Equal(s.request("GET", path).as("").send(t).status, 401)
		}
	})
}

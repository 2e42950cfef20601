package sso_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// TestSignIn follows an enrollment link, signs in at the provider, enrolls, and signs out.
func TestSignIn(t *testing.T) {
	is := is.New(t)
	w := newWorld(t)
	w.setProvider(t, false)
	link := w.courseLink(t)
	b := newBrowser(t)
	asked := b.get(link)
	is.True(strings.Contains(asked.url, "/sign-in?return="))
	is.True(!strings.Contains(asked.body, `name="email"`)) // no sign-in by email

	offered := b.signIn(asked, "jiwoo")
	is.Equal(offered.url, link)
	enrolled := b.post(link, nil)
	is.True(strings.HasPrefix(enrolled.url, w.academy+"/courses/")) // the page of the course
	is.True(strings.Contains(enrolled.body, "Beekeeping"))
	is.True(strings.Contains(b.get(w.academy+"/sessions").body, "this device"))

	b.post(w.academy+"/sign-out", nil)
	is.True(strings.Contains(b.get(w.academy+"/courses").url, "/sign-in?return="))
}

func TestUnknownPerson(t *testing.T) {
	is := is.New(t)
	w := newWorld(t)
	w.setProvider(t, false)
	b := newBrowser(t)
	refused := b.signIn(b.get(w.academy+"/sign-in"), "eve")
	is.Equal(refused.status, http.StatusForbidden)
	is.True(strings.Contains(refused.body, "Ask the school to add eve@example.test"))

	w.setProvider(t, true)
	b = newBrowser(t)
	is.Equal(b.signIn(b.get(w.academy+"/sign-in"), "eve").url, w.academy+"/courses")
	is.True(strings.Contains(w.call(t, "GET", "/v2/people?filter[email]=eve@example.test", ""), `"first_name":"Eve","last_name":"Moss"`))
}

// A person cannot enter as the owner of an address that the provider has not verified.
func TestUnverifiedAddress(t *testing.T) {
	is := is.New(t)
	w := newWorld(t)
	w.setProvider(t, true)
	b := newBrowser(t)
	refused := b.signIn(b.get(w.academy+"/sign-in"), "mallory")
	is.Equal(refused.status, http.StatusForbidden)
	is.True(strings.Contains(refused.body, "does not confirm your email address"))
	is.True(strings.Contains(b.get(w.academy+"/courses").url, "/sign-in"))
}

// The address with which the provider sends the browser back works once.
func TestReplay(t *testing.T) {
	is := is.New(t)
	w := newWorld(t)
	w.setProvider(t, true)
	b := newBrowser(t)
	b.signIn(b.get(w.academy+"/sign-in"), "jiwoo")
	is.True(strings.Contains(b.returned, "/sso/return?code="))
	is.Equal(b.get(b.returned).status, http.StatusGone)
	is.Equal(newBrowser(t).get(b.returned).status, http.StatusGone)
}

// Without the setting outgoing.allow the server does not connect to a provider on its machine.
func TestPrivateProvider(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, "--outgoing.allow=10.0.0.0/8")
	w.setProvider(t, true)
	is.Equal(newBrowser(t).get(w.academy+"/sso").status, http.StatusServiceUnavailable)
}

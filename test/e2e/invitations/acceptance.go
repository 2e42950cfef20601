package invitations

import (
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/cmd/server"
	"lyceum/domain/school"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/mailtest"
)

// linkIn returns the first link in a message.
func linkIn(o mailtest.Parsed) string { return regexp.MustCompile(`http\S+`).FindString(o.Text) }

// send sends a request without an API key. If form is not nil, it is the body of the request.
func send(t *testing.T, method, address string, form url.Values) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	return resp.StatusCode, string(body)
}

// sendWithKey sends a request with the key of the school.
func (s *testServer) sendWithKey(t *testing.T, method, path string) (int, string) {
	t.Helper()
	return send(t, method, s.URL()+path+"?api_key="+url.QueryEscape(s.key), nil)
}

// testAcceptance tests an invitation from the message through the page to the activated person. Of
// several concurrent acceptances, exactly one must succeed.
func testAcceptance(t *testing.T, cfg server.Config) {
	is := is.New(t)
	post := mailtest.Start(t, mailtest.Config{})
	s := start(t, cfg, fake.NewClock(fake.Start), post, school.Preregistration)
	s.invite(t, "new@example.test")
	<-post.Arrived()
	link := linkIn(post.Accepted()[0].Parse(t))
	status, page := send(t, "GET", link, nil)
	is.Equal(status, http.StatusOK)
	is.True(strings.Contains(page, "Join Acme"))
	_, people := s.sendWithKey(t, "GET", "/v2/people")
	is.True(strings.Contains(people, `"registration_status":"not_activated"`))

	var welcome, late atomic.Int32
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			switch status, _ := send(t, "POST", link, url.Values{"first_name": {"Nea"}, "last_name": {"Wynn"}}); status {
			case http.StatusOK:
				welcome.Add(1)
			case http.StatusGone:
				late.Add(1)
			}
		})
	}
	wg.Wait()
	is.Equal(welcome.Load(), int32(1))
	is.Equal(late.Load(), int32(63))
	_, people = s.sendWithKey(t, "GET", "/v2/people")
	is.True(strings.Contains(people, `"registration_status":"activated"`))
	is.True(strings.Contains(people, `"full_name":"Nea Wynn"`))
}

// testResending checks that another message is sent on request, and that only the link of this
// message is valid afterwards.
func testResending(t *testing.T, cfg server.Config) {
	is := is.New(t)
	post := mailtest.Start(t, mailtest.Config{})
	clock := fake.NewClock(fake.Start)
	s := start(t, cfg, clock, post, school.Preregistration)
	s.invite(t, "new@example.test")
	<-post.Arrived()
	eventually(t, func() bool { return len(s.undelivered(t)) == 0 }) // the job is no longer leased
	_, people := s.sendWithKey(t, "GET", "/v2/people")
	id := regexp.MustCompile(`"id":"([^"]+)"`).FindStringSubmatch(people)[1]
	clock.Advance(2 * time.Minute)
	for range 3 { // three requests, one message
		status, _ := s.sendWithKey(t, "POST", "/v2/people/"+id+"/invitation")
		is.Equal(status, http.StatusAccepted)
	}
	<-post.Arrived()
	eventually(t, func() bool { return len(s.undelivered(t)) == 0 })
	messages := post.Accepted()
	is.Equal(len(messages), 2)
	before, after := linkIn(messages[0].Parse(t)), linkIn(messages[1].Parse(t))
	status, _ := send(t, "POST", before, nil)
	is.Equal(status, http.StatusGone)
	status, _ = send(t, "POST", strings.Replace(after, "/invitations/", "/v2/invitations/", 1)+"/acceptance", nil)
	is.Equal(status, http.StatusOK)
}

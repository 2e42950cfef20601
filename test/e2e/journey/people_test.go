package journey_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

const size = 6 // number of people in the school

func address(i int) string { return fmt.Sprintf("person%d@example.test", i) }

// setUpSchool gets and renames the school and creates a key that can only read.
func (s *journey) setUpSchool(t *testing.T) {
	is := is.New(t)
	is.Equal(text(s.get(t, "/v2/school").data, "attributes.name"), "From Nothing")
	renamed := s.ask(t, 200, "PATCH", "/v2/school", `{"data":{"type":"schools","attributes":{"name":"School of Craft"}}}`)
	is.Equal(text(renamed.data, "attributes.name"), "School of Craft")
	s.ask(t, 422, "PATCH", "/v2/school", `{"data":{"type":"schools","attributes":{"name":" "}}}`)

	made := s.post(t, "/v2/api_keys", `{"data":{"type":"api_keys","attributes":{"name":"Screen","scope":"read"}}}`)
	screen := client{s.url, text(made.data, "attributes.secret")}
	is.Equal(screen.get(t, "/v2/school").body, renamed.body)
	screen.ask(t, 403, "POST", "/v2/groups", `{"data":{"type":"groups","attributes":{"name":"No"}}}`)
	is.Equal(len(s.all(t, "/v2/groups")), 0)
	client{s.url, ""}.ask(t, 401, "GET", "/v2/school", "")
}

// invite adds people, waits for their invitation emails and accepts all invitations except the
// last.
func (s *journey) invite(t *testing.T) {
	is := is.New(t)
	for i := range size {
		made := s.post(t, "/v2/people", `{"data":{"type":"people","attributes":{"email":"`+address(i)+`"}}}`)
		is.Equal(text(made.data, "attributes.registration_status"), "not_activated")
		s.people = append(s.people, made.id())
	}
	s.learners = s.people[1:]
	s.ask(t, 422, "POST", "/v2/people", `{"data":{"type":"people","attributes":{"email":"`+strings.ToUpper(address(0))+`"}}}`)

	links := s.invitationLinks(t)
	for i := range size - 1 {
		link, page := links[address(i)], client{url: s.url}
		for range 2 { // fetching the page does not accept the invitation
			is.True(strings.Contains(page.get(t, link).body, "Join School of Craft"))
		}
		accept := strings.Replace(link, "/invitations/", "/v2/invitations/", 1) + "/acceptance"
		names := fmt.Sprintf(`{"data":{"type":"people","attributes":{"first_name":"Person","last_name":"No. %d"}}}`, i)
		is.Equal(page.ask(t, 200, "POST", accept, names).id(), s.people[i])
		page.ask(t, 410, "POST", accept, names)
	}
	for i, id := range s.people {
		person := s.get(t, "/v2/people/"+id).data
		want := [2]string{"activated", fmt.Sprintf("Person No. %d", i)}
		if i == size-1 {
			want = [2]string{"not_activated", address(i)}
		}
		is.Equal([2]string{text(person, "attributes.registration_status"), text(person, "attributes.full_name")}, want)
	}
}

// invitationLinks waits for the messages and returns the link in each message by recipient.
func (s *journey) invitationLinks(t *testing.T) map[string]string {
	t.Helper()
	for range size {
		select {
		case <-s.mail.Arrived():
		case <-time.After(30 * time.Second):
			t.Fatal("an invitation email is missing")
		}
	}
	links := map[string]string{}
	for _, m := range s.mail.Accepted() {
		links[m.To[0]] = regexp.MustCompile(`http\S+/invitations/\S+`).FindString(m.Parse(t).Text)
	}
	is.New(t).Equal(len(links), size)
	return links
}

// addGroup creates a group that contains all learners, and thus enrolls them in its courses.
func (s *journey) addGroup(t *testing.T) {
	is := is.New(t)
	const body = `{"data":{"type":"groups","attributes":{"name":"Evenings"}}}`
	once := s.ask(t, 201, "POST", "/v2/groups", body, "Idempotency-Key", "evenings")
	again := s.ask(t, 201, "POST", "/v2/groups", body, "Idempotency-Key", "evenings")
	is.Equal(again.body, once.body)
	s.ask(t, 422, "POST", "/v2/groups", body) // another key: a new request, but the name is taken
	s.group = once.id()
	add := func(what, typ string, ids ...string) {
		references := make([]string, len(ids))
		for i, id := range ids {
			references[i] = reference(typ, id)
		}
		s.ask(t, 204, "POST", "/v2/groups/"+s.group+"/relationships/"+what, `{"data":[`+strings.Join(references, ",")+`]}`)
	}
	add("courses", "courses", s.craft)
	add("people", "people", s.learners...)
	add("courses", "courses", s.dyes) // enrolls the existing members too
	for id := range s.courses {
		s.learnersOf[id] = len(s.learners)
	}
	is.Equal(at(s.all(t, "/v2/groups"), "0.attributes.membership_count"), float64(len(s.learners)))
	is.Equal(len(s.all(t, "/v2/groups/"+s.group+"/memberships")), len(s.learners))
}

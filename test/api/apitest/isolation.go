package apitest

import (
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// isolation checks that, for a client, the records of another school do not exist.
func isolation(t *testing.T, s *server) {
	is := is.New(t)
	before := s.visibleTo(t, s.otherTenantKey)

	for _, r := range resources {
		if r.theirs == "" {
			continue
		}
		body := `{"data":{"type":"` + r.noun() + `","uuid":"` + r.theirs + `","attributes":{"name":"Ours"}}}`
		if strings.HasSuffix(r.path, "/redemptions") || strings.HasSuffix(r.path, "/replay") { // a new redemption must not have an id
			body = `{"data":{}}`
		}
		if strings.Contains(r.path, "/relationships/") {
			body = `{"data":[]}`
		}
		if r.readable() {
			is.Equal(s.request("GET", r.of(r.theirs)).as(s.otherTenantKey).send(t).status, 200)
		}
		for _, method := range r.allowedMethods() {
			is.Equal(s.send(t, method, r.of(r.theirs), body).status, 404)
		}
	}
	is.Equal(s.get(t, "/v1/people?q=theirs").ids(t), "")
	is.Equal(s.get(t, "/v1/categories?filter[uuid][eq]="+theirCategory).ids(t), "")
	is.Equal(s.get(t, "/v1/coupons?q=theirs").ids(t), "")
	for path, attribute := range map[string]string{
		"/v1/quizzes": "uuid", "/v1/assignments": "uuid", "/v2/activities": "uuid", "/v2/submissions": "uuid", "/v2/events": "person.id",
		"/v1/analytics/courses": "person.id", "/v1/analytics/quiz_scores": "person.id", "/v1/analytics/quiz_raw_answers": "person.id",
		"/v2/quiz_attempts": "person.id", "/v2/activity_completions": "person.id",
	} {
		for _, id := range []string{theirQuiz, theirAssignment, theirActivity, theirSubmission, theirPerson} {
			is.Equal(s.get(t, path+"?filter["+attribute+"][eq]="+id).ids(t), "")
		}
		if !strings.Contains(path, "events") {
			is.Equal(s.get(t, path+"?q=theirs").ids(t), "")
		}
	}
	is.Equal(s.visibleTo(t, s.otherTenantKey), before)

	t.Run("names of another school are not taken", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.send(t, "POST", "/v1/categories", `{"data":{"type":"categories","attributes":{"name":"Theirs"}}}`).status, 201)
		is.Equal(s.send(t, "POST", "/v1/groups", `{"data":{"type":"groups","attributes":{"name":"Theirs"}}}`).status, 201)
		is.Equal(s.send(t, "PUT", "/v1/coupons/"+tenOff, `{"data":{"attributes":{"code":"Theirs"}}}`).status, 200)
		is.Equal(s.send(t, "POST", "/v1/learners", `{"data":{"type":"people","attributes":{"email":"theirs@example.test"}}}`).status, 201)
		is.Equal(s.visibleTo(t, s.otherTenantKey), before)
	})
}

// visibleTo returns all records that a client with the key can list.
func (s *server) visibleTo(t *testing.T, key string) []string {
	t.Helper()
	return s.contents(t, key, collections())
}

// records returns what the key of s sees in all lists except the audit trail, which contains every
// change and its reversal.
func (s *server) records(t *testing.T) []string {
	t.Helper()
	lists := slices.DeleteFunc(collections(), func(path string) bool { return strings.HasSuffix(path, "/audit_events") })
	return s.contents(t, s.key, lists)
}

// contents returns the responses to requests for the lists with the key.
func (s *server) contents(t *testing.T, key string, lists []string) []string {
	t.Helper()
	var seen []string
	for _, path := range lists {
		list := s.request("GET", path).as(key).send(t)
		seen = append(seen, list.body)
		if strings.HasSuffix(path, "/groups") {
			for _, g := range list.page(t).Data {
				seen = append(seen, s.request("GET", path+"/"+g.ID+"/memberships").as(key).send(t).body)
			}
		}
	}
	return seen
}

// healthPaths checks that the health paths need no key.
func healthPaths(t *testing.T, s *server) {
	for _, path := range []string{"/healthz", "/readyz", "/readyz/", "//healthz"} {
		is := is.New(t)
		a := s.request("GET", path).as("").send(t)
		is.Equal(a.status, 200)
		is.Equal(a.body, `{"status":"up"}`)
	}
	is := is.New(t)
	is.Equal(s.request("POST", "/healthz").as("").send(t).status, 405)
	is.Equal(s.request("OPTIONS", "/readyz").as("").send(t).status, 204)
}

package protocol

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
	"lyceum/test/api/apitest/routes"
)

// Isolation checks that, for a client, the records of another school do not exist.
func Isolation(t *testing.T, s *fixture.Server) {
	is := is.New(t)
	before := s.VisibleTo(t, s.OtherTenantKey)

	for _, r := range routes.All {
		if r.Theirs == "" {
			continue
		}
		body := `{"data":{"type":"` + r.Noun() + `","uuid":"` + r.Theirs + `","attributes":{"name":"Ours"}}}`
		if strings.HasSuffix(r.Path, "/redemptions") || strings.HasSuffix(r.Path, "/replay") { // a new redemption must not have an id
			body = `{"data":{}}`
		}
		if strings.Contains(r.Path, "/relationships/") {
			body = `{"data":[]}`
		}
		if r.Readable() {
			is.Equal(s.Request("GET", r.Of(r.Theirs)).As(s.OtherTenantKey).Send(t).Status, 200)
		}
		for _, method := range r.AllowedMethods() {
			is.Equal(s.Send(t, method, r.Of(r.Theirs), body).Status, 404)
		}
	}
	is.Equal(s.Get(t, "/v1/people?q=theirs").IDs(t), "")
	is.Equal(s.Get(t, "/v1/categories?filter[uuid][eq]="+records.TheirCategory).IDs(t), "")
	is.Equal(s.Get(t, "/v1/coupons?q=theirs").IDs(t), "")
	for path, attribute := range map[string]string{
		"/v1/quizzes": "uuid", "/v1/assignments": "uuid", "/v2/activities": "uuid", "/v2/submissions": "uuid", "/v2/events": "person.id",
		"/v1/analytics/courses": "person.id", "/v1/analytics/quiz_scores": "person.id", "/v1/analytics/quiz_raw_answers": "person.id",
		"/v2/quiz_attempts": "person.id", "/v2/activity_completions": "person.id",
	} {
		for _, id := range []string{records.TheirQuiz, records.TheirAssignment, records.TheirActivity, records.TheirSubmission, records.TheirPerson} {
			is.Equal(s.Get(t, path+"?filter["+attribute+"][eq]="+id).IDs(t), "")
		}
		if !strings.Contains(path, "events") {
			is.Equal(s.Get(t, path+"?q=theirs").IDs(t), "")
		}
	}
	is.Equal(s.VisibleTo(t, s.OtherTenantKey), before)

	t.Run("names of another school are not taken", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "POST", "/v1/categories", `{"data":{"type":"categories","attributes":{"name":"Theirs"}}}`).Status, 201)
		is.Equal(s.Send(t, "POST", "/v1/groups", `{"data":{"type":"groups","attributes":{"name":"Theirs"}}}`).Status, 201)
		is.Equal(s.Send(t, "PUT", "/v1/coupons/"+records.TenOff, `{"data":{"attributes":{"code":"Theirs"}}}`).Status, 200)
		is.Equal(s.Send(t, "POST", "/v1/learners", `{"data":{"type":"people","attributes":{"email":"theirs@example.test"}}}`).Status, 201)
		is.Equal(s.VisibleTo(t, s.OtherTenantKey), before)
	})
}

// Health checks that the health paths need no key.
func Health(t *testing.T, s *fixture.Server) {
	for _, path := range []string{"/healthz", "/readyz", "/readyz/", "//healthz"} {
		is := is.New(t)
		a := s.Request("GET", path).As("").Send(t)
		is.Equal(a.Status, 200)
		is.Equal(a.Body, `{"status":"up"}`)
	}
	is := is.New(t)
	is.Equal(s.Request("POST", "/healthz").As("").Send(t).Status, 405)
	is.Equal(s.Request("OPTIONS", "/readyz").As("").Send(t).Status, 204)
}

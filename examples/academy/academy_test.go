package main

import (
	"encoding/json"
	"io"
	"lyceum/cmd/server"
	"lyceum/test/lyceumtest"
	"strings"
	"testing"
	"time"
)

// academy is a school as JSON lines; docs/transfer.md of Lyceum describes them.
const academy = `{"kind": "school", "format": 1, "name": "Academy"}
{"kind": "property", "resource": "school", "name": "blocked_domains", "type": "text", "value": "mailinator.example, trash.example"}
{"kind": "person", "email": "ada@school.example", "id": "00000000-0000-4000-8000-000000000001"}
{"kind": "course", "permalink": "algebra", "name": "Algebra", "id": "00000000-0000-4000-8000-000000000002"}
{"kind": "activity", "course": "algebra", "title": "Read", "type": "text", "id": "00000000-0000-4000-8000-000000000003"}
{"kind": "activity", "course": "algebra", "title": "Watch", "type": "video", "seconds": 60, "id": "00000000-0000-4000-8000-000000000004"}
{"kind": "group", "name": "Algebraists"}
{"kind": "enrollment", "course": "algebra", "person": "ada@school.example", "role": "learner"}
{"kind": "end"}
`

func start(t *testing.T) *lyceumtest.Server {
	return lyceumtest.Start(t, lyceumtest.With(server.WithPolicy(rules)), lyceumtest.WithSchool(func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(academy)), nil
	}))
}

// wants makes a request. The test fails unless the response has the given status and contains part.
func wants(t *testing.T, s *lyceumtest.Server, method, path, body string, status int, part string) {
	t.Helper()
	got, text, err := s.Do(t.Context(), method, path, body)
	if err != nil {
		t.Fatal(err)
	}
	if got != status || !strings.Contains(text, part) {
		t.Errorf("%s %s: %d %s", method, path, got, text)
	}
}

// Each school has its own list of blocked domains. A change of the list takes effect with the next
// request.
func TestBlockedDomain(t *testing.T) {
	s := start(t)
	wants(t, s, "POST", "/v2/people", `{"data": {"type": "people", "attributes": {"email": "x@trash.example"}}}`, 422, `"pointer":"/data/attributes/email"`)
	wants(t, s, "POST", "/v2/people", `{"data": {"type": "people", "attributes": {"email": "x@school.example"}}}`, 201, "x@school.example")
	ada := "/v2/people/00000000-0000-4000-8000-000000000001"
	wants(t, s, "PATCH", ada, `{"data": {"attributes": {"email": "ada@trash.example"}}}`, 422, `"pointer":"/data/attributes/email"`)
	wants(t, s, "PATCH", ada, `{"data": {"attributes": {"first_name": "Ada"}}}`, 200, `"first_name":"Ada"`)
	wants(t, s, "PATCH", "/v2/school", `{"data": {"attributes": {"properties": {"blocked_domains": "school.example"}}}}`, 200, "school.example")
	wants(t, s, "POST", "/v2/people", `{"data": {"type": "people", "attributes": {"email": "x@trash.example"}}}`, 201, "x@trash.example")
	wants(t, s, "POST", "/v2/people", `{"data": {"type": "people", "attributes": {"email": "y@school.example"}}}`, 422, `"pointer":"/data/attributes/email"`)
}

// bulk makes a bulk request, waits until the server has applied it, and returns the bulk job.
func bulk(t *testing.T, s *lyceumtest.Server, kind, rows string) string {
	t.Helper()
	_, job, err := s.Do(t.Context(), "POST", "/v1/bulk/"+kind, `{"data": {"type": "bulk", "attributes": {"`+kind+`": `+rows+`}}}`)
	for err == nil && !strings.Contains(job, `"status":"completed"`) {
		var document struct{ Data struct{ ID string } }
		if err = json.Unmarshal([]byte(job), &document); err != nil || document.Data.ID == "" {
			t.Fatal(job, err)
		}
		time.Sleep(10 * time.Millisecond)
		_, job, err = s.Do(t.Context(), "GET", "/v1/bulk/jobs/"+document.Data.ID, "")
	}
	if err != nil {
		t.Fatal(err)
	}
	return job
}

// Rules decide on the rows of a bulk request one by one: three people join, the fourth row fails.
func TestSmallGroupInBulk(t *testing.T) {
	s := start(t)
	outcome := bulk(t, s, "people", `[
		{"email": "a@school.example", "groups": "Algebraists"}, {"email": "b@school.example", "groups": "Algebraists"},
		{"email": "c@school.example", "groups": "Algebraists"}, {"email": "d@school.example", "groups": "Algebraists"}]`)
	if !strings.Contains(outcome, `"rows_failed":1`) || !strings.Contains(outcome, `"pointer":"/data/attributes/people/3/groups"`) {
		t.Error(outcome)
	}
	wants(t, s, "GET", "/v1/groups", "", 200, `"membership_count":3`)
	wants(t, s, "GET", "/v2/people?filter[email][eq]=d@school.example", "", 200, `"data":[]`)
}

// In both kinds of import, rules decide line by line, and a refused line prevents the whole import.
func TestImports(t *testing.T) {
	s := start(t)
	_, err := s.ImportPeople(t.Context(), `email,groups
a@school.example,Algebraists
b@school.example,Algebraists
c@school.example,Algebraists
d@school.example,Algebraists
`)
	if err == nil || err.Error() != "line 5: groups: cannot join: Algebraists has 3 members (maximum is 3)" {
		t.Error(err)
	}
	_, err = s.Import(t.Context(), `{"kind": "property", "resource": "school", "name": "blocked_domains", "type": "text", "value": "new.example"}
{"kind": "person", "email": "x@new.example"}
`)
	if err == nil || err.Error() != "line 3: person: email: must not be an address at new.example" {
		t.Error(err)
	}
	wants(t, s, "GET", "/v1/groups", "", 200, `"membership_count":0`)
}

const (
	ada       = `{"type": "people", "id": "00000000-0000-4000-8000-000000000001"}`
	inCourse  = "/v2/people/00000000-0000-4000-8000-000000000001/relationships/courses"
	inAlgebra = `{"data": [{"type": "enrolled-courses", "id": "00000000-0000-4000-8000-000000000002"}]}`
)

func TestUnenrollingAtHalf(t *testing.T) {
	s := start(t)
	wants(t, s, "POST", "/v2/activities/00000000-0000-4000-8000-000000000003/completions",
		`{"data": {"type": "activity_completions", "relationships": {"person": {"data": `+ada+`}}}}`, 201, "")
	wants(t, s, "DELETE", inCourse, inAlgebra, 403, "has completed 50% of Algebra")
}

// A report that less than a tenth of a video was watched has no effect: the response is the same as
// on success, but no event is saved.
func TestWatchedTooLittle(t *testing.T) {
	s := start(t)
	report := func(watched string) string {
		return `{"data": {"type": "learner_viewed_video_activity_events", "attributes": {"percentage_watched": ` + watched + `},
			"relationships": {"person": {"data": ` + ada + `},
			"activity": {"data": {"type": "activities", "id": "00000000-0000-4000-8000-000000000004"}}}}}`
	}
	wants(t, s, "POST", "/v2/events", report("0.05"), 201, `"percentage_watched":0.05`)
	wants(t, s, "GET", "/v2/events", "", 200, `"data":[]`)
	wants(t, s, "POST", "/v2/events", report("0.5"), 201, "")
	wants(t, s, "GET", "/v2/events", "", 200, `"percentage_watched":0.5`)
}

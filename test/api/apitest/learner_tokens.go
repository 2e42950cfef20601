package apitest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

// learnerRoutes contains the routes that are open to learners. For each route, it has the statuses
// that grace and ada get when they request ada's records without a body; grace is not enrolled
// anywhere. The status of all other routes that need a key is 403; testdata/closed_to_learners.txt
// lists them.
var learnerRoutes = map[string]struct{ grace, ada int }{
	"GET /v2/people/:id":                   {404, 200},
	"GET /v2/courses":                      {200, 200},
	"GET /v2/courses/:id":                  {404, 200},
	"GET /v2/courses/:id/activities":       {404, 200},
	"GET /v2/courses/:id/structure":        {404, 200},
	"GET /v2/courses/:id/enrollments":      {404, 200},
	"GET /v2/enrollments/:id":              {404, 200},
	"GET /v2/activities":                   {200, 200},
	"GET /v2/activities/:id":               {404, 200},
	"GET /v2/analytics/courses":            {200, 200},
	"GET /v2/analytics/quiz_scores":        {200, 200},
	"GET /v2/analytics/quiz_raw_answers":   {200, 200},
	"GET /v2/quiz_attempts":                {200, 200},
	"GET /v2/activity_completions":         {200, 200},
	"GET /v2/submissions":                  {200, 200},
	"GET /v2/submissions/:id":              {404, 200},
	"GET /v2/assignments/:id/submissions":  {404, 200},
	"GET /v2/events":                       {200, 200},
	"POST /v2/events":                      {400, 400},
	"POST /v2/activities/:id/completions":  {400, 400},
	"POST /v2/quizzes/:id/answers":         {400, 400},
	"POST /v2/assignments/:id/submissions": {404, 415},
}

// adasRecords contains the ids that replace :id in paths, by the resource in the path.
var adasRecords = map[string]string{
	"people": ada, "courses": drawing, "enrollments": adaInDrawing, "activities": look, "submissions": adasDrawing,
	"assignments": stillLife, "quizzes": shapesQuiz,
}

// newToken creates a token of a person with the given JSON attributes and returns it.
func (s *server) newToken(t *testing.T, person, attributes string) string {
	t.Helper()
	a := s.send(t, "POST", "/v2/people/"+person+"/tokens", `{"data":{"attributes":{`+attributes+`}}}`)
	var document struct {
		Data struct{ Attributes struct{ Token string } }
	}
	if err := json.Unmarshal([]byte(a.body), &document); err != nil || document.Data.Attributes.Token == "" {
		t.Fatalf("no token: %d %s", a.status, a.body)
	}
	return document.Data.Attributes.Token
}

// learnerTokens checks the tokens of learners, and every route with them.
func learnerTokens(t *testing.T, s *server) {
	tokens := map[string]string{ada: s.newToken(t, ada, ""), grace: s.newToken(t, grace, "")}
	t.Run("every route", func(t *testing.T) {
		seen, closed := 0, []string(nil)
		for _, r := range s.routes {
			if r.Scope == "" {
				continue
			}
			want, open := learnerRoutes[strings.Replace(r.Method, "HEAD", "GET", 1)+" "+r.Path]
			if !open {
				want.grace, want.ada = 403, 403
				closed = append(closed, r.Method+" "+r.Path+"\n")
			} else if r.Method != "HEAD" {
				seen++
			}
			path := strings.Replace(r.Path, ":id", cmp.Or(adasRecords[strings.Split(r.Path, "/")[2]], unknown), 1)
			for of, status := range map[string]int{ada: want.ada, grace: want.grace} {
				a := s.request(r.Method, path).as(tokens[of]).send(t)
				if a.status != status {
					t.Errorf("%s %s: %d, want %d: %s", r.Method, path, a.status, status, a.body)
				}
				if of == grace && a.status == 200 && (strings.Contains(a.body, ada) || strings.Contains(a.body, alan)) {
					t.Errorf("%s %s shows a record of another person: %s", r.Method, path, a.body)
				}
				if of == ada && a.status == 200 && (strings.Contains(a.body, alan) || strings.Contains(a.body, tokenDrawing)) {
					t.Errorf("%s %s shows ada more than her own: %s", r.Method, path, a.body)
				}
			}
		}
		slices.Sort(closed)
		lines := strings.Join(closed, "")
		const file = "testdata/closed_to_learners.txt"
		if *update {
			if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if listed, err := os.ReadFile(file); err != nil || string(listed) != lines {
			t.Errorf("a new route is neither in learnerRoutes nor in %s: %v", file, err)
		}
		if seen != len(learnerRoutes) {
			t.Errorf("%d of %d open routes exist", seen, len(learnerRoutes))
		}
	})

	t.Run("what a learner sees", func(t *testing.T) {
		is := is.New(t)
		as := func(path string) response { return s.request("GET", path).as(tokens[ada]).send(t) }
		is.True(!strings.Contains(as("/v2/courses/"+drawing+"/structure").body, "correct"))
		is.True(strings.Contains(s.get(t, "/v2/courses/"+drawing+"/structure").body, `"correct":true`))
		for _, hidden := range []string{"enrollments_count", "course_enrollment_link", "properties", "teaching"} {
			is.True(!strings.Contains(as("/v2/courses/"+drawing).body+as("/v2/people/"+ada).body, hidden))
		}
		is.Equal(as("/v2/courses?filter[course_enrollment_link][cont]=1").status, 400)
		is.Equal(as("/v2/courses?filter[permalink]=drawing").status, 200)
		is.Equal(as("/v2/enrollments/"+adaInDrawing+"?include=course,person").status, 200)
		is.Equal(as("/v2/quiz_attempts?include=quiz").status, 403)
		whole := s.request("GET", "/v2/events?limit=all").as(tokens[ada]).set("Accept", "text/csv").send(t)
		is.Equal(whole.status, 403) // it would take the place of an export of the school
	})

	t.Run("what a learner does", func(t *testing.T) {
		is := is.New(t)
		body := func(person string) string {
			return fmt.Sprintf(`{"data":{"type":"activity_completions","relationships":{"person":{"data":{"type":"people","id":%q}}}}}`, person)
		}
		complete := func(as, person string) response {
			return s.request("POST", "/v2/activities/"+hum+"/completions").as(tokens[as]).with(body(person)).set("Idempotency-Key", "one").send(t)
		}
		is.Equal(complete(grace, ada).status, 403)
		is.Equal(complete(ada, alan).status, 403)
		is.Equal(complete(grace, grace).status, 404) // grace is not enrolled
		is.Equal(complete(ada, ada).status, 201)
		is.Equal(complete(ada, ada).header.Get("Idempotent-Replayed"), "true")
		is.Equal(complete(grace, ada).status, 403) // the recorded response is ada's
	})

	t.Run("records of other courses are unknown", func(t *testing.T) { foreignRecords(t, s, tokens[grace]) })

	t.Run("an ended enrollment", func(t *testing.T) {
		is := is.New(t)
		as := func(method, path, body string) response {
			return s.request(method, path).as(tokens[ada]).with(body).send(t)
		}
		list := "/v2/assignments/" + stillLife + "/submissions"
		before := as("GET", list, "")
		is.Equal(s.send(t, "DELETE", "/v2/people/"+ada+"/relationships/courses", `{"data":[{"type":"enrolled-courses","id":"`+drawing+`"}]}`).status, 204)
		after := as("GET", list, "")
		is.Equal(after.status, 200)
		is.Equal(after.ids(t), before.ids(t)) // her own work
		is.True(after.ids(t) != "")
		is.Equal(as("GET", "/v2/assignments/"+essay+"/submissions", "").status, 404)
		// Of the two activities with the quiz, the one in singing is left.
		body := learnerDocument("quiz_raw_answers", `"response":"4"`, ada, "question", s.questionID(t, 1))
		answered := as("POST", "/v2/quizzes/"+shapesQuiz+"/answers", body)
		is.Equal(answered.status, 201)
		is.True(strings.Contains(answered.body, listen))
	})

	t.Run("lifetime", func(t *testing.T) {
		is := is.New(t)
		works := func(token string) bool {
			t.Helper()
			a := s.request("GET", "/v2/courses").as(token).send(t)
			if a.status == 401 {
				is.Equal(a.header.Get("WWW-Authenticate"), `Bearer realm="lyceum", error="invalid_token", X-Api-Key realm="lyceum"`)
			}
			return a.status == 200
		}
		short := s.newToken(t, grace, `"expires_in":60`)
		s.clock.Advance(time.Minute - time.Millisecond)
		is.True(works(short))
		s.clock.Advance(time.Millisecond)
		is.True(!works(short))
		is.True(!works("lyt_" + strings.Repeat("1", 54)))
		for attributes, failure := range map[string]string{
			`"expires_in":86401`:                  "422 /data/attributes/expires_in must be between 1 and 86400",
			`"expires_in":0`:                      "422 /data/attributes/expires_in must be between 1 and 86400",
			`"expires_at":"2001-01-01T00:00:00Z"`: "422 /data/attributes/expires_at must be in the future",
			`"expires_at":"2101-01-01T00:00:00Z"`: "422 /data/attributes/expires_at must be at most 24 hours in the future",
		} {
			a := s.send(t, "POST", "/v2/people/"+grace+"/tokens", `{"data":{"attributes":{`+attributes+`}}}`)
			is.Equal(a.failures(t), []string{failure})
		}
		is.Equal(s.send(t, "POST", "/v2/people/"+theirPerson+"/tokens", "").status, 404)

		a, b := s.newToken(t, grace, ""), s.newToken(t, grace, "")
		is.True(works(a) && works(b))
		is.Equal(s.send(t, "DELETE", "/v2/people/"+grace+"/tokens", "").status, 204)
		is.True(!works(a) && !works(b))
		is.True(works(tokens[ada]))
		a = s.newToken(t, grace, "")
		_, err := s.provision.SuspendSchool(t.Context(), s.own)
		is.NoErr(err)
		is.Equal(s.request("GET", "/v2/courses").as(a).send(t).status, 403)
		_, err = s.provision.ResumeSchool(t.Context(), s.own)
		is.NoErr(err)
		s.clock.Advance(5 * time.Second) // the suspension is cached for 5 seconds
		is.True(works(a))
		is.Equal(s.send(t, "DELETE", "/v2/people/"+grace, "").status, 204)
		is.True(!works(a))
	})
}

// foreignRecords checks that the responses to a token of grace, who is enrolled in pottery only, do
// not depend on whether an activity, a quiz, a question or an assignment of another course exists.
func foreignRecords(t *testing.T, s *server, token string) {
	is := is.New(t)
	question := s.questionID(t, 1)
	made := s.send(t, "POST", "/v2/courses", `{"data":{"attributes":{"name":"Pottery"}}}`)
	is.Equal(made.status, 201)
	pottery := made.id(t)
	is.Equal(s.send(t, "POST", "/v2/people/"+grace+"/relationships/courses", `{"data":[{"type":"enrolled-courses","id":"`+pottery+`"}]}`).status, 204)
	changed := s.send(t, "PUT", "/v2/courses/"+pottery+"/structure", `{"data":{"attributes":{"activities":[{"key":"clay","title":"Clay","kind":"text"}]}}}`)
	is.Equal(changed.status, 200)
	own := s.get(t, "/v2/courses/"+pottery+"/activities").page(t).Data[0].ID

	send := func(path, body string) response { return s.request("POST", path).as(token).with(body).send(t) }
	event := func(id string) string { return learnerDocument(viewed, "", grace, "activity", id) }
	answer := func(response string, related ...string) string {
		return learnerDocument("quiz_raw_answers", `"response":"`+response+`"`, grace, related...)
	}
	form := func(id string, parts ...string) response {
		return s.request("POST", "/v2/assignments/"+id+"/submissions").as(token).with(formBody(append(parts, "person", grace, "file", "a.txt|a")...)).
			set("Content-Type", "multipart/form-data; boundary="+boundary).send(t)
	}
	for _, tt := range []struct {
		name     string
		existing []string // ids of other courses
		request  func(id string) response
		want     []string
	}{
		{"complete", []string{lines, look, still}, func(id string) response {
			return send("/v2/activities/"+id+"/completions", learnerDocument("activity_completions", "", grace))
		}, []string{"404 " + missing}},
		{"report an event", []string{lines, look, still}, func(id string) response { return send("/v2/events", event(id)) }, []string{
			"404 /data/relationships/activity/data/id " + missing,
		}},
		{"report a watched video", []string{lines, light}, func(id string) response {
			return send("/v2/events", learnerDocument(video, `"percentage_watched":0.5`, grace, "activity", id))
		}, []string{"404 /data/relationships/activity/data/id " + missing}},
		{"report several events", []string{lines, still}, func(id string) response {
			return send("/v2/events", learnerBatch(event(own), event(id), event(own)))
		}, []string{"404 /data/1/relationships/activity/data/id " + missing}},
		{"answer", []string{shapesQuiz, chordsQuiz}, func(id string) response {
			return send("/v2/quizzes/"+id+"/answers", answer("4", "question", question))
		}, []string{"404 " + missing}},
		{"answer with a text that is not a choice", []string{shapesQuiz}, func(id string) response {
			return send("/v2/quizzes/"+id+"/answers", answer("5", "question", question))
		}, []string{"404 " + missing}},
		{"answer in an activity of another course", []string{shapesQuiz}, func(id string) response {
			return send("/v2/quizzes/"+id+"/answers", answer("5", "question", question, "activity", look))
		}, []string{"404 " + missing}},
		{"answer in an activity of the course", []string{shapesQuiz, chordsQuiz}, func(id string) response {
			return send("/v2/quizzes/"+id+"/answers", learnerBatch(answer("4", "question", question, "activity", own), answer("5", "question", unknown, "activity", own)))
		}, []string{"404 " + missing}},
		{"submit", []string{stillLife, essay}, func(id string) response { return form(id) }, []string{"404 " + missing}},
		{"submit in an activity of another course", []string{stillLife}, func(id string) response { return form(id, "activity", still) }, []string{"404 " + missing}},
		{"submit in an activity of the course", []string{stillLife, essay}, func(id string) response { return form(id, "activity", own) }, []string{"404 " + missing}},
		{"list submissions", []string{stillLife, essay}, func(id string) response {
			return s.request("GET", "/v2/assignments/"+id+"/submissions").as(token).send(t)
		}, []string{"404 " + missing}},
	} {
		for _, id := range append(tt.existing, unknown) {
			if got := tt.request(id).failures(t); !slices.Equal(got, tt.want) {
				t.Errorf("%s, %s: %q, want %q", tt.name, id, got, tt.want)
			}
		}
	}
	is.Equal(send("/v2/activities/"+own+"/completions", learnerDocument("activity_completions", "", grace)).status, 201)
	// A key learns why.
	is.Equal(s.send(t, "POST", "/v2/activities/"+lines+"/completions", learnerDocument("activity_completions", "", grace)).failures(t),
		[]string{"422 /data/relationships/person/data/id is not enrolled in the course as a learner"})
}

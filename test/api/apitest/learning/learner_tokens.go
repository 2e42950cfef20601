package learning

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/bodies"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/golden"
	"lyceum/test/api/apitest/records"
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
	"people": records.Ada, "courses": records.Drawing, "enrollments": records.AdaInDrawing, "activities": records.Look, "submissions": records.AdasDrawing,
	"assignments": records.StillLife, "quizzes": records.ShapesQuiz,
}

// LearnerTokens checks the tokens of learners, and every route with them.
func LearnerTokens(t *testing.T, s *fixture.Server) {
	tokens := map[string]string{records.Ada: s.NewToken(t, records.Ada, ""), records.Grace: s.NewToken(t, records.Grace, "")}
	t.Run("every route", func(t *testing.T) {
		seen, closed := 0, []string(nil)
		for _, r := range s.Routes {
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
			path := strings.Replace(r.Path, ":id", cmp.Or(adasRecords[strings.Split(r.Path, "/")[2]], records.Unknown), 1)
			for of, status := range map[string]int{records.Ada: want.ada, records.Grace: want.grace} {
				a := s.Request(r.Method, path).As(tokens[of]).Send(t)
				if a.Status != status {
					t.Errorf("%s %s: %d, want %d: %s", r.Method, path, a.Status, status, a.Body)
				}
				if of == records.Grace && a.Status == 200 && (strings.Contains(a.Body, records.Ada) || strings.Contains(a.Body, records.Alan)) {
					t.Errorf("%s %s shows a record of another person: %s", r.Method, path, a.Body)
				}
				if of == records.Ada && a.Status == 200 && (strings.Contains(a.Body, records.Alan) || strings.Contains(a.Body, records.TokenDrawing)) {
					t.Errorf("%s %s shows ada more than her own: %s", r.Method, path, a.Body)
				}
			}
		}
		slices.Sort(closed)
		lines := strings.Join(closed, "")
		const file = "testdata/closed_to_learners.txt"
		if *golden.Update {
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
		as := func(path string) fixture.Response { return s.Request("GET", path).As(tokens[records.Ada]).Send(t) }
		is.True(!strings.Contains(as("/v2/courses/"+records.Drawing+"/structure").Body, "correct"))
		is.True(strings.Contains(s.Get(t, "/v2/courses/"+records.Drawing+"/structure").Body, `"correct":true`))
		for _, hidden := range []string{"enrollments_count", "course_enrollment_link", "properties", "teaching"} {
			is.True(!strings.Contains(as("/v2/courses/"+records.Drawing).Body+as("/v2/people/"+records.Ada).Body, hidden))
		}
		is.Equal(as("/v2/courses?filter[course_enrollment_link][cont]=1").Status, 400)
		is.Equal(as("/v2/courses?filter[permalink]=drawing").Status, 200)
		is.Equal(as("/v2/enrollments/"+records.AdaInDrawing+"?include=course,person").Status, 200)
		is.Equal(as("/v2/quiz_attempts?include=quiz").Status, 403)
		whole := s.Request("GET", "/v2/events?limit=all").As(tokens[records.Ada]).Set("Accept", "text/csv").Send(t)
		is.Equal(whole.Status, 403) // it would take the place of an export of the school
	})

	t.Run("what a learner does", func(t *testing.T) {
		is := is.New(t)
		body := func(person string) string {
			return fmt.Sprintf(`{"data":{"type":"activity_completions","relationships":{"person":{"data":{"type":"people","id":%q}}}}}`, person)
		}
		complete := func(as, person string) fixture.Response {
			return s.Request("POST", "/v2/activities/"+records.Hum+"/completions").As(tokens[as]).With(body(person)).Set("Idempotency-Key", "one").Send(t)
		}
		is.Equal(complete(records.Grace, records.Ada).Status, 403)
		is.Equal(complete(records.Ada, records.Alan).Status, 403)
		is.Equal(complete(records.Grace, records.Grace).Status, 404) // grace is not enrolled
		is.Equal(complete(records.Ada, records.Ada).Status, 201)
		is.Equal(complete(records.Ada, records.Ada).Header.Get("Idempotent-Replayed"), "true")
		is.Equal(complete(records.Grace, records.Ada).Status, 403) // the recorded response is ada's
	})

	t.Run("records of other courses are unknown", func(t *testing.T) { foreignRecords(t, s, tokens[records.Grace]) })

	t.Run("an ended enrollment", func(t *testing.T) {
		is := is.New(t)
		as := func(method, path, body string) fixture.Response {
			return s.Request(method, path).As(tokens[records.Ada]).With(body).Send(t)
		}
		list := "/v2/assignments/" + records.StillLife + "/submissions"
		before := as("GET", list, "")
		is.Equal(s.Send(t, "DELETE", "/v2/people/"+records.Ada+"/relationships/courses", `{"data":[{"type":"enrolled-courses","id":"`+records.Drawing+`"}]}`).Status, 204)
		after := as("GET", list, "")
		is.Equal(after.Status, 200)
		is.Equal(after.IDs(t), before.IDs(t)) // her own work
		is.True(after.IDs(t) != "")
		is.Equal(as("GET", "/v2/assignments/"+records.Essay+"/submissions", "").Status, 404)
		// Of the two activities with the quiz, the one in singing is left.
		body := bodies.LearnerDocument("quiz_raw_answers", `"response":"4"`, records.Ada, "question", s.QuestionID(t, 1))
		answered := as("POST", "/v2/quizzes/"+records.ShapesQuiz+"/answers", body)
		is.Equal(answered.Status, 201)
		is.True(strings.Contains(answered.Body, records.Listen))
	})

	t.Run("lifetime", func(t *testing.T) {
		is := is.New(t)
		works := func(token string) bool {
			t.Helper()
			a := s.Request("GET", "/v2/courses").As(token).Send(t)
			if a.Status == 401 {
				is.Equal(a.Header.Get("WWW-Authenticate"), `Bearer realm="lyceum", error="invalid_token", X-Api-Key realm="lyceum"`)
			}
			return a.Status == 200
		}
		short := s.NewToken(t, records.Grace, `"expires_in":60`)
		s.Clock.Advance(time.Minute - time.Millisecond)
		is.True(works(short))
		s.Clock.Advance(time.Millisecond)
		is.True(!works(short))
		is.True(!works("lyt_" + strings.Repeat("1", 54)))
		for attributes, failure := range map[string]string{
			`"expires_in":86401`:                  "422 /data/attributes/expires_in must be between 1 and 86400",
			`"expires_in":0`:                      "422 /data/attributes/expires_in must be between 1 and 86400",
			`"expires_at":"2001-01-01T00:00:00Z"`: "422 /data/attributes/expires_at must be in the future",
			`"expires_at":"2101-01-01T00:00:00Z"`: "422 /data/attributes/expires_at must be at most 24 hours in the future",
		} {
			a := s.Send(t, "POST", "/v2/people/"+records.Grace+"/tokens", `{"data":{"attributes":{`+attributes+`}}}`)
			is.Equal(a.Failures(t), []string{failure})
		}
		is.Equal(s.Send(t, "POST", "/v2/people/"+records.TheirPerson+"/tokens", "").Status, 404)

		a, b := s.NewToken(t, records.Grace, ""), s.NewToken(t, records.Grace, "")
		is.True(works(a) && works(b))
		is.Equal(s.Send(t, "DELETE", "/v2/people/"+records.Grace+"/tokens", "").Status, 204)
		is.True(!works(a) && !works(b))
		is.True(works(tokens[records.Ada]))
		a = s.NewToken(t, records.Grace, "")
		_, err := s.Provision.SuspendSchool(t.Context(), s.Own)
		is.NoErr(err)
		is.Equal(s.Request("GET", "/v2/courses").As(a).Send(t).Status, 403)
		_, err = s.Provision.ResumeSchool(t.Context(), s.Own)
		is.NoErr(err)
		s.Clock.Advance(5 * time.Second) // the suspension is cached for 5 seconds
		is.True(works(a))
		is.Equal(s.Send(t, "DELETE", "/v2/people/"+records.Grace, "").Status, 204)
		is.True(!works(a))
	})
}

// foreignRecords checks that the responses to a token of grace, who is enrolled in pottery only, do
// not depend on whether an activity, a quiz, a question or an assignment of another course exists.
func foreignRecords(t *testing.T, s *fixture.Server, token string) {
	is := is.New(t)
	question := s.QuestionID(t, 1)
	made := s.Send(t, "POST", "/v2/courses", `{"data":{"attributes":{"name":"Pottery"}}}`)
	is.Equal(made.Status, 201)
	pottery := made.ID(t)
	is.Equal(s.Send(t, "POST", "/v2/people/"+records.Grace+"/relationships/courses", `{"data":[{"type":"enrolled-courses","id":"`+pottery+`"}]}`).Status, 204)
	changed := s.Send(t, "PUT", "/v2/courses/"+pottery+"/structure", `{"data":{"attributes":{"activities":[{"key":"clay","title":"Clay","kind":"text"}]}}}`)
	is.Equal(changed.Status, 200)
	own := s.Get(t, "/v2/courses/"+pottery+"/activities").Page(t).Data[0].ID

	send := func(path, body string) fixture.Response { return s.Request("POST", path).As(token).With(body).Send(t) }
	event := func(id string) string {
		return bodies.LearnerDocument(bodies.Viewed, "", records.Grace, "activity", id)
	}
	answer := func(response string, related ...string) string {
		return bodies.LearnerDocument("quiz_raw_answers", `"response":"`+response+`"`, records.Grace, related...)
	}
	form := func(id string, parts ...string) fixture.Response {
		return s.Request("POST", "/v2/assignments/"+id+"/submissions").As(token).With(bodies.FormBody(append(parts, "person", records.Grace, "file", "a.txt|a")...)).
			Set("Content-Type", "multipart/form-data; boundary="+bodies.Boundary).Send(t)
	}
	for _, tt := range []struct {
		name     string
		existing []string // ids of other courses
		request  func(id string) fixture.Response
		want     []string
	}{
		{"complete", []string{records.Lines, records.Look, records.Still}, func(id string) fixture.Response {
			return send("/v2/activities/"+id+"/completions", bodies.LearnerDocument("activity_completions", "", records.Grace))
		}, []string{"404 " + fixture.Missing}},
		{"report an event", []string{records.Lines, records.Look, records.Still}, func(id string) fixture.Response { return send("/v2/events", event(id)) }, []string{
			"404 /data/relationships/activity/data/id " + fixture.Missing,
		}},
		{"report a watched video", []string{records.Lines, records.Light}, func(id string) fixture.Response {
			return send("/v2/events", bodies.LearnerDocument(bodies.Video, `"percentage_watched":0.5`, records.Grace, "activity", id))
		}, []string{"404 /data/relationships/activity/data/id " + fixture.Missing}},
		{"report several events", []string{records.Lines, records.Still}, func(id string) fixture.Response {
			return send("/v2/events", bodies.LearnerBatch(event(own), event(id), event(own)))
		}, []string{"404 /data/1/relationships/activity/data/id " + fixture.Missing}},
		{"answer", []string{records.ShapesQuiz, records.ChordsQuiz}, func(id string) fixture.Response {
			return send("/v2/quizzes/"+id+"/answers", answer("4", "question", question))
		}, []string{"404 " + fixture.Missing}},
		{"answer with a text that is not a choice", []string{records.ShapesQuiz}, func(id string) fixture.Response {
			return send("/v2/quizzes/"+id+"/answers", answer("5", "question", question))
		}, []string{"404 " + fixture.Missing}},
		{"answer in an activity of another course", []string{records.ShapesQuiz}, func(id string) fixture.Response {
			return send("/v2/quizzes/"+id+"/answers", answer("5", "question", question, "activity", records.Look))
		}, []string{"404 " + fixture.Missing}},
		{"answer in an activity of the course", []string{records.ShapesQuiz, records.ChordsQuiz}, func(id string) fixture.Response {
			return send("/v2/quizzes/"+id+"/answers", bodies.LearnerBatch(answer("4", "question", question, "activity", own), answer("5", "question", records.Unknown, "activity", own)))
		}, []string{"404 " + fixture.Missing}},
		{"submit", []string{records.StillLife, records.Essay}, func(id string) fixture.Response { return form(id) }, []string{"404 " + fixture.Missing}},
		{"submit in an activity of another course", []string{records.StillLife}, func(id string) fixture.Response { return form(id, "activity", records.Still) }, []string{"404 " + fixture.Missing}},
		{"submit in an activity of the course", []string{records.StillLife, records.Essay}, func(id string) fixture.Response { return form(id, "activity", own) }, []string{"404 " + fixture.Missing}},
		{"list submissions", []string{records.StillLife, records.Essay}, func(id string) fixture.Response {
			return s.Request("GET", "/v2/assignments/"+id+"/submissions").As(token).Send(t)
		}, []string{"404 " + fixture.Missing}},
	} {
		for _, id := range append(tt.existing, records.Unknown) {
			if got := tt.request(id).Failures(t); !slices.Equal(got, tt.want) {
				t.Errorf("%s, %s: %q, want %q", tt.name, id, got, tt.want)
			}
		}
	}
	is.Equal(send("/v2/activities/"+own+"/completions", bodies.LearnerDocument("activity_completions", "", records.Grace)).Status, 201)
	// A key learns why.
	is.Equal(s.Send(t, "POST", "/v2/activities/"+records.Lines+"/completions", bodies.LearnerDocument("activity_completions", "", records.Grace)).Failures(t),
		[]string{"422 /data/relationships/person/data/id is not enrolled in the course as a learner"})
}

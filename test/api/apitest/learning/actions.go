package learning

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/bodies"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// EventReports checks the events that clients report.
func EventReports(t *testing.T, s *fixture.Server) {
	const feed = "/v2/events"
	count := func() int { return len(s.Get(t, feed+"?limit=1000").Page(t).Data) }
	view := func(attributes, who, what string) string {
		return bodies.LearnerDocument(bodies.Viewed, attributes, who, "activity", what)
	}

	t.Run("a repeated report changes nothing", func(t *testing.T) {
		is := is.New(t)
		before, body := count(), view(`"client_id":"Once","occurred_at":"2026-01-02T15:00:00.1239Z"`, records.Ada, records.Lines)
		first := s.Send(t, "POST", feed, body)
		is.Equal(first.Status, 201)
		is.Equal(first.Header.Get("Location"), records.Base+feed)
		s.Clock.Advance(time.Minute)
		is.Equal(s.Send(t, "POST", feed, body).Body, first.Body)
		is.Equal(s.Send(t, "POST", feed, bodies.LearnerBatch(body, body)).Status, 201)
		is.Equal(count(), before+1)
		is.Equal(s.Send(t, "POST", feed, view(`"client_id":"Once"`, records.Ada, records.Lines)).Failures(t), []string{
			"422 /data/attributes/client_id is already used by a different event",
		})
		is.Equal(s.Send(t, "POST", feed, bodies.LearnerBatch(view(`"client_id":"Two"`, records.Ada, records.Lines), view(`"client_id":"Two"`, records.Ada, records.Light))).Failures(t), []string{
			"422 /data/1/attributes/client_id is already used by a different event",
		})
		is.Equal(s.Send(t, "POST", feed, view(`"client_id":"once"`, records.Ada, records.Lines)).Status, 201) // client ids are case-sensitive
		is.Equal(len(s.Get(t, feed+"?filter[client_id][eq]=Once&filter[occurred_at][lt]=2026-01-02T15:01:00Z").Page(t).Data), 1)
		is.Equal(s.Request("POST", feed).With(bodies.LearnerDocument(bodies.Viewed, `"client_id":"Once"`, records.TheirPerson, "activity", records.TheirAnswering)).As(s.OtherTenantKey).Send(t).Status, 201) // client ids of schools are independent
		is.Equal(count(), before+2)
	})
	t.Run("each person has client ids of their own", func(t *testing.T) {
		is := is.New(t)
		before, tokens := count(), map[string]string{records.Ada: s.NewToken(t, records.Ada, ""), records.Alan: s.NewToken(t, records.Alan, "")}
		report := func(credential, body string) fixture.Response {
			return s.Request("POST", feed).As(credential).With(body).Send(t)
		}
		first := map[string]string{} // response to each person
		for _, person := range []string{records.Ada, records.Alan} {
			a := report(tokens[person], view(`"client_id":"shared"`, person, records.Hum))
			is.Equal(a.Status, 201) // the other person cannot use up the id
			is.True(strings.Contains(a.Body, `"client_id":"shared"`))
			first[person] = a.Body
		}
		for person, token := range tokens {
			is.Equal(report(token, view(`"client_id":"shared"`, person, records.Hum)).Body, first[person])
			is.Equal(s.Send(t, "POST", feed, view(`"client_id":"shared"`, person, records.Hum)).Body, first[person])
			is.Equal(report(token, view(`"client_id":"shared"`, person, records.Breathe)).Failures(t), []string{
				"422 /data/attributes/client_id is already used by a different event",
			})
		}
		both := bodies.LearnerBatch(view(`"client_id":"both"`, records.Ada, records.Hum), view(`"client_id":"both"`, records.Alan, records.Hum), view(`"client_id":"both"`, records.Ada, records.Hum))
		recorded := s.Send(t, "POST", feed, both)
		is.Equal(recorded.Status, 201)
		is.Equal(s.Send(t, "POST", feed, both).Body, recorded.Body)
		is.Equal(len(s.Get(t, feed+"?filter[client_id][eq]=shared").Page(t).Data), 2)
		is.Equal(count(), before+4)
	})
	t.Run("a repeated report succeeds after unenrollment", func(t *testing.T) {
		is := is.New(t)
		body := view(`"client_id":"late"`, records.Alan, records.Breathe)
		first := s.Send(t, "POST", feed, body)
		is.Equal(first.Status, 201)
		path, course := "/v1/people/"+records.Alan+"/relationships/courses", bodies.Data(bodies.Element("enrolled-courses", records.Singing))
		is.Equal(s.Send(t, "DELETE", path, course).Status, 204)
		is.Equal(s.Send(t, "POST", feed, body).Body, first.Body)
		is.Equal(s.Send(t, "POST", feed, view("", records.Alan, records.Breathe)).Failures(t), []string{
			"422 /data/relationships/person/data/id is not enrolled in the course as a learner",
		})
		is.Equal(s.Send(t, "POST", path, course).Status, 204)
	})
	t.Run("a batch of 1,000 keeps its order", func(t *testing.T) {
		is := is.New(t)
		before := count()
		all := make([]string, 1000)
		for i := range all {
			all[i] = bodies.LearnerDocument(bodies.Video, fmt.Sprintf(`"percentage_watched":0.%03d,"client_id":"%d"`, i, i), []string{records.Ada, records.Ada, records.Ada}[i%3], "activity", records.Light)
		}
		is.Equal(s.Send(t, "POST", feed, bodies.LearnerBatch(all...)).Status, 201)
		last := s.Get(t, feed+"?limit=1000&page=2").Page(t).Data
		is.Equal(len(last), before)
		is.Equal(last[before-1].Attributes["client_id"], "999")
		is.Equal(s.Send(t, "POST", feed, bodies.LearnerBatch(append(all, view("", records.Ada, records.Lines))...)).Failures(t), []string{
			"422 /data must be an object or an array of 1 to 1000 objects",
		})
	})
	t.Run("all faults are reported together, and nothing is saved", func(t *testing.T) {
		is := is.New(t)
		before := count()
		a := s.Send(t, "POST", feed, bodies.LearnerBatch(
			view("", records.Ada, records.Lines),
			view(`"occurred_at":"2030-01-02T15:09:05.124Z","client_id":"`+strings.Repeat("x", 129)+`"`, records.Ada, records.Lines),
			bodies.LearnerDocument(bodies.Video, `"percentage_watched":1.5`, records.Ada, "activity", records.Light),
			bodies.LearnerDocument(bodies.Video, `"percentage_watched":0.5`, records.Ada, "activity", records.Lines),
			view(`"occurred_at":"yesterday","percentage_watched":1,"client_id":""`, records.Unknown, records.TheirActivity),
			bodies.LearnerDocument("x", "", records.Ada, "activity", records.Lines),
			`{"data":{"type":"`+bodies.Viewed+`","relationships":{"person":{"data":{"type":"groups","id":"`+records.Ada+`"}}}}}`,
			`{"data":7}`,
			view("", "x", records.Lines),
		))
		is.Equal(a.Failures(t), []string{
			"422 /data/1/attributes/client_id must consist of 1 to 128 visible ASCII characters",
			"422 /data/1/attributes/occurred_at must not be in the future",
			"422 /data/2/attributes/percentage_watched must be between 0 and 1",
			"422 /data/3/relationships/activity/data/id is not a video",
			"422 /data/4/attributes/occurred_at is not a valid timestamp, such as 2026-01-02T15:04:05.123Z",
			"422 /data/4/attributes/percentage_watched is allowed only for " + bodies.Video,
			"422 /data/4/attributes/client_id can't be blank",
			"404 /data/4/relationships/activity/data/id " + fixture.Missing,
			"404 /data/4/relationships/person/data/id " + fixture.Missing,
			"409 /data/5/type must be " + bodies.Viewed + " or " + bodies.Video,
			"409 /data/6/relationships/person/data/type must be people",
			"422 /data/6/relationships/activity can't be blank",
			"422 /data/7 must be an object",
			"404 /data/8/relationships/person/data/id " + fixture.Missing,
		})
		is.Equal(count(), before)
	})
	t.Run("a single report", func(t *testing.T) {
		is := is.New(t)
		for body, want := range map[string][]string{
			`{"data":{"type":"` + bodies.Video + `","relationships":[]}}`: {
				"422 /data/relationships must be an object", "422 /data/attributes/percentage_watched can't be blank",
			},
			`{"data":[]}`: {"422 /data must be an object or an array of 1 to 1000 objects"},
			`{"data":{"type":"` + bodies.Viewed + `","id":"` + records.Ada + `","relationships":{"person":{"data":{"type":"people","id":"` + records.Ada + `"}},"activity":{"data":{"type":"activities","id":"` + records.Lines + `"}}}}}`: {
				"403 /data/id must not be present; the server assigns the id of a new resource",
			},
		} {
			is.Equal(s.Send(t, "POST", feed, body).Failures(t), want)
		}
	})
}

// Completions checks the completion of activities.
func Completions(t *testing.T, s *fixture.Server) {
	const list = "/v2/activity_completions"
	path := func(id string) string { return "/v2/activities/" + id + "/completions" }
	t.Run("completing twice creates one completion", func(t *testing.T) {
		is := is.New(t)
		body := bodies.LearnerDocument("activity_completions", "", records.Alan)
		first := s.Send(t, "POST", path(records.Hum), body)
		is.Equal(first.Status, 201)
		is.Equal(s.Numbers(t, "/v1/analytics/courses?filter[person.id]="+records.Alan, "progress"), "66.67")
		s.Clock.Advance(time.Hour)
		again := s.Send(t, "POST", path(records.Hum), body)
		is.Equal(again.Status, 200)
		is.Equal(again.Body, first.Body)
		is.Equal(s.Get(t, strings.TrimPrefix(first.Header.Get("Location"), records.Base)).IDs(t), first.ID(t))
	})
	t.Run("rejected", func(t *testing.T) {
		is := is.New(t)
		for _, tt := range []struct{ id, body, want string }{
			{records.Unknown, bodies.LearnerDocument("", "", records.Ada), "404 " + fixture.Missing},
			{"x", bodies.LearnerDocument("", "", records.Ada), "404 " + fixture.Missing},
			{records.TheirActivity, bodies.LearnerDocument("groups", "", records.Unknown), "404 " + fixture.Missing},
			{records.Lines, bodies.LearnerDocument("activity_completions", "", records.Unknown), "404 /data/relationships/person/data/id " + fixture.Missing},
			{records.Lines, bodies.LearnerDocument("activity_completions", "", records.Grace), "422 /data/relationships/person/data/id is not enrolled in the course as a learner"},
			{records.Lines, bodies.LearnerDocument("people", "", records.Ada), "409 /data/type must be activity_completions"},
			{records.Lines, `{"data":{}}`, "422 /data/relationships/person can't be blank"},
			{records.Lines, `{"data":{"relationships":{"person":{}}}}`, "422 /data/relationships/person can't be blank"},
		} {
			is.Equal(s.Send(t, "POST", path(tt.id), tt.body).Failures(t), []string{tt.want})
		}
	})
	t.Run("list", func(t *testing.T) {
		for _, tt := range []struct {
			query string
			want  int
		}{
			{"", 6},
			{"?q=lovelace", 4},
			{"?q=hum", 1},
			{"?filter[person.id]=" + records.Alan, 2},
			{"?filter[course.id]=" + records.Drawing, 4},
			{"?filter[activity.id]=" + records.Lines, 1},
			{"?filter[updated_at][gt]=2025-11-17T12:00:00Z", 1},
			{"?filter[created_at][lt]=2025-11-13", 2},
			{"?filter[course_attempt.id]=" + records.AdasSecond, 0},
			{"?filter[course_attempt_number]=1&sort=created_at", 6},
			{"?filter[uuid]=" + records.AdasFirst + ":" + records.Lines, 1},
		} {
			is := is.New(t)
			is.Equal(len(s.Get(t, list+tt.query).Page(t).Data), tt.want)
		}
	})
}

// Answers checks answers to questions.
func Answers(t *testing.T, s *fixture.Server) {
	const path, runs = "/v2/quizzes/" + records.ShapesQuiz + "/answers", "/v2/quiz_attempts"
	one, two, three := s.QuestionID(t, 1), s.QuestionID(t, 2), s.QuestionID(t, 3)
	reply := func(response, who, activity, question string) string {
		return bodies.LearnerDocument("quiz_raw_answers", `"response":`+response, who, "activity", activity, "question", question)
	}
	t.Run("a complete quiz attempt, and the next one", func(t *testing.T) {
		is := is.New(t)
		s.Clock.Advance(time.Minute)
		whole := bodies.LearnerBatch(reply(`"4"`, records.Ada, records.Listen, one), reply(`["A circle"]`, records.Ada, records.Listen, two), reply(`" NO "`, records.Ada, records.Listen, three))
		a := s.Send(t, "POST", path, whole)
		is.Equal(a.Status, 201)
		is.Equal(a.Header.Get("Location"), records.Base+runs)
		is.True(strings.Contains(a.Body, `"questions_completed":"3/3"`))
		ofAda := runs + "?filter[person.id]=" + records.Ada + "&filter[course.id]=" + records.Singing
		is.Equal(s.Numbers(t, ofAda, "percent_correct"), "33.33")
		next := s.Send(t, "POST", path, reply(`"4"`, records.Ada, records.Listen, one))
		is.Equal(next.Status, 201)
		is.Equal(s.Numbers(t, ofAda+"&sort=number", "number"), "1 2")
		where := strings.TrimPrefix(next.Header.Get("Location"), records.Base)
		is.Equal(s.Numbers(t, where, "number"), "2")
		is.True(strings.HasPrefix(next.ID(t), s.Get(t, where).IDs(t)+":"))
	})
	t.Run("a rejected batch saves nothing", func(t *testing.T) {
		is := is.New(t)
		before := s.Get(t, runs).Body
		is.Equal(s.Send(t, "POST", path, bodies.LearnerBatch(
			reply(`"4"`, records.Ada, records.Look, one), reply(`"5"`, records.Ada, records.Look, one), reply(`[]`, records.Ada, records.Look, two), reply(`7`, records.Ada, records.Look, three),
			reply(`"4"`, records.Ada, records.Lines, one), reply(`"4"`, records.Ada, records.Look, records.Unknown), reply(`"4"`, records.Grace, records.Look, one),
			bodies.LearnerDocument("quiz_raw_answers", `"response":"4"`, records.Ada, "question", one),
			bodies.LearnerDocument("quiz_raw_answers", `"response":null`, records.Ada, "activity", records.Look),
		)).Failures(t), []string{
			"422 /data/1/attributes/response contains a text that is not a choice of the question",
			"422 /data/2/attributes/response can't be blank",
			"422 /data/3/attributes/response must be a string or an array of strings",
			"422 /data/4/relationships/activity/data/id does not contain this quiz",
			"404 /data/5/relationships/question/data/id " + fixture.Missing,
			"422 /data/6/relationships/person/data/id is not enrolled in the course as a learner",
			"422 /data/7/relationships/activity/data/id is required: several activities use this quiz",
			"422 /data/8/relationships/question can't be blank",
		})
		is.Equal(s.Get(t, runs).Body, before)
		is.Equal(s.Send(t, "POST", "/v2/quizzes/"+records.TheirQuiz+"/answers", reply(`"4"`, records.Ada, records.Look, one)).Failures(t), []string{"404 " + fixture.Missing})
		is.Equal(s.Send(t, "POST", "/v2/quizzes/"+records.ChordsQuiz+"/answers", bodies.LearnerDocument("quiz_raw_answers", `"response":"4"`, records.Ada, "question", one)).Failures(t), []string{
			"422 /data/relationships/activity/data/id is required: no activity uses this quiz",
			"404 /data/relationships/question/data/id " + fixture.Missing,
		})
	})
	t.Run("list", func(t *testing.T) {
		for _, tt := range []struct{ query, want string }{
			{"?filter[person.id]=" + records.Ada + "&filter[course.id]=" + records.Drawing, "2 1"},
			{"?q=alan+forms", "1"},
			{"?filter[activity.id]=" + records.Look + "&filter[percent_correct][gt]=40", "2"},
			{"?filter[course_attempt.id]=" + records.AdasFirst + "&filter[updated_at][gt]=2025-11-13T13:00:00Z", "2"},
			{"?filter[questions_completed]=3/3&filter[quiz.id]=" + records.ShapesQuiz + "&filter[course_attempt_number]=1&filter[course.id]=" + records.Drawing, "1"},
			{"?filter[quiz.id]=" + records.ChordsQuiz, ""},
		} {
			is := is.New(t)
			is.Equal(s.Numbers(t, "/v2/quiz_attempts"+tt.query, "number"), tt.want)
		}
	})
}

// Attempts checks the start of the next attempt at a course.
func Attempts(t *testing.T, s *fixture.Server) {
	is := is.New(t)
	body := bodies.LearnerDocument("course_attempts", "", records.Ada)
	first := s.Send(t, "POST", "/v2/courses/singing/attempts", body)
	is.Equal(first.Status, 201)
	is.Equal(s.Numbers(t, strings.TrimPrefix(first.Header.Get("Location"), records.Base), "progress"), "0")
	const open = "422 /data/relationships/person/data/id has an attempt in progress; complete it first"
	is.Equal(s.Send(t, "POST", "/v2/courses/"+records.Singing+"/attempts", body).Failures(t), []string{open})
	is.Equal(s.Send(t, "POST", "/v2/courses/"+records.Drawing+"/attempts", body).Failures(t), []string{open}) // the second attempt is not complete
	for _, id := range []string{records.Lines, records.Light, records.Look, records.Still} {
		s.Clock.Advance(time.Minute)
		is.Equal(s.Send(t, "POST", "/v2/activities/"+id+"/completions", bodies.LearnerDocument("", "", records.Ada)).Status, http.StatusCreated)
	}
	third := s.Send(t, "POST", "/v2/courses/drawing/attempts", body)
	is.Equal(third.Status, 201)
	is.True(strings.Contains(third.Body, `"number":3,"progress":0,"last_activity_completed_at":null`))
	for path, want := range map[string]string{
		"nothing": "404 " + fixture.Missing, records.TheirCourse: "404 " + fixture.Missing,
		records.Drawing: "422 /data/relationships/person/data/id is not enrolled in the course as a learner",
	} {
		is.Equal(s.Send(t, "POST", "/v2/courses/"+path+"/attempts", bodies.LearnerDocument("course_attempts", "", records.Grace)).Failures(t), []string{want})
	}
	is.Equal(s.Send(t, "POST", "/v2/courses/drawing/attempts", bodies.LearnerDocument("course_attempts", "", records.TheirPerson)).Failures(t), []string{
		"404 /data/relationships/person/data/id " + fixture.Missing,
	})
}

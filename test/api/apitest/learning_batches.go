package apitest

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/quiz"
	"lyceum/ports"
)

const (
	viewed = "learner_viewed_activity_events"
	video  = "learner_viewed_video_activity_events"
)

// learnerDocument returns the document of one action of a person. Further relationships are given
// as pairs of a name and an id.
func learnerDocument(typ, attributes, person string, others ...string) string {
	types := map[string]string{"activity": "activities", "question": "questions"}
	related := []string{`"person":{"data":{"type":"people","id":"` + person + `"}}`}
	for i := 0; i < len(others); i += 2 {
		related = append(related, fmt.Sprintf(`%q:{"data":{"type":%q,"id":%q}}`, others[i], types[others[i]], others[i+1]))
	}
	return fmt.Sprintf(`{"data":{"type":%q,"attributes":{%s},"relationships":{%s}}}`, typ, attributes, strings.Join(related, ","))
}

// learnerBatch returns the document of several actions. Each argument is the document of one
// action.
func learnerBatch(actions ...string) string {
	actions = slices.Clone(actions)
	for i, f := range actions {
		actions[i] = strings.TrimSuffix(strings.TrimPrefix(f, `{"data":`), "}")
	}
	return `{"data":[` + strings.Join(actions, ",") + `]}`
}

// questionID returns the id of the question of the quiz shapes with the given number.
func (s *server) questionID(t *testing.T, number int) string {
	t.Helper()
	id, found := quiz.ID{UUID: uuid.MustParse(shapesQuiz)}, ""
	err := s.store.InTx(t.Context(), s.own, func(ctx context.Context, tx ports.Tx) error {
		quizzes, err := tx.Quizzes.GetManyForShare(ctx, []quiz.ID{id})
		found = quizzes[id].State().Questions[number-1].ID.String()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// eventReports checks the events that clients report.
func eventReports(t *testing.T, s *server) {
	const feed = "/v2/events"
	count := func() int { return len(s.get(t, feed+"?limit=1000").page(t).Data) }
	view := func(attributes, who, what string) string {
		return learnerDocument(viewed, attributes, who, "activity", what)
	}

	t.Run("a repeated report changes nothing", func(t *testing.T) {
		is := is.New(t)
		before, body := count(), view(`"client_id":"Once","occurred_at":"2026-01-02T15:00:00.1239Z"`, ada, lines)
		first := s.send(t, "POST", feed, body)
		is.Equal(first.status, 201)
		is.Equal(first.header.Get("Location"), base+feed)
		s.clock.Advance(time.Minute)
		is.Equal(s.send(t, "POST", feed, body).body, first.body)
		is.Equal(s.send(t, "POST", feed, learnerBatch(body, body)).status, 201)
		is.Equal(count(), before+1)
		is.Equal(s.send(t, "POST", feed, view(`"client_id":"Once"`, ada, lines)).failures(t), []string{
			"422 /data/attributes/client_id is already used by a different event",
		})
		is.Equal(s.send(t, "POST", feed, learnerBatch(view(`"client_id":"Two"`, ada, lines), view(`"client_id":"Two"`, ada, light))).failures(t), []string{
			"422 /data/1/attributes/client_id is already used by a different event",
		})
		is.Equal(s.send(t, "POST", feed, view(`"client_id":"once"`, ada, lines)).status, 201) // client ids are case-sensitive
		is.Equal(len(s.get(t, feed+"?filter[client_id][eq]=Once&filter[occurred_at][lt]=2026-01-02T15:01:00Z").page(t).Data), 1)
		is.Equal(s.request("POST", feed).with(learnerDocument(viewed, `"client_id":"Once"`, theirPerson, "activity", theirAnswering)).as(s.otherTenantKey).send(t).status, 201) // client ids of schools are independent
		is.Equal(count(), before+2)
	})
	t.Run("each person has client ids of their own", func(t *testing.T) {
		is := is.New(t)
		before, tokens := count(), map[string]string{ada: s.newToken(t, ada, ""), alan: s.newToken(t, alan, "")}
		report := func(credential, body string) response {
			return s.request("POST", feed).as(credential).with(body).send(t)
		}
		first := map[string]string{} // response to each person
		for _, person := range []string{ada, alan} {
			a := report(tokens[person], view(`"client_id":"shared"`, person, hum))
			is.Equal(a.status, 201) // the other person cannot use up the id
			is.True(strings.Contains(a.body, `"client_id":"shared"`))
			first[person] = a.body
		}
		for person, token := range tokens {
			is.Equal(report(token, view(`"client_id":"shared"`, person, hum)).body, first[person])
			is.Equal(s.send(t, "POST", feed, view(`"client_id":"shared"`, person, hum)).body, first[person])
			is.Equal(report(token, view(`"client_id":"shared"`, person, breathe)).failures(t), []string{
				"422 /data/attributes/client_id is already used by a different event",
			})
		}
		both := learnerBatch(view(`"client_id":"both"`, ada, hum), view(`"client_id":"both"`, alan, hum), view(`"client_id":"both"`, ada, hum))
		recorded := s.send(t, "POST", feed, both)
		is.Equal(recorded.status, 201)
		is.Equal(s.send(t, "POST", feed, both).body, recorded.body)
		is.Equal(len(s.get(t, feed+"?filter[client_id][eq]=shared").page(t).Data), 2)
		is.Equal(count(), before+4)
	})
	t.Run("a repeated report succeeds after unenrollment", func(t *testing.T) {
		is := is.New(t)
		body := view(`"client_id":"late"`, alan, breathe)
		first := s.send(t, "POST", feed, body)
		is.Equal(first.status, 201)
		path, course := "/v1/people/"+alan+"/relationships/courses", data(element("enrolled-courses", singing))
		is.Equal(s.send(t, "DELETE", path, course).status, 204)
		is.Equal(s.send(t, "POST", feed, body).body, first.body)
		is.Equal(s.send(t, "POST", feed, view("", alan, breathe)).failures(t), []string{
			"422 /data/relationships/person/data/id is not enrolled in the course as a learner",
		})
		is.Equal(s.send(t, "POST", path, course).status, 204)
	})
	t.Run("a batch of 1,000 keeps its order", func(t *testing.T) {
		is := is.New(t)
		before := count()
		all := make([]string, 1000)
		for i := range all {
			all[i] = learnerDocument(video, fmt.Sprintf(`"percentage_watched":0.%03d,"client_id":"%d"`, i, i), []string{ada, ada, ada}[i%3], "activity", light)
		}
		is.Equal(s.send(t, "POST", feed, learnerBatch(all...)).status, 201)
		last := s.get(t, feed+"?limit=1000&page=2").page(t).Data
		is.Equal(len(last), before)
		is.Equal(last[before-1].Attributes["client_id"], "999")
		is.Equal(s.send(t, "POST", feed, learnerBatch(append(all, view("", ada, lines))...)).failures(t), []string{
			"422 /data must be an object or an array of 1 to 1000 objects",
		})
	})
	t.Run("all faults are reported together, and nothing is saved", func(t *testing.T) {
		is := is.New(t)
		before := count()
		a := s.send(t, "POST", feed, learnerBatch(
			view("", ada, lines),
			view(`"occurred_at":"2030-01-02T15:09:05.124Z","client_id":"`+strings.Repeat("x", 129)+`"`, ada, lines),
			learnerDocument(video, `"percentage_watched":1.5`, ada, "activity", light),
			learnerDocument(video, `"percentage_watched":0.5`, ada, "activity", lines),
			view(`"occurred_at":"yesterday","percentage_watched":1,"client_id":""`, unknown, theirActivity),
			learnerDocument("x", "", ada, "activity", lines),
			`{"data":{"type":"`+viewed+`","relationships":{"person":{"data":{"type":"groups","id":"`+ada+`"}}}}}`,
			`{"data":7}`,
			view("", "x", lines),
		))
		is.Equal(a.failures(t), []string{
			"422 /data/1/attributes/client_id must consist of 1 to 128 visible ASCII characters",
			"422 /data/1/attributes/occurred_at must not be in the future",
			"422 /data/2/attributes/percentage_watched must be between 0 and 1",
			"422 /data/3/relationships/activity/data/id is not a video",
			"422 /data/4/attributes/occurred_at is not a valid timestamp, such as 2026-01-02T15:04:05.123Z",
			"422 /data/4/attributes/percentage_watched is allowed only for " + video,
			"422 /data/4/attributes/client_id can't be blank",
			"404 /data/4/relationships/activity/data/id " + missing,
			"404 /data/4/relationships/person/data/id " + missing,
			"409 /data/5/type must be " + viewed + " or " + video,
			"409 /data/6/relationships/person/data/type must be people",
			"422 /data/6/relationships/activity can't be blank",
			"422 /data/7 must be an object",
			"404 /data/8/relationships/person/data/id " + missing,
		})
		is.Equal(count(), before)
	})
	t.Run("a single report", func(t *testing.T) {
		is := is.New(t)
		for body, want := range map[string][]string{
			`{"data":{"type":"` + video + `","relationships":[]}}`: {
				"422 /data/relationships must be an object", "422 /data/attributes/percentage_watched can't be blank",
			},
			`{"data":[]}`: {"422 /data must be an object or an array of 1 to 1000 objects"},
			`{"data":{"type":"` + viewed + `","id":"` + ada + `","relationships":{"person":{"data":{"type":"people","id":"` + ada + `"}},"activity":{"data":{"type":"activities","id":"` + lines + `"}}}}}`: {
				"403 /data/id must not be present; the server assigns the id of a new resource",
			},
		} {
			is.Equal(s.send(t, "POST", feed, body).failures(t), want)
		}
	})
}

// completions checks the completion of activities.
func completions(t *testing.T, s *server) {
	const list = "/v2/activity_completions"
	path := func(id string) string { return "/v2/activities/" + id + "/completions" }
	t.Run("completing twice creates one completion", func(t *testing.T) {
		is := is.New(t)
		body := learnerDocument("activity_completions", "", alan)
		first := s.send(t, "POST", path(hum), body)
		is.Equal(first.status, 201)
		is.Equal(s.numbers(t, "/v1/analytics/courses?filter[person.id]="+alan, "progress"), "66.67")
		s.clock.Advance(time.Hour)
		again := s.send(t, "POST", path(hum), body)
		is.Equal(again.status, 200)
		is.Equal(again.body, first.body)
		is.Equal(s.get(t, strings.TrimPrefix(first.header.Get("Location"), base)).ids(t), first.id(t))
	})
	t.Run("rejected", func(t *testing.T) {
		is := is.New(t)
		for _, tt := range []struct{ id, body, want string }{
			{unknown, learnerDocument("", "", ada), "404 " + missing},
			{"x", learnerDocument("", "", ada), "404 " + missing},
			{theirActivity, learnerDocument("groups", "", unknown), "404 " + missing},
			{lines, learnerDocument("activity_completions", "", unknown), "404 /data/relationships/person/data/id " + missing},
			{lines, learnerDocument("activity_completions", "", grace), "422 /data/relationships/person/data/id is not enrolled in the course as a learner"},
			{lines, learnerDocument("people", "", ada), "409 /data/type must be activity_completions"},
			{lines, `{"data":{}}`, "422 /data/relationships/person can't be blank"},
			{lines, `{"data":{"relationships":{"person":{}}}}`, "422 /data/relationships/person can't be blank"},
		} {
			is.Equal(s.send(t, "POST", path(tt.id), tt.body).failures(t), []string{tt.want})
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
			{"?filter[person.id]=" + alan, 2},
			{"?filter[course.id]=" + drawing, 4},
			{"?filter[activity.id]=" + lines, 1},
			{"?filter[updated_at][gt]=2025-11-17T12:00:00Z", 1},
			{"?filter[created_at][lt]=2025-11-13", 2},
			{"?filter[course_attempt.id]=" + adasSecond, 0},
			{"?filter[course_attempt_number]=1&sort=created_at", 6},
			{"?filter[uuid]=" + adasFirst + ":" + lines, 1},
		} {
			is := is.New(t)
			is.Equal(len(s.get(t, list+tt.query).page(t).Data), tt.want)
		}
	})
}

// answers checks answers to questions.
func answers(t *testing.T, s *server) {
	const path, runs = "/v2/quizzes/" + shapesQuiz + "/answers", "/v2/quiz_attempts"
	one, two, three := s.questionID(t, 1), s.questionID(t, 2), s.questionID(t, 3)
	reply := func(response, who, activity, question string) string {
		return learnerDocument("quiz_raw_answers", `"response":`+response, who, "activity", activity, "question", question)
	}
	t.Run("a complete quiz attempt, and the next one", func(t *testing.T) {
		is := is.New(t)
		s.clock.Advance(time.Minute)
		whole := learnerBatch(reply(`"4"`, ada, listen, one), reply(`["A circle"]`, ada, listen, two), reply(`" NO "`, ada, listen, three))
		a := s.send(t, "POST", path, whole)
		is.Equal(a.status, 201)
		is.Equal(a.header.Get("Location"), base+runs)
		is.True(strings.Contains(a.body, `"questions_completed":"3/3"`))
		ofAda := runs + "?filter[person.id]=" + ada + "&filter[course.id]=" + singing
		is.Equal(s.numbers(t, ofAda, "percent_correct"), "33.33")
		next := s.send(t, "POST", path, reply(`"4"`, ada, listen, one))
		is.Equal(next.status, 201)
		is.Equal(s.numbers(t, ofAda+"&sort=number", "number"), "1 2")
		where := strings.TrimPrefix(next.header.Get("Location"), base)
		is.Equal(s.numbers(t, where, "number"), "2")
		is.True(strings.HasPrefix(next.id(t), s.get(t, where).ids(t)+":"))
	})
	t.Run("a rejected batch saves nothing", func(t *testing.T) {
		is := is.New(t)
		before := s.get(t, runs).body
		is.Equal(s.send(t, "POST", path, learnerBatch(
			reply(`"4"`, ada, look, one), reply(`"5"`, ada, look, one), reply(`[]`, ada, look, two), reply(`7`, ada, look, three),
			reply(`"4"`, ada, lines, one), reply(`"4"`, ada, look, unknown), reply(`"4"`, grace, look, one),
			learnerDocument("quiz_raw_answers", `"response":"4"`, ada, "question", one),
			learnerDocument("quiz_raw_answers", `"response":null`, ada, "activity", look),
		)).failures(t), []string{
			"422 /data/1/attributes/response contains a text that is not a choice of the question",
			"422 /data/2/attributes/response can't be blank",
			"422 /data/3/attributes/response must be a string or an array of strings",
			"422 /data/4/relationships/activity/data/id does not contain this quiz",
			"404 /data/5/relationships/question/data/id " + missing,
			"422 /data/6/relationships/person/data/id is not enrolled in the course as a learner",
			"422 /data/7/relationships/activity/data/id is required: several activities use this quiz",
			"422 /data/8/relationships/question can't be blank",
		})
		is.Equal(s.get(t, runs).body, before)
		is.Equal(s.send(t, "POST", "/v2/quizzes/"+theirQuiz+"/answers", reply(`"4"`, ada, look, one)).failures(t), []string{"404 " + missing})
		is.Equal(s.send(t, "POST", "/v2/quizzes/"+chordsQuiz+"/answers", learnerDocument("quiz_raw_answers", `"response":"4"`, ada, "question", one)).failures(t), []string{
			"422 /data/relationships/activity/data/id is required: no activity uses this quiz",
			"404 /data/relationships/question/data/id " + missing,
		})
	})
	t.Run("list", func(t *testing.T) {
		for _, tt := range []struct{ query, want string }{
			{"?filter[person.id]=" + ada + "&filter[course.id]=" + drawing, "2 1"},
			{"?q=alan+forms", "1"},
			{"?filter[activity.id]=" + look + "&filter[percent_correct][gt]=40", "2"},
			{"?filter[course_attempt.id]=" + adasFirst + "&filter[updated_at][gt]=2025-11-13T13:00:00Z", "2"},
			{"?filter[questions_completed]=3/3&filter[quiz.id]=" + shapesQuiz + "&filter[course_attempt_number]=1&filter[course.id]=" + drawing, "1"},
			{"?filter[quiz.id]=" + chordsQuiz, ""},
		} {
			is := is.New(t)
			is.Equal(s.numbers(t, "/v2/quiz_attempts"+tt.query, "number"), tt.want)
		}
	})
}

// attempts checks the start of the next attempt at a course.
func attempts(t *testing.T, s *server) {
	is := is.New(t)
	body := learnerDocument("course_attempts", "", ada)
	first := s.send(t, "POST", "/v2/courses/singing/attempts", body)
	is.Equal(first.status, 201)
	is.Equal(s.numbers(t, strings.TrimPrefix(first.header.Get("Location"), base), "progress"), "0")
	const open = "422 /data/relationships/person/data/id has an attempt in progress; complete it first"
	is.Equal(s.send(t, "POST", "/v2/courses/"+singing+"/attempts", body).failures(t), []string{open})
	is.Equal(s.send(t, "POST", "/v2/courses/"+drawing+"/attempts", body).failures(t), []string{open}) // the second attempt is not complete
	for _, id := range []string{lines, light, look, still} {
		s.clock.Advance(time.Minute)
		is.Equal(s.send(t, "POST", "/v2/activities/"+id+"/completions", learnerDocument("", "", ada)).status, http.StatusCreated)
	}
	third := s.send(t, "POST", "/v2/courses/drawing/attempts", body)
	is.Equal(third.status, 201)
	is.True(strings.Contains(third.body, `"number":3,"progress":0,"last_activity_completed_at":null`))
	for path, want := range map[string]string{
		"nothing": "404 " + missing, theirCourse: "404 " + missing,
		drawing: "422 /data/relationships/person/data/id is not enrolled in the course as a learner",
	} {
		is.Equal(s.send(t, "POST", "/v2/courses/"+path+"/attempts", learnerDocument("course_attempts", "", grace)).failures(t), []string{want})
	}
	is.Equal(s.send(t, "POST", "/v2/courses/drawing/attempts", learnerDocument("course_attempts", "", theirPerson)).failures(t), []string{
		"404 /data/relationships/person/data/id " + missing,
	})
}

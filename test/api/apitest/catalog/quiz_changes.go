package catalog

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/bodies"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
	"lyceum/test/api/apitest/routes"
)

// QuizChanges checks how a change of a quiz affects people who have answered it. The test changes
// the quiz through one course, which completes an activity of another course.
func QuizChanges(t *testing.T, s *fixture.Server) {
	const (
		answering   = "/v2/quizzes/" + records.ShapesQuiz + "/answers"
		adaInSong   = "?filter[person.id]=" + records.Ada + "&filter[course.id]=" + records.Singing
		alanInSong  = "?filter[person.id]=" + records.Alan + "&filter[course.id]=" + records.Singing
		rows        = "/v1/analytics/courses"
		scores      = "/v1/analytics/quiz_scores"
		runs        = "/v2/quiz_attempts"
		completions = "/v2/activity_completions"
		enrollments = "/v2/courses/singing/enrollments"
		archived    = "/v1/analytics/quiz_raw_answers?filter[question_text][start]=Is"
	)
	is := is.New(t)
	first, second := s.QuestionID(t, 1), s.QuestionID(t, 2)
	reply := func(response, question string) int {
		s.Clock.Advance(time.Minute)
		return s.Send(t, "POST", answering, bodies.LearnerDocument("quiz_raw_answers", `"response":"`+response+`"`, records.Ada, "activity", records.Listen, "question", question)).Status
	}
	attribute := func(list, name string) string { return s.Attributes(t, list, name) }
	for _, id := range []string{records.Breathe, records.Hum} {
		s.Clock.Advance(time.Minute)
		is.Equal(s.Send(t, "POST", "/v2/activities/"+id+"/completions", bodies.LearnerDocument("", "", records.Ada)).Status, http.StatusCreated)
	}
	is.Equal(reply("4", first), http.StatusCreated)
	is.Equal(reply("A cube", second), http.StatusCreated)
	is.Equal(attribute(rows+adaInSong, "progress"), "66.67")
	retake := func() int {
		return s.Send(t, "POST", "/v2/courses/singing/attempts", bodies.LearnerDocument("course_attempts", "", records.Ada)).Status
	}
	is.Equal(retake(), http.StatusUnprocessableEntity)

	// untouched returns the data that the changes below must not affect. updated_at changes only
	// with a record's own attributes, and a completion that results from a change of a quiz is not
	// an event.
	untouched := func() (all string) {
		for _, path := range []string{
			"/v2/events", "/v2/people", "/v2/courses", "/v2/courses/singing/activities", "/v2/courses/drawing/activities",
		} {
			all += s.Get(t, path).Body
		}
		for _, list := range []string{runs + adaInSong, runs + alanInSong, enrollments} {
			all += attribute(list, "updated_at") + "\n"
		}
		return all + attribute(scores+"?sort=uuid", "last_question_answered_at")
	}
	before, known := untouched(), s.Get(t, completions).Body
	whole := s.Get(t, routes.StructurePath).Body
	shorter := withQuestions(t, whole, func(all []any) []any { return all[:2] })
	longer := withQuestions(t, whole, func(all []any) []any {
		return append(all[:2:2], map[string]any{
			"key": "flat", "text": "What is flat?", "choices": []any{
				map[string]any{"text": "A square", "correct": true}, map[string]any{"text": "A cube"},
			},
		})
	})

	t.Run("a dry run completes nothing", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "PUT", routes.StructurePath+"?dryRun=true", shorter).Status, http.StatusOK)
		is.Equal(s.Get(t, completions).Body, known)
		is.Equal(attribute(rows+adaInSong, "progress"), "66.67")
	})

	t.Run("archiving the unanswered question completes the quiz", func(t *testing.T) {
		is := is.New(t)
		s.Clock.Advance(time.Hour)
		now := s.Clock.Now().Format("2006-01-02T15:04:05.000Z")
		is.Equal(s.Send(t, "PUT", routes.StructurePath, shorter).Status, http.StatusOK)
		is.Equal(untouched(), before)
		fresh := completions + adaInSong + "&filter[activity.id]=" + records.Listen
		is.Equal(attribute(fresh, "created_at"), now)
		is.Equal(attribute(fresh, "updated_at"), now)
		is.Equal(attribute(rows+adaInSong, "progress"), "100")
		is.Equal(attribute(rows+adaInSong, "last_activity_completed_at"), now)
		is.Equal(attribute(enrollments+"?filter[person.id]="+records.Ada, "progress"), "100")
		for _, list := range []string{scores, runs} {
			is.Equal(attribute(list+adaInSong, "questions_completed"), "2/2")
			is.Equal(attribute(list+adaInSong, "progress"), "100")
			is.Equal(attribute(list+adaInSong, "percent_correct"), "50")
			is.Equal(attribute(list+alanInSong, "questions_completed"), "1/2")
		}
		is.Equal(attribute(archived, "question_number"), "0/2")
		// No other activity is completed: Alan has not answered every question, and Ada completed
		// drawing earlier.
		is.Equal(len(s.Get(t, completions+"?filter[updated_at][gteq]="+now).Page(t).Data), 1)
		is.Equal(attribute(rows+alanInSong, "progress"), "33.33")
		learnerData := s.Get(t, completions).Body + s.Get(t, rows).Body
		s.Clock.Advance(time.Hour)
		is.Equal(s.Send(t, "PUT", routes.StructurePath, shorter).Status, http.StatusOK)
		is.Equal(s.Get(t, completions).Body+s.Get(t, rows).Body, learnerData)
	})

	t.Run("a question is added to a completed quiz", func(t *testing.T) {
		is := is.New(t)
		learnerData := s.Get(t, completions).Body + s.Get(t, rows).Body + s.Get(t, enrollments).Body
		s.Clock.Advance(time.Hour)
		is.Equal(s.Send(t, "PUT", routes.StructurePath, longer).Status, http.StatusOK)
		is.Equal(untouched(), before)
		is.Equal(s.Get(t, completions).Body+s.Get(t, rows).Body+s.Get(t, enrollments).Body, learnerData)
		for _, list := range []string{scores, runs} {
			is.Equal(attribute(list+adaInSong, "questions_completed"), "2/3")
			is.Equal(attribute(list+adaInSong, "progress"), "66.67")
		}
		is.Equal(attribute(archived, "question_number"), "0/3")

		// The quiz attempt continues with the new question, and the existing completion remains.
		is.Equal(reply("A square", s.QuestionID(t, 3)), http.StatusCreated)
		is.Equal(attribute(runs+adaInSong, "number"), "1")
		is.Equal(attribute(runs+adaInSong, "questions_completed"), "3/3")
		is.Equal(s.Get(t, completions).Body+s.Get(t, rows).Body+s.Get(t, enrollments).Body, learnerData)
		is.Equal(retake(), http.StatusCreated)
	})

	t.Run("an archived question is restored", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Send(t, "PUT", routes.StructurePath, whole).Status, http.StatusOK)
		is.Equal(attribute(archived, "question_number"), "3/3")
		is.Equal(attribute(runs+adaInSong, "questions_completed"), "2/3")
	})
}

// withQuestions returns the structure in body with the questions of its quiz changed.
func withQuestions(t *testing.T, body string, change func(all []any) []any) string {
	t.Helper()
	var document map[string]any
	if err := json.NewDecoder(strings.NewReader(body)).Decode(&document); err != nil {
		t.Fatal(err)
	}
	activities := document["data"].(map[string]any)["attributes"].(map[string]any)["activities"].([]any)
	for _, a := range activities {
		if of, ok := a.(map[string]any)["quiz"].(map[string]any); ok {
			of["questions"] = change(of["questions"].([]any))
		}
	}
	changed, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return string(changed)
}

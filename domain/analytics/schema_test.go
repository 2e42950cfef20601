package analytics_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/test/conformance/schematest"
)

var now = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)

func nth(n byte) uuid.UUID { return uuid.UUID{15: n} }

func TestCourseSchema(t *testing.T) {
	is := is.New(t)
	later := now.Add(time.Hour)
	row := analytics.CourseProgress{
		Person: person.ID{UUID: nth(1)}, Course: course.ID{UUID: nth(2)}, Attempt: attempt.ID{UUID: nth(3)},
		EnrolledAt: now, LastActivityCompletedAt: &later, Progress: 3333,
		PersonName: "Ada King", PersonEmail: "ada@example.test", CourseName: "Greek",
	}
	key := nth(1).String() + ":" + nth(2).String() + ":" + nth(3).String()
	is.Equal(row.Key(), key)
	schematest.Attributes(t, analytics.CourseSchema, row, map[string]string{
		"uuid":                       key,
		"enrolled_at":                "2026-01-31T15:04:05.123Z",
		"last_activity_completed_at": "2026-01-31T16:04:05.123Z",
		"progress":                   "33.33",
		"course.id":                  nth(2).String(),
		"course_attempt.id":          nth(3).String(),
		"person.id":                  nth(1).String(),
	})
	schematest.Search(t, analytics.CourseSchema, row, []string{"ada", "king", "example.test", "greek", "greek ada"}, []string{"33.33"})
	is.Equal(schematest.Order(analytics.CourseSchema), "-enrolled_at")
}

// Without an attempt the key ends with the all-zero UUID, and the attempt is null.
func TestCourseProgressWithoutAttempt(t *testing.T) {
	is := is.New(t)
	row := analytics.CourseProgress{Person: person.ID{UUID: nth(1)}, Course: course.ID{UUID: nth(2)}}
	is.Equal(row.Key(), nth(1).String()+":"+nth(2).String()+":00000000-0000-0000-0000-000000000000")
	for name, null := range map[string]bool{"course_attempt.id": true, "last_activity_completed_at": true, "progress": false} {
		q := query.Query{Where: query.Cond{
			Attr: analytics.CourseSchema.Attr(name), Op: query.Null, Values: []query.Value{{Bool: true}},
		}}
		is.Equal(len(analytics.CourseSchema.Evaluate(q, []analytics.CourseProgress{row}).Items) == 1, null) // whether the value is null
	}
}

func TestScoreSchema(t *testing.T) {
	is := is.New(t)
	row := analytics.QuizScore{
		ID: 42, Person: person.ID{UUID: nth(1)}, Course: course.ID{UUID: nth(2)}, CourseAttempt: attempt.ID{UUID: nth(3)},
		CourseAttemptNumber: 2, Activity: activity.ID{UUID: nth(4)}, Quiz: quiz.ID{UUID: nth(5)},
		Score:      quizattempt.Score{Answered: 3, Correct: 2, Total: 4, LastAnsweredAt: now},
		PersonName: "Ada King", PersonEmail: "ada@example.test", CourseName: "Greek", QuizName: "Verbs", ActivityTitle: "Unit 1",
	}
	schematest.Attributes(t, analytics.ScoreSchema, row, map[string]string{
		"uuid":                      "42",
		"course_attempt_number":     "2",
		"last_question_answered_at": "2026-01-31T15:04:05.123Z",
		"percent_correct":           "66.67",
		"progress":                  "75",
		"questions_completed":       "3/4",
		"course.id":                 nth(2).String(),
		"person.id":                 nth(1).String(),
		"quiz.id":                   nth(5).String(),
		"activity.id":               nth(4).String(),
	})
	schematest.Search(t, analytics.ScoreSchema, row,
		[]string{"ada", "king", "example.test", "greek", "verbs", "unit 1", "verbs king"}, []string{"3/4", "42"})
	is.Equal(schematest.Order(analytics.ScoreSchema), "-last_question_answered_at")
}

func TestAnswerSchema(t *testing.T) {
	is := is.New(t)
	row := analytics.RawAnswer{
		QuizAttempt: quizattempt.ID{UUID: nth(6)}, Person: person.ID{UUID: nth(1)}, Course: course.ID{UUID: nth(2)},
		Answer: quizattempt.Answer{
			Question: quiz.QuestionID{UUID: nth(7)}, Position: quiz.Position{Number: 1, Total: 4}, // the position when the question was answered
			Response: "Yes, No", Correct: true, At: now,
		},
		Position:            quiz.Position{Number: 2, Total: 5},
		CourseAttemptNumber: 3, Activity: activity.ID{UUID: nth(4)}, Quiz: quiz.ID{UUID: nth(5)},
		PersonName: "Ada King", PersonEmail: "ada@example.test", CourseName: "Greek", QuizName: "Verbs",
		ActivityTitle: "Unit 1", QuestionText: "Is it?",
	}
	key := nth(6).String() + ":" + nth(7).String()
	is.Equal(row.Key(), key)
	schematest.Attributes(t, analytics.AnswerSchema, row, map[string]string{
		"uuid":                  key,
		"activity_title":        "Unit 1",
		"course_attempt_number": "3",
		"course_name":           "Greek",
		"date_answered":         "2026-01-31T15:04:05.123Z",
		"marked_correct":        "true",
		"question_number":       "2/5",
		"question_text":         "Is it?",
		"quiz_name":             "Verbs",
		"response":              "Yes, No",
		"person.id":             nth(1).String(),
		"course.id":             nth(2).String(),
		"quiz.id":               nth(5).String(),
		"activity.id":           nth(4).String(),
	})
	schematest.Search(t, analytics.AnswerSchema, row,
		[]string{"ada", "king", "example.test", "greek", "verbs", "unit 1"}, []string{"yes", "is it", "2/5"})
	is.Equal(schematest.Order(analytics.AnswerSchema), "-date_answered")
}

package quiz_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
	"lyceum/test/conformance/schematest"
)

var (
	now = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	id  = quiz.ID{UUID: uuid.UUID{15: 1}}
)

// question returns question n with the choices Yes, which is correct, and No.
func question(n byte) quiz.Question {
	return quiz.Question{
		ID: quiz.QuestionID{UUID: uuid.UUID{15: n}}, Key: fmt.Sprintf("q-%d", n), Text: fmt.Sprintf("Question %d?", n),
		Choices: []quiz.Choice{{Text: "Yes", Correct: true}, {Text: "No"}},
	}
}

// many returns n questions without keys.
func many(n int) []quiz.Question {
	q := question(1)
	q.Key = ""
	return slices.Repeat([]quiz.Question{q}, n)
}

func TestNew(t *testing.T) {
	is := is.New(t)
	one, two := question(2), question(1)
	one.Text, one.Choices[1].Text = " Two\n\tlines? ", " No "
	q, err := quiz.New(id, " Spelling ", []quiz.Question{one, two}, now)
	is.NoErr(err)
	one.Text = "Two\n\tlines?"
	one.Choices = []quiz.Choice{{Text: "Yes", Correct: true}, {Text: "No"}}
	want := quiz.State{ID: id, Name: "Spelling", Questions: []quiz.Question{one, two}, CreatedAt: now, UpdatedAt: now}
	is.Equal(q.State(), want)
	is.Equal(quiz.Restore(want).State(), want)
}

func TestNewReturnsAllFaults(t *testing.T) {
	bad := question(2)
	bad.Text = " "
	bad.Choices = []quiz.Choice{{Text: "Café"}, {Text: ""}, {Text: " CAFÉ"}}
	_, err := quiz.New(id, "", []quiz.Question{question(1), bad}, now)
	var fields []string
	for _, f := range fault.All(err) {
		fields = append(fields, f.Field)
	}
	is.New(t).Equal(fields, []string{
		"name", "questions[1].text", "questions[1].choices[1].text", "questions[1].choices[2].text", "questions[1].choices",
	})
}

func TestBounds(t *testing.T) {
	choices := func(n int) []quiz.Choice {
		all := make([]quiz.Choice, n)
		for i := range all {
			all[i] = quiz.Choice{Text: fmt.Sprint(i), Correct: true}
		}
		return all
	}
	with := func(change func(*quiz.Question)) []quiz.Question {
		q := question(1)
		change(&q)
		return []quiz.Question{q}
	}
	for _, tc := range []struct {
		name      string
		questions []quiz.Question
		field     string // blank: no fault
	}{
		{"no question", nil, "questions"},
		{"one question", []quiz.Question{question(1)}, ""},
		{"the longest", many(500), ""},
		{"too long", many(501), "questions"},
		{"one choice", with(func(q *quiz.Question) { q.Choices = choices(1) }), "questions[0].choices"},
		{"two choices", with(func(q *quiz.Question) { q.Choices = choices(2) }), ""},
		{"fifty choices", with(func(q *quiz.Question) { q.Choices = choices(50) }), ""},
		{"too many choices", with(func(q *quiz.Question) { q.Choices = choices(51) }), "questions[0].choices"},
		{"none is right", with(func(q *quiz.Question) { q.Choices[0].Correct = false }), "questions[0].choices"},
		{"all are right", with(func(q *quiz.Question) { q.Choices[1].Correct = true }), ""},
		{"the longest text", with(func(q *quiz.Question) { q.Text = strings.Repeat("é", 4000) }), ""},
		{"too long a text", with(func(q *quiz.Question) { q.Text = strings.Repeat("é", 4001) }), "questions[0].text"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			_, err := quiz.New(id, "Quiz", tc.questions, now)
			if tc.field == "" {
				is.NoErr(err)
				return
			}
			is.Equal(len(fault.All(err)), 1)
			is.Equal(fault.All(err)[0].Field, tc.field)
		})
	}
}

func TestQuestion(t *testing.T) {
	is := is.New(t)
	q, err := quiz.New(id, "Quiz", []quiz.Question{question(7), question(3)}, now)
	is.NoErr(err)
	got, number, err := q.Question(question(3).ID)
	is.NoErr(err)
	is.Equal(got, question(3))
	is.Equal(number, 2)
	_, number, err = q.Question(question(7).ID)
	is.NoErr(err)
	is.Equal(number, 1)
	_, _, err = q.Question(question(1).ID)
	is.True(fault.Is(err, fault.NotFound))
}

func TestSchema(t *testing.T) {
	is := is.New(t)
	full := quiz.Summary{
		ID: id, Name: "Spelling", Activities: []course.ActivityID{{UUID: uuid.UUID{15: 2}}}, CreatedAt: now, UpdatedAt: now,
	}
	schematest.Attributes(t, quiz.Schema, full, map[string]string{
		"uuid":          "00000000-0000-0000-0000-000000000001",
		"name":          "Spelling",
		"created_at":    "2026-01-31T15:04:05.123Z",
		"activities.id": "00000000-0000-0000-0000-000000000002",
	})
	schematest.Search(t, quiz.Schema, full, []string{"spell"}, []string{"0001"})
	is.Equal(schematest.Order(quiz.Schema), "name")
}

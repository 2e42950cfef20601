package quiz_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
)

// plannedQuestion returns question n with the given text and without an id, like a question in an
// imported file.
func plannedQuestion(n byte, words string) quiz.Question {
	q := question(n)
	q.ID, q.Text = quiz.QuestionID{}, words
	return q
}

func TestMerge(t *testing.T) {
	was := quiz.State{
		ID: id, Name: "Quiz", Questions: []quiz.Question{question(1), question(2)}, Archived: []quiz.Question{question(3), question(4)},
		CreatedAt: now, UpdatedAt: now,
	}
	named := func(n byte, words string) quiz.Question {
		q := question(n)
		q.Text = words
		return q
	}
	for _, tc := range []struct {
		name            string
		asked, archived []quiz.Question
		wantAsked       []quiz.Question
		wantArchived    []quiz.Question
	}{
		{"the same", []quiz.Question{plannedQuestion(1, "Question 1?"), plannedQuestion(2, "Question 2?")}, []quiz.Question{plannedQuestion(4, "Question 4?"), plannedQuestion(3, "Question 3?")}, was.Questions, was.Archived},
		{"nothing", nil, nil, was.Questions, was.Archived},
		{"other words", []quiz.Question{plannedQuestion(1, "One?")}, []quiz.Question{plannedQuestion(3, "Three?")}, []quiz.Question{named(1, "One?"), question(2)}, []quiz.Question{named(3, "Three?"), question(4)}},
		{"another order", []quiz.Question{plannedQuestion(2, "Question 2?")}, nil, []quiz.Question{question(2), question(1)}, was.Archived},
		{"archived", []quiz.Question{plannedQuestion(2, "Question 2?")}, []quiz.Question{plannedQuestion(1, "One?")}, []quiz.Question{question(2)}, []quiz.Question{named(1, "One?"), question(3), question(4)}},
		{"asked again", []quiz.Question{plannedQuestion(3, "Question 3?")}, nil, []quiz.Question{question(3), question(1), question(2)}, []quiz.Question{question(4)}},
		{"new ones", []quiz.Question{plannedQuestion(7, "Seven?")}, []quiz.Question{plannedQuestion(8, "Eight?")}, []quiz.Question{named(7, "Seven?"), question(1), question(2)}, []quiz.Question{question(3), question(4), named(8, "Eight?")}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			q, next, later := quiz.Restore(was), byte(6), now.Add(time.Hour)
			newID := func() uuid.UUID { next++; return uuid.UUID{15: next} }
			changed, err := q.Merge(tc.asked, tc.archived, newID, later)
			is.NoErr(err)
			want := was
			want.Questions, want.Archived = tc.wantAsked, tc.wantArchived
			if changed {
				want.UpdatedAt = later
			}
			is.Equal(q.State(), want)
			is.Equal(changed, tc.name != "the same" && tc.name != "nothing")
			changed, err = q.Merge(tc.asked, tc.archived, newID, later)
			is.NoErr(err)
			is.True(!changed)
		})
	}
}

func TestMergeReturnsFaults(t *testing.T) {
	is := is.New(t)
	q, err := quiz.New(id, "Quiz", []quiz.Question{question(1)}, now)
	is.NoErr(err)
	before := q.State()
	_, err = q.Merge([]quiz.Question{plannedQuestion(1, "Question 1?")}, []quiz.Question{plannedQuestion(2, "")}, uuid.New, now.Add(time.Hour))
	is.Equal(fault.All(err)[0].Field, "questions[1].text")
	_, err = q.Merge([]quiz.Question{plannedQuestion(1, "")}, nil, uuid.New, now.Add(time.Hour))
	is.Equal(fault.All(err)[0].Field, "questions[0].text")
	one, two := plannedQuestion(1, "Question 1?"), plannedQuestion(2, "Question 2?")
	_, err = q.Merge([]quiz.Question{one}, []quiz.Question{two, one, two}, uuid.New, now.Add(time.Hour))
	is.Equal(fault.All(err)[0].Field, "questions[2].key")
	is.Equal(fault.All(err)[1].Field, "questions[3].key")
	is.Equal(q.State(), before)
}

// A quiz keeps at most MaxArchived archived questions, and MaxArchivedSize bytes of them. A change or a
// file that would leave more is refused, and changes nothing.
func TestArchivedQuestionsAreLimited(t *testing.T) {
	long := func(prefix string, n int, words string) []quiz.Question {
		all := make([]quiz.Question, n)
		for i := range all {
			all[i] = plannedQuestion(1, words)
			all[i].Key = fmt.Sprint(prefix, i)
		}
		return all
	}
	for name, tt := range map[string]struct {
		text    string // of each question
		updates int    // with 500 new questions, before the refused one
	}{
		"number": {"x", 4}, "size": {strings.Repeat("é", 4000), 2},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			q, err := quiz.New(id, "Quiz", long("first", 500, tt.text), now)
			is.NoErr(err)
			for n := range tt.updates {
				_, err := q.Update("Quiz", long(fmt.Sprint("of", n), 500, tt.text), true, uuid.New, now)
				is.NoErr(err)
			}
			before := q.State()
			_, err = q.Update("Quiz", long("last", 500, tt.text), true, uuid.New, now)
			is.Equal(fault.All(err)[0].Field, "questions")
			_, err = q.Merge(long("last", 1, tt.text), long("archived", 500, tt.text), uuid.New, now)
			is.Equal(fault.All(err)[0].Field, "questions")
			is.Equal(q.State(), before)
			_, err = q.Update("Quiz", long("last", 500, tt.text), false, uuid.New, now) // no learner has begun, so nothing is archived
			is.NoErr(err)
			is.Equal(len(q.State().Archived), 0)
		})
	}
}

// MaxQuestions does not limit archived questions.
func TestMergeAnyNumberOfArchived(t *testing.T) {
	is := is.New(t)
	all := quiz.WithKeys(many(1200))
	q, err := quiz.New(id, "Quiz", all[:500], now)
	is.NoErr(err)
	_, err = q.Merge(all[:500], all[500:], uuid.New, now)
	is.NoErr(err)
	is.Equal(len(q.State().Archived), 700)
}

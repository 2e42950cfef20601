package reconcile_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/attempt"
	"lyceum/domain/decimal"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/reconcile"
)

var (
	now       = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	laterTime = now.Add(time.Hour)
	id        = uuid.UUID{15: 1}
)

func TestAttemptCheck(t *testing.T) {
	right := attempt.State{ID: attempt.ID{UUID: id}, Number: 1, Progress: 3333, LastCompletedAt: &now}
	tally := attempt.Tally{Completed: 1, Activities: 3, LastCompletedAt: &now}
	const record = "course_attempts 00000000-0000-0000-0000-000000000001"
	for _, tc := range []struct {
		name  string
		spoil func(*attempt.State)
		want  []reconcile.Discrepancy
	}{
		{"nothing is wrong", func(*attempt.State) {}, nil},
		{"the same instant elsewhere", func(s *attempt.State) {
			there := now.In(time.FixedZone("", 3600))
			s.LastCompletedAt = &there
		}, nil},
		{"the progress", func(s *attempt.State) { s.Progress = decimal.OneHundred }, []reconcile.Discrepancy{
			{Record: record, Value: "progress", Stored: "100", Expected: "33.33"},
		}},
		{"no time", func(s *attempt.State) { s.LastCompletedAt = nil }, []reconcile.Discrepancy{
			{Record: record, Value: "last_completed_at", Stored: "none", Expected: "2026-01-31T15:04:05.123Z"},
		}},
		{"both", func(s *attempt.State) { s.Progress, s.LastCompletedAt = 0, &laterTime }, []reconcile.Discrepancy{
			{Record: record, Value: "progress", Stored: "0", Expected: "33.33"},
			{Record: record, Value: "last_completed_at", Stored: "2026-01-31T16:04:05.123Z", Expected: "2026-01-31T15:04:05.123Z"},
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			s := right
			tc.spoil(&s)
			a := reconcile.AttemptCheck{Attempt: attempt.Restore(s), Tally: tally}
			is.Equal(a.Reconcile(), tc.want)
			is.Equal(a.Attempt.State(), right)
			is.Equal(a.Reconcile(), nil)
		})
	}
}

func TestQuizAttemptCheck(t *testing.T) {
	one, two := quiz.QuestionID{UUID: uuid.UUID{15: 11}}, quiz.QuestionID{UUID: uuid.UUID{15: 12}}
	answers := []quizattempt.Answer{
		{Question: one, Position: quiz.Position{Number: 1, Total: 3}, Correct: true, At: laterTime},
		{Question: two, Position: quiz.Position{Number: 2, Total: 3}, At: now},
	}
	right := quizattempt.State{
		ID: quizattempt.ID{UUID: id}, Answers: answers,
		Score: quizattempt.Score{Answered: 2, Correct: 1, Total: 3, LastAnsweredAt: laterTime},
	}
	const record = "quiz_attempts 00000000-0000-0000-0000-000000000001"
	for _, tc := range []struct {
		name  string
		spoil func(*quizattempt.Score)
		want  []reconcile.Discrepancy
	}{
		{"nothing is wrong", func(*quizattempt.Score) {}, nil},
		{"how many are answered", func(s *quizattempt.Score) { s.Answered, s.Correct = 4, 2 }, []reconcile.Discrepancy{
			{Record: record, Value: "questions_completed", Stored: "4/3", Expected: "2/3"},
		}},
		{"how many there are", func(s *quizattempt.Score) { s.Total = 2 }, []reconcile.Discrepancy{
			{Record: record, Value: "questions_completed", Stored: "2/2", Expected: "2/3"},
		}},
		{"how many are right", func(s *quizattempt.Score) { s.Correct = 2 }, []reconcile.Discrepancy{
			{Record: record, Value: "percent_correct", Stored: "100", Expected: "50"},
		}},
		{"the time", func(s *quizattempt.Score) { s.LastAnsweredAt = now }, []reconcile.Discrepancy{
			{Record: record, Value: "last_question_answered_at", Stored: "2026-01-31T15:04:05.123Z", Expected: "2026-01-31T16:04:05.123Z"},
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			s := right
			tc.spoil(&s.Score)
			a := reconcile.QuizAttemptCheck{Attempt: quizattempt.Restore(s), ActiveQuestions: quiz.ActiveQuestions{one: true, two: true, {}: true}}
			is.Equal(a.Reconcile(), tc.want)
			is.Equal(a.Attempt.State(), right)
			is.Equal(a.Reconcile(), nil)
		})
	}
}

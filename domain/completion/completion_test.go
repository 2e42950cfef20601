package completion_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/completion"
	"lyceum/domain/event"
	"lyceum/domain/quizattempt"
)

func TestByAnswers(t *testing.T) {
	for _, tc := range []struct {
		name  string
		score quizattempt.Score
		want  bool
	}{
		{"none of the questions", quizattempt.Score{Total: 2}, false},
		{"some of the questions", quizattempt.Score{Answered: 1, Correct: 1, Total: 2}, false},
		{"all questions", quizattempt.Score{Answered: 2, Correct: 1, Total: 2}, true},
		{"all questions, none correctly", quizattempt.Score{Answered: 2, Total: 2}, true},
		{"a quiz without questions", quizattempt.Score{}, false},
	} {
		t.Run(tc.name, func(t *testing.T) { is.New(t).Equal(completion.ByAnswers(tc.score), tc.want) })
	}
}

func TestByEvent(t *testing.T) {
	fraction := func(f event.Fraction) *event.Fraction { return &f }
	for _, tc := range []struct {
		name  string
		event event.Event
		want  bool
	}{
		{"a view", event.Event{Kind: event.ViewedActivity}, false},
		{"the beginning", event.Event{Kind: event.ViewedVideo, Watched: fraction(0)}, false},
		{"just below 90 %", event.Event{Kind: event.ViewedVideo, Watched: fraction(899_999)}, false},
		{"90 %", event.Event{Kind: event.ViewedVideo, Watched: fraction(900_000)}, true},
		{"all", event.Event{Kind: event.ViewedVideo, Watched: fraction(1_000_000)}, true},
	} {
		t.Run(tc.name, func(t *testing.T) { is.New(t).Equal(completion.ByEvent(tc.event), tc.want) })
	}
}

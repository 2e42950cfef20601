package policies_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"lyceum/app"
	"lyceum/app/learning"
	"lyceum/domain/event"
	"lyceum/domain/policy"
	"lyceum/domain/query"
	"lyceum/test/kit"
)

var recording = decision{
	rules: func(verdict error) policy.Set {
		return policy.Set{Record: everyThird(verdict, func(r policy.Recording) int { return number(r.Person.Email) })}
	},
	taken: func(w *world) int { return w.events() },
	ways: []way{
		{
			name: "events are reported", fault: "invalid: row %d: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error { return w.record(a, "Read", 0, numbers) },
		},
		{
			name: "single events are reported at once", single: true, fault: "invalid: row 1: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error { return w.record(a, "Read", 0, numbers) },
		},
		{
			name: "lines", fault: "line %d: event: id: " + detail, offset: 1,
			take: func(w *world, a *app.App, numbers ...int) error {
				return w.importLines(a, numbers, func(i int) string {
					return fmt.Sprintf(`{"kind": "event", "type": "viewed", "person": %q, "course": "algebra", "activity": "Read", "created_at": "2026-01-02T15:04:05.123Z"}`, email(i))
				})
			},
		},
	},
}

func TestRecording(t *testing.T) { recording.tryAll(t) }

var completing = decision{
	rules: func(verdict error) policy.Set {
		return policy.Set{Complete: everyThird(verdict, func(c policy.Completing) int { return number(c.Person.Email) })}
	},
	taken: func(w *world) int { return w.completions() },
	ways: []way{
		{
			name: "a completion is reported", single: true, fault: "invalid: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				_, _, err := a.Learning.CompleteActivity(w.t.Context(), w.actor, w.people[numbers[0]], w.act["Read"])
				return err
			},
		},
		{
			name: "a video is watched", fault: "invalid: row %d: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error { return w.record(a, "Watch", 95, numbers) },
		},
		{
			name: "a quiz is answered", single: true, fault: "invalid: row 2: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				p, act := w.people[numbers[0]], w.act["Sums"]
				_, err := a.Learning.SubmitAnswers(w.t.Context(), w.actor, w.quiz, []learning.AnswerInput{
					{Person: p, Activity: &act, Question: w.ask[0], Chosen: []string{"2"}},
					{Person: p, Activity: &act, Question: w.ask[1], Chosen: []string{"4"}},
				})
				return err
			},
		},
		{
			name: "a file is submitted", single: true, fault: "invalid: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				_, err := kit.NewLearning(a).Submit(w.t.Context(), w.actor, w.people[numbers[0]], w.act["Essay"],
					learning.Upload{Name: "essay.txt", MediaType: "text/plain", Bytes: strings.NewReader("x")})
				return err
			},
		},
		{
			name: "lines", fault: "line %d: attempt: completed[0].id: " + detail, offset: 1,
			take: func(w *world, a *app.App, numbers ...int) error {
				return w.importLines(a, numbers, func(i int) string {
					return attemptLine(i, `{"activity": "Read", "at": "2026-01-02T15:04:05.123Z"}`)
				})
			},
		},
	},
}

func TestCompleting(t *testing.T) { completing.tryAll(t) }

var answering = decision{
	rules: func(verdict error) policy.Set {
		return policy.Set{Answer: everyThird(verdict, func(a policy.Answering) int { return number(a.Person.Email) })}
	},
	taken: func(w *world) int { return w.answers() },
	ways: []way{
		{
			name: "answers are submitted", fault: "invalid: row %d: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				act, replies := w.act["Sums"], make([]learning.AnswerInput, len(numbers))
				for i, n := range numbers {
					replies[i] = learning.AnswerInput{Person: w.people[n], Activity: &act, Question: w.ask[0], Chosen: []string{"2"}}
				}
				_, err := a.Learning.SubmitAnswers(w.t.Context(), w.actor, w.quiz, replies)
				return err
			},
		},
		{
			name: "lines", fault: "line %d: quiz_attempt: answers[0].id: " + detail, offset: peopleCount + 1,
			take: func(w *world, a *app.App, numbers ...int) error {
				return w.importAttempts(a, numbers)
			},
		},
	},
}

func TestAnswering(t *testing.T) { answering.tryAll(t) }

func attemptLine(i int, completed string) string {
	return fmt.Sprintf(`{"kind": "attempt", "course": "algebra", "person": %q, "number": 1, "started_at": "2026-01-02T15:04:05.123Z", "completed": [%s]}`,
		email(i), completed)
}

// record reports that people have viewed an activity or watched the given percentage of it.
func (w *world) record(a *app.App, title string, percent int64, numbers []int) error {
	w.t.Helper()
	all := make([]learning.EventReport, len(numbers))
	for i, n := range numbers {
		all[i] = learning.EventReport{Kind: event.ViewedActivity, Person: w.people[n], Activity: w.act[title]}
		if percent > 0 {
			watched, err := event.NewFraction(big.NewRat(percent, 100))
			must(w.t, err)
			all[i].Kind, all[i].Watched = event.ViewedVideo, watched
		}
	}
	_, err := a.Learning.RecordEvents(w.t.Context(), w.actor, all)
	return err
}

func (w *world) events() int {
	w.t.Helper()
	all, err := w.apps[1].Events.List(w.t.Context(), w.actor, query.Query{Page: query.AllRows()})
	must(w.t, err)
	return len(all.Items)
}

func (w *world) completions() int {
	w.t.Helper()
	all, err := w.apps[1].Analytics.Completions(w.t.Context(), w.actor, query.Query{Page: query.AllRows()})
	must(w.t, err)
	return len(all.Items)
}

func (w *world) answers() int {
	w.t.Helper()
	all, err := w.apps[1].Analytics.Answers(w.t.Context(), w.actor, query.Query{Page: query.AllRows()})
	must(w.t, err)
	return len(all.Items)
}

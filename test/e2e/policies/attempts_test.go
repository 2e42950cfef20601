package policies_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"lyceum/app"
	"lyceum/app/learning"
	"lyceum/domain/policy"
	"lyceum/domain/query"
	"lyceum/test/kit"
	"lyceum/test/kit/stores"
)

// answer returns an answer of the person with the number i to the first question.
func (w *world) answer(i int, response string) learning.AnswerInput {
	act := w.act["Sums"]
	return learning.AnswerInput{Person: w.people[i], Activity: &act, Question: w.ask[0], Chosen: []string{response}}
}

// submitAnswers submits one answer for each of the numbers.
func (w *world) submitAnswers(a *app.App, numbers []int, response string) error {
	all := make([]learning.AnswerInput, len(numbers))
	for i, n := range numbers {
		all[i] = w.answer(n, response)
	}
	_, err := a.Learning.SubmitAnswers(w.t.Context(), w.actor, w.quiz, all)
	return err
}

func (w *world) attempts() int {
	w.t.Helper()
	all, err := w.apps[1].Analytics.Courses(w.t.Context(), w.actor, query.Query{Page: query.AllRows()})
	must(w.t, err)
	n := 0
	for _, r := range all.Items {
		if r.Attempt.UUID != uuid.Nil {
			n++
		}
	}
	return n
}

var beginningAttempts = decision{
	rules: func(verdict error) policy.Set {
		return policy.Set{BeginAttempt: everyThird(verdict, func(b policy.BeginningAttempt) int { return number(b.Person.Email) })}
	},
	taken: (*world).attempts,
	ways: []way{
		{
			name: "an attempt is started", single: true, fault: "invalid: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				_, err := a.Learning.StartCourseAttempt(w.t.Context(), w.actor, "algebra", w.people[numbers[0]])
				return err
			},
		},
		{
			name: "first events", fault: "invalid: row %d: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error { return w.record(a, "Read", 0, numbers) },
		},
		{
			name: "a first completion", single: true, fault: "invalid: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				_, _, err := a.Learning.CompleteActivity(w.t.Context(), w.actor, w.people[numbers[0]], w.act["Read"])
				return err
			},
		},
		{
			name: "first answers", fault: "invalid: row %d: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error { return w.submitAnswers(a, numbers, "2") },
		},
		{
			name: "a first file", single: true, fault: "invalid: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error {
				_, err := kit.NewLearning(a).Submit(w.t.Context(), w.actor, w.people[numbers[0]], w.act["Essay"],
					learning.Upload{Name: "essay.txt", MediaType: "text/plain", Bytes: strings.NewReader("x")})
				return err
			},
		},
		{
			name: "lines", fault: "line %d: attempt: id: " + detail, offset: 1,
			take: func(w *world, a *app.App, numbers ...int) error {
				return w.importLines(a, numbers, func(i int) string { return attemptLine(i, "") })
			},
		},
	},
}

func TestBeginningAttempts(t *testing.T) { beginningAttempts.tryAll(t) }

// TestLinesOfAnAttemptWithoutEffect checks that, if a rule leaves a course attempt without effect,
// the lines that refer to the attempt have no effect either.
func TestLinesOfAnAttemptWithoutEffect(t *testing.T) {
	t.Parallel()
	onTwoInstances(t, func(t *testing.T, on [2]stores.Backend) {
		w := newWorld(t, on, peopleCount, beginningAttempts.rules(policy.NoEffect).With(creating.rules(policy.NoEffect)))
		_, err := w.apps[0].Transfers.Import(t.Context(), w.actor, linesImport(
			attemptLine(1, ""), attemptLine(2, ""), quizAttemptLine(1), quizAttemptLine(2),
			`{"kind": "submission", "course": "algebra", "person": "p2@example.test", "attempt": 1, "activity": "Essay", "name": "a.txt", "text": "x"}`,
			personLine(32), fmt.Sprintf(`{"kind": "membership", "group": "New", "person": %q, "role": "member"}`, email(32)),
		))
		must(t, err)
		w.want(w.attempts(), 1)
		w.want(w.quizAttempts(), 1)
		w.want(w.countPeople(), peopleCount)
	})
}

func quizAttemptLine(i int) string {
	return fmt.Sprintf(`{"kind": "quiz_attempt", "course": "algebra", "person": %q, "attempt": 1, "activity": "Sums", "number": 1, `+
		`"answers": [{"question": 1, "response": "2", "correct": true, "at": "2026-01-02T15:04:05.123Z"}]}`, email(i))
}

func (w *world) quizAttempts() int {
	w.t.Helper()
	all, err := w.apps[1].Analytics.QuizAttempts(w.t.Context(), w.actor, query.Query{Page: query.AllRows()})
	must(w.t, err)
	return len(all.Items)
}

// importAttempts imports a course attempt for every person and a quiz attempt for each of the
// numbers.
func (w *world) importAttempts(a *app.App, numbers []int) error {
	all := make([]string, 0, 2*peopleCount)
	for i := range peopleCount { // so that the quiz attempts always begin at the same line
		all = append(all, attemptLine(i, ""))
	}
	for _, n := range numbers {
		all = append(all, quizAttemptLine(n))
	}
	_, err := a.Transfers.Import(w.t.Context(), w.actor, linesImport(all...))
	return err
}

var beginningQuizAttempts = decision{
	rules: func(verdict error) policy.Set {
		return policy.Set{BeginQuizAttempt: everyThird(verdict, func(b policy.BeginningQuizAttempt) int { return number(b.Person.Email) })}
	},
	taken: (*world).quizAttempts,
	ways: []way{
		{
			name: "first answers", fault: "invalid: row %d: id: " + detail,
			take: func(w *world, a *app.App, numbers ...int) error { return w.submitAnswers(a, numbers, "2") },
		},
		{
			name: "lines", fault: "line %d: quiz_attempt: id: " + detail, offset: peopleCount + 1,
			take: func(w *world, a *app.App, numbers ...int) error { return w.importAttempts(a, numbers) },
		},
	},
}

func TestBeginningQuizAttempts(t *testing.T) { beginningQuizAttempts.tryAll(t) }

// changingAnswers has a rule that applies only to answers that replace earlier answers.
var changingAnswers = decision{
	rules: func(verdict error) policy.Set {
		return policy.Set{Answer: policy.Rules[policy.Answering]{{Check: func(a policy.Answering) error {
			if a.Before == nil || !isRejected(number(a.Person.Email)) {
				return nil
			}
			return verdict
		}}}}
	},
	taken: func(w *world) int {
		all, err := w.apps[1].Analytics.Answers(w.t.Context(), w.actor, query.Query{Page: query.AllRows()})
		must(w.t, err)
		n := 0
		for _, a := range all.Items {
			if a.Answer.Correct {
				n++
			}
		}
		return n
	},
	ways: []way{
		{
			name: "answers are changed", fault: "invalid: row %d: id: " + detail,
			before: func(w *world) {
				all := make([]int, peopleCount)
				for i := range all {
					all[i] = i
				}
				must(w.t, w.submitAnswers(w.apps[0], all, "3"))
			},
			take: func(w *world, a *app.App, numbers ...int) error { return w.submitAnswers(a, numbers, "2") },
		},
	},
}

func TestChangingAnswers(t *testing.T) { changingAnswers.tryAll(t) }

// TestRetaking checks that a rule about a further attempt receives the previous attempt.
func TestRetaking(t *testing.T) {
	t.Parallel()
	onTwoInstances(t, func(t *testing.T, on [2]stores.Backend) {
		w := newWorld(t, on, 1, policy.Set{BeginAttempt: policy.Rules[policy.BeginningAttempt]{{Check: func(b policy.BeginningAttempt) error {
			if b.Number > 2 || b.Last != nil && (b.Last.Number != b.Number-1 || !b.Last.Complete()) {
				return refusal
			}
			return nil
		}}}})
		complete := func() {
			for _, title := range []string{"Read", "Watch", "Sums", "Essay"} {
				_, _, err := w.apps[0].Learning.CompleteActivity(t.Context(), w.actor, w.people[0], w.act[title])
				must(t, err)
			}
		}
		complete()
		_, err := w.apps[0].Learning.StartCourseAttempt(t.Context(), w.actor, "algebra", w.people[0])
		must(t, err)
		complete()
		_, err = w.apps[1].Learning.StartCourseAttempt(t.Context(), w.actor, "algebra", w.people[0])
		if got := faultsOf(t, err); fmt.Sprint(got) != "[invalid: id: "+detail+"]" {
			t.Errorf("refused is %q", got)
		}
		w.want(w.attempts(), 2)
	})
}

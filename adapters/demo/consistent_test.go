package demo_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app/transfer"
	"lyceum/app/transfer/format"
	"lyceum/domain/analytics"
	"lyceum/domain/event"
	"lyceum/domain/reconcile"
	"lyceum/domain/submission"
)

// The demo school contains an example of every kind of record and state.
func TestDemoSchoolShowsEveryState(t *testing.T) {
	is := is.New(t)
	a := newApp()
	who := load(t, a)
	seen := map[string]bool{}
	attempts := map[string]int{}
	for _, r := range list(t, analytics.CourseSchema, who, a.Analytics.Courses) {
		attempts[r.Person.String()+r.Course.String()]++
		switch {
		case r.LastActivityCompletedAt == nil && strings.HasSuffix(r.Key(), "000000000000"):
			seen["never begun"] = true
		case r.Progress == 0:
			seen["nothing yet"] = true
		case r.Progress == 10000:
			seen["all"] = true
		default:
			seen["in part"] = true
		}
		seen["again"] = seen["again"] || attempts[r.Person.String()+r.Course.String()] == 2
	}
	runs := map[string]map[string]bool{}
	for _, r := range list(t, analytics.AnswerSchema, who, a.Analytics.Answers) {
		of := r.Person.String() + r.Activity.String()
		if runs[of] == nil {
			runs[of] = map[string]bool{}
		}
		runs[of][r.QuizAttempt.String()] = true
		seen["a quiz again"] = seen["a quiz again"] || len(runs[of]) > 1
	}
	for _, e := range list(t, event.Schema, who, a.Events.List) {
		seen[e.Kind.String()] = true
	}
	seen["files"] = len(list(t, submission.Schema, who, a.Submissions.List)) > 0
	is.Equal(seen, map[string]bool{
		"never begun": true, "nothing yet": true, "in part": true, "all": true, "again": true, "a quiz again": true, "files": true,
		event.ViewedActivity.String(): true, event.ViewedVideo.String(): true,
	})
}

// The file is edited by hand: derived lines must agree with the lines from which they are derived.
func TestDemoSchoolIsConsistent(t *testing.T) {
	is := is.New(t)
	a := newApp()
	who := load(t, a)
	is.NoErr(a.Reconcile.School(t.Context(), who.School(), func(d reconcile.Discrepancy) { t.Error(d) }))
	again, err := a.Transfers.Import(t.Context(), who, transfer.Import{Open: demo.School})
	is.NoErr(err)
	for _, k := range again.Kinds {
		is.Equal(k.Created+k.Changed, 0)
	}

	file, err := demo.School()
	is.NoErr(err)
	quizzes, asks := map[string]*format.Quiz{}, map[[2]string]string{}
	learns, done := map[[2]string]bool{}, map[[3]string]bool{}
	for in := format.NewReader(file); ; {
		line, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		is.NoErr(err)
		is.NoErr(line.Err)
		switch l := line.Record.(type) {
		case *format.Quiz:
			quizzes[l.Name] = l
		case *format.Activity:
			asks[[2]string{l.Course, l.Title}] = l.Quiz
		case *format.Enrollment:
			learns[[2]string{l.Course, l.Person}] = learns[[2]string{l.Course, l.Person}] || l.Role == "learner"
		case *format.Attempt:
			is.True(learns[[2]string{l.Course, l.Person}]) // a person with an attempt is enrolled
			for _, c := range l.Completed {
				done[[3]string{l.Course, l.Person, c.Activity}] = true
			}
		case *format.QuizAttempt:
			about := quizzes[asks[[2]string{l.Course, l.Activity}]]
			for _, g := range l.Answers {
				// Correct agrees with the choices of the quiz.
				is.Equal(g.Correct, g.Response == right(about.Questions[g.Question-1]))
			}
			is.True(len(l.Answers) < len(about.Questions) || done[[3]string{l.Course, l.Person, l.Activity}])
		case *format.Submission:
			is.True(done[[3]string{l.Course, l.Person, l.Activity}]) // a file completes its activity
		}
	}
}

// right returns the correct response to q.
func right(q format.Question) string {
	var texts []string
	for _, c := range q.Choices {
		if c.Correct {
			texts = append(texts, c.Text)
		}
	}
	return strings.Join(texts, ", ")
}

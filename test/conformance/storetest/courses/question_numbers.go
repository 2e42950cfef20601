package courses

import (
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/analytics"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/structure"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/conformance/storetest/lists"
)

// checkPositions checks that every answer has the current position of its question, and the same
// total as the score of its quiz attempt.
func (a *randomCourse) checkPositions() {
	a.T.Helper()
	is, s := is.New(a.T), structureOf(a.World.Tenant, a.lesson.Course.ID)
	totals := map[quizattempt.ID]int{}
	for _, run := range a.All().QuizAttempts {
		totals[run.ID] = run.Score.Total
	}
	for _, row := range a.All().RawAnswers {
		is.Equal(row.Position.Total, totals[row.QuizAttempt])
		if q, ok := s.Quizzes[row.Quiz]; ok {
			is.Equal(row.Position, quiz.PositionOf(q.Questions, row.Answer.Question))
		}
	}
}

// comparisons contains the predicates that hold for a text if one of their values does, and negations
// those that hold if none of their values has the given relation.
var (
	comparisons = map[query.Op]func(s, value string) bool{
		query.Eq:   func(s, value string) bool { return s == value },
		query.Lt:   func(s, value string) bool { return s < value },
		query.Lteq: func(s, value string) bool { return s <= value },
		query.Gt:   func(s, value string) bool { return s > value },
		query.Gteq: func(s, value string) bool { return s >= value },
		query.Cont: strings.Contains, query.Start: strings.HasPrefix, query.End: strings.HasSuffix,
	}
	negations = map[query.Op]func(s, value string) bool{
		query.NotEq: func(s, value string) bool { return s == value }, query.NotCont: strings.Contains,
	}
)

// matching returns the elements of all for which holds is true with one of values, or with none of them
// if want is false.
func matching(all, values []string, holds func(s, value string) bool, want bool) (found []string) {
	for _, s := range all {
		if want == slices.ContainsFunc(values, func(value string) bool { return holds(s, value) }) {
			found = append(found, s)
		}
	}
	return found
}

// QuestionNumbers tests the question numbers in the list ports.Reader.RawAnswers while the
// questions of the quiz change.
func QuestionNumbers(t *testing.T, b fixture.Backend) {
	is, w := is.New(t), fixture.NewWorld(t, b)
	l := fixture.NewCourseFixture(w.Tenant, "one")
	first, last := w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 1, true, true, true), w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 2, true)
	w.Save(first, last)
	question := func(number int) quiz.QuestionID { return l.Quiz.Questions[number-1].ID }

	numbered := func(order string, where query.Expr) (found []string) {
		o := query.Order{Attr: analytics.AnswerSchema.Attr("question_number"), Desc: order == "descending"}
		list, err := w.Read().RawAnswers.List(w.Context(), query.Query{
			Page: query.AllRows(), Where: where, Sort: []query.Order{o},
		})
		is.NoErr(err)
		for _, row := range list.Items {
			found = append(found, row.Position.String())
		}
		return found
	}
	compared := func(op query.Op, numbers ...string) query.Expr {
		c := query.Cond{Attr: analytics.AnswerSchema.Attr("question_number"), Op: op}
		for _, n := range numbers {
			c.Values = append(c.Values, query.Value{Text: n, Fold: n})
		}
		return c
	}
	equal := func(number string) query.Expr { return compared(query.Eq, number) }
	// change replaces the questions of the quiz with the existing questions with the given 1-based
	// numbers. Each 0 adds a new question.
	change := func(numbers ...int) {
		p := planOf(structureOf(w.Tenant, l.Course.ID))
		for i := range p.Activities {
			about := p.Activities[i].Quiz
			if about == nil {
				continue
			}
			*about = structure.Quiz{ID: about.ID, Defined: true, Name: about.Name}
			for _, n := range numbers {
				q := quiz.Question{Key: "fresh", Text: "Fresh?", Choices: l.Quiz.Questions[0].Choices}
				if n > 0 {
					q = l.Quiz.Questions[n-1]
					q.ID = quiz.QuestionID{}
				}
				about.Questions = append(about.Questions, q)
			}
		}
		mustRevise(w.Tenant, l.Course.ID, p)
	}
	ofLast := func() (position, completed string) {
		row := lists.Find(w.All().RawAnswers, func(r analytics.RawAnswer) bool {
			return r.QuizAttempt == last.ID && r.Answer.Question == question(1)
		})
		return row.Position.String(), w.All().QuizScores[0].Score.AnsweredOfTotal()
	}

	for _, step := range []struct {
		name                string
		asked               []int
		position, completed string
		all                 []string
	}{
		{"as answered", []int{1, 2, 3}, "1/3", "1/3", []string{"1/3", "1/3", "2/3", "3/3"}},
		{"a question added before the others", []int{0, 1, 2, 3}, "2/4", "1/4", []string{"2/4", "2/4", "3/4", "4/4"}},
		{"questions in another order", []int{3, 2, 1}, "3/3", "1/3", []string{"1/3", "2/3", "3/3", "3/3"}},
		{"another question archived", []int{1, 3}, "1/2", "1/2", []string{"0/2", "1/2", "1/2", "2/2"}},
		{"the answered question archived", []int{3, 2}, "0/2", "0/2", []string{"0/2", "0/2", "1/2", "2/2"}},
		{"the archived question restored", []int{2, 1}, "2/2", "1/2", []string{"0/2", "1/2", "2/2", "2/2"}},
	} {
		t.Run(step.name, func(t *testing.T) {
			is := is.New(t)
			change(step.asked...)
			position, completed := ofLast()
			is.Equal(position, step.position)
			is.Equal(completed, step.completed)
			is.Equal(numbered("ascending", nil), step.all)
			backward := numbered("descending", nil)
			for i, s := range step.all {
				is.Equal(backward[len(backward)-1-i], s)
			}
			for _, s := range step.all {
				is.Equal(numbered("ascending", equal(s)), matching(step.all, []string{s}, comparisons[query.Eq], true))
			}
			is.Equal(len(numbered("ascending", equal("3/7"))), 0)
			for op, holds := range comparisons {
				some := []string{"1/3", "2/2", "/4", "0/", "02/2", "%"}
				is.Equal(numbered("ascending", compared(op, some...)), matching(step.all, some, holds, true))
			}
			for op, holds := range negations {
				some := []string{"1/3", "2/2"}
				is.Equal(numbered("ascending", compared(op, some...)), matching(step.all, some, holds, false))
			}
			is.Equal(w.MustReconcile(), nil)
		})
	}
}

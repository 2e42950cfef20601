package storetest

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/ports"
)

// learningLists tests that learner data appears in the lists of quiz attempts and completions.
// Other tests cover pages, filters and orders for all lists.
func learningLists(t *testing.T, b Backend) {
	t.Run("The list of quiz attempts has the current score of every quiz attempt", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		first, second := w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 1, true, true, true), w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 2, false)
		w.save(first, second)
		shown := func() map[int]analytics.QuizAttempt {
			rows := map[int]analytics.QuizAttempt{}
			for _, r := range w.all().QuizAttempts {
				rows[r.Number] = r
			}
			return rows
		}
		is.Equal(len(shown()), 2)
		is.Equal(shown()[1].Score.AnsweredOfTotal(), "3/3")
		is.Equal(shown()[2].Score.AnsweredOfTotal(), "1/3")
		w.do(func(ctx context.Context, tx ports.Tx) error {
			return l.answerQuestion(ctx, tx, w.tenant, l.learner.ID, 2, true)
		})
		is.Equal(len(shown()), 2)
		is.Equal(shown()[2].Score.AnsweredOfTotal(), "2/3")
		is.True(shown()[2].Score.LastAnsweredAt.After(second.Score.LastAnsweredAt))
		is.Equal(shown()[2].StartedAt, second.StartedAt)
		is.NoErr(w.deletePerson(l.learner.ID))
		is.Equal(len(shown()), 0)
	})

	t.Run("The list of completions has every completion, whether or not the person is enrolled", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		again := w.addAttempt(l.learner.ID, l.course.ID, 2)
		w.complete(l.attempt.ID, l.text.ID, w.nextTime())
		w.complete(again.ID, l.text.ID, w.nextTime())
		w.complete(again.ID, l.text.ID, w.nextTime()) // not a new completion
		other := w.addAttempt(w.addPerson("grace@example.test").ID, l.course.ID, 1)
		w.complete(other.ID, l.video.ID, w.nextTime())
		rows := w.all().Completions
		is.Equal(len(rows), 3)
		for i, want := range []struct {
			number   int
			activity activity.ID
		}{{1, l.video.ID}, {2, l.text.ID}, {1, l.text.ID}} {
			is.Equal(rows[i].CourseAttemptNumber, want.number)
			is.Equal(rows[i].Activity, want.activity)
			is.Equal(rows[i].Course, l.course.ID)
		}
		is.Equal(rows[0].Person, other.Person)
		for attr, want := range map[string]struct {
			text string
			rows int
		}{
			"activity_title": {l.text.Title, 2}, "course_name": {l.course.Name, 3}, "person_email": {"grace@example.test", 1},
		} {
			is.Equal(countBy(w.tenant, w.read().Completions, analytics.CompletionSchema, attr, want.text), want.rows)
		}
		is.NoErr(w.deletePerson(l.learner.ID))
		is.Equal(len(w.all().Completions), 1)
	})
}

package lists

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// Learning tests that learner data appears in the lists of quiz attempts and completions.
// Other tests cover pages, filters and orders for all lists.
func Learning(t *testing.T, b fixture.Backend) {
	t.Run("The list of quiz attempts has the current score of every quiz attempt", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		first, second := w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 1, true, true, true), w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 2, false)
		w.Save(first, second)
		shown := func() map[int]analytics.QuizAttempt {
			rows := map[int]analytics.QuizAttempt{}
			for _, r := range w.All().QuizAttempts {
				rows[r.Number] = r
			}
			return rows
		}
		is.Equal(len(shown()), 2)
		is.Equal(shown()[1].Score.AnsweredOfTotal(), "3/3")
		is.Equal(shown()[2].Score.AnsweredOfTotal(), "1/3")
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			return l.AnswerQuestion(ctx, tx, w.Tenant, l.Learner.ID, 2, true)
		})
		is.Equal(len(shown()), 2)
		is.Equal(shown()[2].Score.AnsweredOfTotal(), "2/3")
		is.True(shown()[2].Score.LastAnsweredAt.After(second.Score.LastAnsweredAt))
		is.Equal(shown()[2].StartedAt, second.StartedAt)
		is.NoErr(w.DeletePerson(l.Learner.ID))
		is.Equal(len(shown()), 0)
	})

	t.Run("The list of completions has every completion, whether or not the person is enrolled", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		again := w.AddAttempt(l.Learner.ID, l.Course.ID, 2)
		w.Complete(l.Attempt.ID, l.Text.ID, w.NextTime())
		w.Complete(again.ID, l.Text.ID, w.NextTime())
		w.Complete(again.ID, l.Text.ID, w.NextTime()) // not a new completion
		other := w.AddAttempt(w.AddPerson("grace@example.test").ID, l.Course.ID, 1)
		w.Complete(other.ID, l.Video.ID, w.NextTime())
		rows := w.All().Completions
		is.Equal(len(rows), 3)
		for i, want := range []struct {
			number   int
			activity activity.ID
		}{{1, l.Video.ID}, {2, l.Text.ID}, {1, l.Text.ID}} {
			is.Equal(rows[i].CourseAttemptNumber, want.number)
			is.Equal(rows[i].Activity, want.activity)
			is.Equal(rows[i].Course, l.Course.ID)
		}
		is.Equal(rows[0].Person, other.Person)
		for attr, want := range map[string]struct {
			text string
			rows int
		}{
			"activity_title": {l.Text.Title, 2}, "course_name": {l.Course.Name, 3}, "person_email": {"grace@example.test", 1},
		} {
			is.Equal(CountBy(w.Tenant, w.Read().Completions, analytics.CompletionSchema, attr, want.text), want.rows)
		}
		is.NoErr(w.DeletePerson(l.Learner.ID))
		is.Equal(len(w.All().Completions), 1)
	})
}

package learning

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// QuizAttempts tests ports.QuizAttemptRepo. scores.go tests the scores that are derived from quiz
// attempts.
func QuizAttempts(t *testing.T, b fixture.Backend) {
	t.Run("Latest returns the quiz attempt with the highest number and its answers, NotFound without quiz attempts", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		_, err := w.LatestQuizAttempt(l.Attempt.ID, l.QuizActivity.ID)
		is.True(fixture.IsNotFound(err))
		other, second := l.AddLearner(w.Tenant, "grace@example.test"), w.NewActivity(l.Course.ID, "Twice", activity.QuizContent(l.Quiz.ID))
		tenth := w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 10, true, false, true)
		w.Save(
			second, tenth, w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 9, false), w.NewQuizAttempt(other, l.QuizActivity, l.Quiz, 11, true),
			w.NewQuizAttempt(l.Attempt, second, l.Quiz, 12, true),
		)
		got, err := w.LatestQuizAttempt(l.Attempt.ID, l.QuizActivity.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, tenth), "")
	})

	t.Run("Uncompleted returns the quiz attempts with answers to all questions whose activity is not completed", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l, elsewhere := fixture.NewCourseFixture(w.Tenant, "one"), fixture.NewCourseFixture(w.Tenant, "two")
		find := func(quizzes ...quiz.ID) (found []ports.AnsweredQuiz) {
			got, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) ([]ports.AnsweredQuiz, error) {
				return tx.QuizAttempts.Uncompleted(ctx, quizzes)
			})
			is.NoErr(err)
			return got
		}
		some, all, archived := l.AddLearner(w.Tenant, "some@example.test"), l.AddLearner(w.Tenant, "all@example.test"), w.NewActivity(l.Course.ID, "Old", activity.QuizContent(l.Quiz.ID))
		at := w.NextTime()
		archived.ArchivedAt = &at
		w.Save(archived,
			w.NewQuizAttempt(some, l.QuizActivity, l.Quiz, 1, true, true),
			w.NewQuizAttempt(l.Attempt, archived, l.Quiz, 1, true, true, true),
			w.NewQuizAttempt(elsewhere.Attempt, elsewhere.QuizActivity, elsewhere.Quiz, 1, true, false, true),
		)
		is.Equal(len(find(l.Quiz.ID)), 0)
		// The second quiz attempt is incomplete, but the first one is complete.
		w.Save(w.NewQuizAttempt(all, l.QuizActivity, l.Quiz, 1, false, false, false), w.NewQuizAttempt(all, l.QuizActivity, l.Quiz, 2, true))
		is.Equal(fixture.Diff(find(l.Quiz.ID), []ports.AnsweredQuiz{{Attempt: attempt.Restore(all), Activity: l.QuizActivity.ID}}), "")
		w.Save(w.NewQuizAttempt(all, l.QuizActivity, l.Quiz, 3, true, true, true))
		is.Equal(len(find(l.Quiz.ID)), 1) // one result for several quiz attempts
		is.Equal(len(find(l.Quiz.ID, elsewhere.Quiz.ID)), 2)
		w.Complete(all.ID, l.QuizActivity.ID, w.NextTime())
		is.Equal(len(find(l.Quiz.ID)), 0)
		is.Equal(len(find()), 0)
	})

	t.Run("Open returns the people and courses of quiz attempts whose activity is not completed", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l, elsewhere := fixture.NewCourseFixture(w.Tenant, "one"), fixture.NewCourseFixture(w.Tenant, "two")
		find := func(quizzes ...quiz.ID) []enrollment.PersonCourse {
			got, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) ([]enrollment.PersonCourse, error) {
				return tx.QuizAttempts.Open(ctx, quizzes)
			})
			is.NoErr(err)
			return got
		}
		some := l.AddLearner(w.Tenant, "some@example.test")
		w.Save(
			w.NewQuizAttempt(some, l.QuizActivity, l.Quiz, 1, true, true), w.NewQuizAttempt(some, l.QuizActivity, l.Quiz, 2, true),
			w.NewQuizAttempt(elsewhere.Attempt, elsewhere.QuizActivity, elsewhere.Quiz, 1, true, true, true),
		)
		is.Equal(find(l.Quiz.ID), []enrollment.PersonCourse{{Person: some.Person, Course: some.Course}}) // one result for two quiz attempts
		is.Equal(len(find(l.Quiz.ID, elsewhere.Quiz.ID)), 2)
		w.Complete(some.ID, l.QuizActivity.ID, w.NextTime())
		is.Equal(len(find(l.Quiz.ID)), 0)
		is.Equal(len(find()), 0)
	})

	t.Run("Add inserts the quiz attempt with its answers", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		r := w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 1, true, false, true)
		r.Answers = slices.Delete(r.Answers, 1, 2) // the second question has no answer
		r.Answers[0].Response = "Two\nlines, 🎓 é"
		r = fixture.Graded(r, l.Quiz)
		is.NoErr(w.TrySave(r))
		got, err := w.LatestQuizAttempt(l.Attempt.ID, l.QuizActivity.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, r), "")
	})

	t.Run("Add returns an error for unknown records and for a number that is taken", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		w.Save(w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 1, true))
		for _, spoil := range []func(*quizattempt.State){
			func(r *quizattempt.State) { r.Person.UUID = w.IDs.New() },
			func(r *quizattempt.State) { r.Course.UUID = w.IDs.New() },
			func(r *quizattempt.State) { r.CourseAttempt.UUID = w.IDs.New() },
			func(r *quizattempt.State) { r.Activity.UUID = w.IDs.New() },
			func(r *quizattempt.State) { r.Quiz.UUID = w.IDs.New() },
			func(r *quizattempt.State) { r.Answers[0].Question.UUID = w.IDs.New() },
			func(r *quizattempt.State) { r.Number = 1 },
		} {
			r := w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 2, true)
			spoil(&r)
			w.MustReject(r)
		}
		is.NoErr(w.TrySave(w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 2, true)))
	})

	t.Run("Save updates the quiz attempt with its answers, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		other := l.AddLearner(w.Tenant, "grace@example.test")
		r, theirs := w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 1, true), w.NewQuizAttempt(other, l.QuizActivity, l.Quiz, 1, false, true)
		w.Save(r, theirs)
		change := func(answers ...quizattempt.Answer) {
			r.Answers = answers
			r = fixture.Graded(r, l.Quiz)
			is.NoErr(w.TrySaveQuizAttempt(r))
			got, err := w.LatestQuizAttempt(l.Attempt.ID, l.QuizActivity.ID)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, r), "")
		}
		change(r.Answers[0], w.NewAnswer(l.Quiz, 3, false))                              // an additional answer
		change(w.NewAnswer(l.Quiz, 1, false), r.Answers[1])                              // a different answer
		change(r.Answers[0], w.NewAnswer(l.Quiz, 2, true), w.NewAnswer(l.Quiz, 3, true)) // an additional and a different answer
		change(r.Answers[2])                                                             // fewer answers
		got, err := w.LatestQuizAttempt(other.ID, l.QuizActivity.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, theirs), "")
		before := w.All()
		is.True(fixture.IsNotFound(w.TrySaveQuizAttempt(w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 2, true))))
		is.Equal(fixture.Diff(w.All(), before), "")
	})

	t.Run("Save of an earlier quiz attempt changes no other", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		first, second := w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 1, true), w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 2, false)
		w.Save(first, second)
		scores := w.All().QuizScores
		first.Answers = append(first.Answers, w.NewAnswer(l.Quiz, 2, true))
		is.NoErr(w.TrySaveQuizAttempt(fixture.Graded(first, l.Quiz)))
		got, err := w.LatestQuizAttempt(l.Attempt.ID, l.QuizActivity.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, second), "")
		is.Equal(fixture.Diff(w.All().QuizScores, scores), "")
	})

	t.Run("DeleteByPerson deletes all quiz attempts of the person with their answers and scores", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		other := l.AddLearner(w.Tenant, "grace@example.test")
		w.Save(
			w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 1, true, true, true), w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 2, false),
			w.NewQuizAttempt(other, l.QuizActivity, l.Quiz, 1, true),
		)
		for range 2 { // deleting again changes nothing
			w.Do(func(ctx context.Context, tx ports.Tx) error {
				return fixture.Second(tx.QuizAttempts.DeleteByPerson(ctx, l.Learner.ID, math.MaxInt32))
			})
			_, err := w.LatestQuizAttempt(l.Attempt.ID, l.QuizActivity.ID)
			is.True(fixture.IsNotFound(err))
			all := w.All()
			is.Equal(len(all.QuizScores), 1)
			is.Equal(all.QuizScores[0].Person, other.Person)
			is.Equal(len(all.RawAnswers), 1)
			is.Equal(all.RawAnswers[0].Person, other.Person)
		}
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			return fixture.Second(tx.Attempts.DeleteByPerson(ctx, l.Learner.ID, math.MaxInt32))
		})
	})
}

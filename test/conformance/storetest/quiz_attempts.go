package storetest

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
)

// latestQuizAttempt returns the latest quiz attempt at an activity in a course attempt.
func (s tenant) latestQuizAttempt(in attempt.ID, a activity.ID) (quizattempt.State, error) {
	return inTx(s, func(ctx context.Context, tx ports.Tx) (quizattempt.State, error) {
		r, err := tx.QuizAttempts.Latest(ctx, in, a)
		return r.State(), err
	})
}

// trySaveQuizAttempt saves an existing quiz attempt.
func (s tenant) trySaveQuizAttempt(r quizattempt.State) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.QuizAttempts.Save(ctx, quizattempt.Restore(r)) })
}

// quizAttempts tests ports.QuizAttemptRepo. scores.go tests the scores that are derived from quiz
// attempts.
func quizAttempts(t *testing.T, b Backend) {
	t.Run("Latest returns the quiz attempt with the highest number and its answers, NotFound without quiz attempts", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		_, err := w.latestQuizAttempt(l.attempt.ID, l.quizActivity.ID)
		is.True(isNotFound(err))
		other, second := l.addLearner(w.tenant, "grace@example.test"), w.newActivity(l.course.ID, "Twice", activity.QuizContent(l.quiz.ID))
		tenth := w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 10, true, false, true)
		w.save(
			second, tenth, w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 9, false), w.newQuizAttempt(other, l.quizActivity, l.quiz, 11, true),
			w.newQuizAttempt(l.attempt, second, l.quiz, 12, true),
		)
		got, err := w.latestQuizAttempt(l.attempt.ID, l.quizActivity.ID)
		is.NoErr(err)
		is.Equal(diff(got, tenth), "")
	})

	t.Run("Uncompleted returns the quiz attempts with answers to all questions whose activity is not completed", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l, elsewhere := newCourseFixture(w.tenant, "one"), newCourseFixture(w.tenant, "two")
		find := func(quizzes ...quiz.ID) (found []ports.AnsweredQuiz) {
			got, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) ([]ports.AnsweredQuiz, error) {
				return tx.QuizAttempts.Uncompleted(ctx, quizzes)
			})
			is.NoErr(err)
			return got
		}
		some, all, archived := l.addLearner(w.tenant, "some@example.test"), l.addLearner(w.tenant, "all@example.test"), w.newActivity(l.course.ID, "Old", activity.QuizContent(l.quiz.ID))
		at := w.nextTime()
		archived.ArchivedAt = &at
		w.save(archived,
			w.newQuizAttempt(some, l.quizActivity, l.quiz, 1, true, true),
			w.newQuizAttempt(l.attempt, archived, l.quiz, 1, true, true, true),
			w.newQuizAttempt(elsewhere.attempt, elsewhere.quizActivity, elsewhere.quiz, 1, true, false, true),
		)
		is.Equal(len(find(l.quiz.ID)), 0)
		// The second quiz attempt is incomplete, but the first one is complete.
		w.save(w.newQuizAttempt(all, l.quizActivity, l.quiz, 1, false, false, false), w.newQuizAttempt(all, l.quizActivity, l.quiz, 2, true))
		is.Equal(diff(find(l.quiz.ID), []ports.AnsweredQuiz{{Attempt: attempt.Restore(all), Activity: l.quizActivity.ID}}), "")
		w.save(w.newQuizAttempt(all, l.quizActivity, l.quiz, 3, true, true, true))
		is.Equal(len(find(l.quiz.ID)), 1) // one result for several quiz attempts
		is.Equal(len(find(l.quiz.ID, elsewhere.quiz.ID)), 2)
		w.complete(all.ID, l.quizActivity.ID, w.nextTime())
		is.Equal(len(find(l.quiz.ID)), 0)
		is.Equal(len(find()), 0)
	})

	t.Run("Open returns the people and courses of quiz attempts whose activity is not completed", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l, elsewhere := newCourseFixture(w.tenant, "one"), newCourseFixture(w.tenant, "two")
		find := func(quizzes ...quiz.ID) []enrollment.PersonCourse {
			got, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) ([]enrollment.PersonCourse, error) {
				return tx.QuizAttempts.Open(ctx, quizzes)
			})
			is.NoErr(err)
			return got
		}
		some := l.addLearner(w.tenant, "some@example.test")
		w.save(
			w.newQuizAttempt(some, l.quizActivity, l.quiz, 1, true, true), w.newQuizAttempt(some, l.quizActivity, l.quiz, 2, true),
			w.newQuizAttempt(elsewhere.attempt, elsewhere.quizActivity, elsewhere.quiz, 1, true, true, true),
		)
		is.Equal(find(l.quiz.ID), []enrollment.PersonCourse{{Person: some.Person, Course: some.Course}}) // one result for two quiz attempts
		is.Equal(len(find(l.quiz.ID, elsewhere.quiz.ID)), 2)
		w.complete(some.ID, l.quizActivity.ID, w.nextTime())
		is.Equal(len(find(l.quiz.ID)), 0)
		is.Equal(len(find()), 0)
	})

	t.Run("Add inserts the quiz attempt with its answers", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		r := w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 1, true, false, true)
		r.Answers = slices.Delete(r.Answers, 1, 2) // the second question has no answer
		r.Answers[0].Response = "Two\nlines, 🎓 é"
		r = graded(r, l.quiz)
		is.NoErr(w.trySave(r))
		got, err := w.latestQuizAttempt(l.attempt.ID, l.quizActivity.ID)
		is.NoErr(err)
		is.Equal(diff(got, r), "")
	})

	t.Run("Add returns an error for unknown records and for a number that is taken", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		w.save(w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 1, true))
		for _, spoil := range []func(*quizattempt.State){
			func(r *quizattempt.State) { r.Person.UUID = w.ids.New() },
			func(r *quizattempt.State) { r.Course.UUID = w.ids.New() },
			func(r *quizattempt.State) { r.CourseAttempt.UUID = w.ids.New() },
			func(r *quizattempt.State) { r.Activity.UUID = w.ids.New() },
			func(r *quizattempt.State) { r.Quiz.UUID = w.ids.New() },
			func(r *quizattempt.State) { r.Answers[0].Question.UUID = w.ids.New() },
			func(r *quizattempt.State) { r.Number = 1 },
		} {
			r := w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 2, true)
			spoil(&r)
			w.mustReject(r)
		}
		is.NoErr(w.trySave(w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 2, true)))
	})

	t.Run("Save updates the quiz attempt with its answers, NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		other := l.addLearner(w.tenant, "grace@example.test")
		r, theirs := w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 1, true), w.newQuizAttempt(other, l.quizActivity, l.quiz, 1, false, true)
		w.save(r, theirs)
		change := func(answers ...quizattempt.Answer) {
			r.Answers = answers
			r = graded(r, l.quiz)
			is.NoErr(w.trySaveQuizAttempt(r))
			got, err := w.latestQuizAttempt(l.attempt.ID, l.quizActivity.ID)
			is.NoErr(err)
			is.Equal(diff(got, r), "")
		}
		change(r.Answers[0], w.newAnswer(l.quiz, 3, false))                              // an additional answer
		change(w.newAnswer(l.quiz, 1, false), r.Answers[1])                              // a different answer
		change(r.Answers[0], w.newAnswer(l.quiz, 2, true), w.newAnswer(l.quiz, 3, true)) // an additional and a different answer
		change(r.Answers[2])                                                             // fewer answers
		got, err := w.latestQuizAttempt(other.ID, l.quizActivity.ID)
		is.NoErr(err)
		is.Equal(diff(got, theirs), "")
		before := w.all()
		is.True(isNotFound(w.trySaveQuizAttempt(w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 2, true))))
		is.Equal(diff(w.all(), before), "")
	})

	t.Run("Save of an earlier quiz attempt changes no other", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		first, second := w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 1, true), w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 2, false)
		w.save(first, second)
		scores := w.all().QuizScores
		first.Answers = append(first.Answers, w.newAnswer(l.quiz, 2, true))
		is.NoErr(w.trySaveQuizAttempt(graded(first, l.quiz)))
		got, err := w.latestQuizAttempt(l.attempt.ID, l.quizActivity.ID)
		is.NoErr(err)
		is.Equal(diff(got, second), "")
		is.Equal(diff(w.all().QuizScores, scores), "")
	})

	t.Run("DeleteByPerson deletes all quiz attempts of the person with their answers and scores", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		other := l.addLearner(w.tenant, "grace@example.test")
		w.save(
			w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 1, true, true, true), w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 2, false),
			w.newQuizAttempt(other, l.quizActivity, l.quiz, 1, true),
		)
		for range 2 { // deleting again changes nothing
			w.do(func(ctx context.Context, tx ports.Tx) error {
				return second(tx.QuizAttempts.DeleteByPerson(ctx, l.learner.ID, math.MaxInt32))
			})
			_, err := w.latestQuizAttempt(l.attempt.ID, l.quizActivity.ID)
			is.True(isNotFound(err))
			all := w.all()
			is.Equal(len(all.QuizScores), 1)
			is.Equal(all.QuizScores[0].Person, other.Person)
			is.Equal(len(all.RawAnswers), 1)
			is.Equal(all.RawAnswers[0].Person, other.Person)
		}
		w.do(func(ctx context.Context, tx ports.Tx) error {
			return second(tx.Attempts.DeleteByPerson(ctx, l.learner.ID, math.MaxInt32))
		})
	})
}

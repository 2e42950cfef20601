package storetest

import (
	"context"
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

// latestRun returns the latest quiz attempt.
func (s tenant) latestRun(in attempt.ID, a activity.ID) (quizattempt.State, error) {
	return within(s, func(ctx context.Context, tx ports.Tx) (quizattempt.State, error) {
		r, err := tx.QuizAttempts.Latest(ctx, in, a)
		return r.State(), err
	})
}

func (s tenant) trySaveRun(r quizattempt.State) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.QuizAttempts.Save(ctx, quizattempt.Restore(r)) })
}

// quizAttempts tests ports.QuizAttemptRepo; the scores that follow are tested in
// scores.go.
func quizAttempts(t *testing.T, b Backend) {
	t.Run("Latest returns the quiz attempt with the highest number, with its answers, NotFound when there is none", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		l := newLesson(w.tenant, "one")
		_, err := w.latestRun(l.attempt.ID, l.test.ID)
		is.True(isMissing(err))
		other, second := l.pupil(w.tenant, "grace@example.test"), w.newActivity(l.course.ID, "Twice", activity.QuizContent(l.quiz.ID))
		tenth := w.newRun(l.attempt, l.test, l.quiz, 10, true, false, true)
		w.keep(
			second, tenth, w.newRun(l.attempt, l.test, l.quiz, 9, false), w.newRun(other, l.test, l.quiz, 11, true),
			w.newRun(l.attempt, second, l.quiz, 12, true),
		)
		got, err := w.latestRun(l.attempt.ID, l.test.ID)
		is.NoErr(err)
		is.Equal(diff(got, tenth), "")
	})

	t.Run("Uncompleted returns where all questions have an answer although the activity is not completed", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		l, elsewhere := newLesson(w.tenant, "one"), newLesson(w.tenant, "two")
		find := func(quizzes ...quiz.ID) (found []ports.AnsweredQuiz) {
			got, err := within(w.tenant, func(ctx context.Context, tx ports.Tx) ([]ports.AnsweredQuiz, error) {
				return tx.QuizAttempts.Uncompleted(ctx, quizzes)
			})
			is.NoErr(err)
			return got
		}
		some, all, archived := l.pupil(w.tenant, "some@example.test"), l.pupil(w.tenant, "all@example.test"), w.newActivity(l.course.ID, "Old", activity.QuizContent(l.quiz.ID))
		at := w.next()
		archived.ArchivedAt = &at
		w.keep(archived,
			w.newRun(some, l.test, l.quiz, 1, true, true),
			w.newRun(l.attempt, archived, l.quiz, 1, true, true, true),
			w.newRun(elsewhere.attempt, elsewhere.test, elsewhere.quiz, 1, true, false, true),
		)
		is.Equal(len(find(l.quiz.ID)), 0)
		// The second quiz attempt is not complete, the first one is.
		w.keep(w.newRun(all, l.test, l.quiz, 1, false, false, false), w.newRun(all, l.test, l.quiz, 2, true))
		is.Equal(diff(find(l.quiz.ID), []ports.AnsweredQuiz{{Attempt: attempt.Restore(all), Activity: l.test.ID}}), "")
		w.keep(w.newRun(all, l.test, l.quiz, 3, true, true, true))
		is.Equal(len(find(l.quiz.ID)), 1) // once
		is.Equal(len(find(l.quiz.ID, elsewhere.quiz.ID)), 2)
		w.complete(all.ID, l.test.ID, w.next())
		is.Equal(len(find(l.quiz.ID)), 0)
		is.Equal(len(find()), 0)
	})

	t.Run("Open returns the people and courses of quiz attempts whose activity is not completed", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		l, elsewhere := newLesson(w.tenant, "one"), newLesson(w.tenant, "two")
		find := func(quizzes ...quiz.ID) []enrollment.PersonCourse {
			got, err := within(w.tenant, func(ctx context.Context, tx ports.Tx) ([]enrollment.PersonCourse, error) {
				return tx.QuizAttempts.Open(ctx, quizzes)
			})
			is.NoErr(err)
			return got
		}
		some := l.pupil(w.tenant, "some@example.test")
		w.keep(
			w.newRun(some, l.test, l.quiz, 1, true, true), w.newRun(some, l.test, l.quiz, 2, true),
			w.newRun(elsewhere.attempt, elsewhere.test, elsewhere.quiz, 1, true, true, true),
		)
		is.Equal(find(l.quiz.ID), []enrollment.PersonCourse{{Person: some.Person, Course: some.Course}}) // once
		is.Equal(len(find(l.quiz.ID, elsewhere.quiz.ID)), 2)
		w.complete(some.ID, l.test.ID, w.next())
		is.Equal(len(find(l.quiz.ID)), 0)
		is.Equal(len(find()), 0)
	})

	t.Run("Add keeps a new quiz attempt with its answers", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		l := newLesson(w.tenant, "one")
		r := w.newRun(l.attempt, l.test, l.quiz, 1, true, false, true)
		r.Answers = slices.Delete(r.Answers, 1, 2) // they need not be the first questions
		r.Answers[0].Response = "Two\nlines, 🎓 é"
		r = marked(r, l.quiz)
		is.NoErr(w.tryKeep(r))
		got, err := w.latestRun(l.attempt.ID, l.test.ID)
		is.NoErr(err)
		is.Equal(diff(got, r), "")
	})

	t.Run("Add refuses what belongs to nothing, and a number that is not new", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		l := newLesson(w.tenant, "one")
		w.keep(w.newRun(l.attempt, l.test, l.quiz, 1, true))
		for _, spoil := range []func(*quizattempt.State){
			func(r *quizattempt.State) { r.Person.UUID = w.ids.New() },
			func(r *quizattempt.State) { r.Course.UUID = w.ids.New() },
			func(r *quizattempt.State) { r.CourseAttempt.UUID = w.ids.New() },
			func(r *quizattempt.State) { r.Activity.UUID = w.ids.New() },
			func(r *quizattempt.State) { r.Quiz.UUID = w.ids.New() },
			func(r *quizattempt.State) { r.Answers[0].Question.UUID = w.ids.New() },
			func(r *quizattempt.State) { r.Number = 1 },
		} {
			r := w.newRun(l.attempt, l.test, l.quiz, 2, true)
			spoil(&r)
			w.mustRefuse(r)
		}
		is.NoErr(w.tryKeep(w.newRun(l.attempt, l.test, l.quiz, 2, true)))
	})

	t.Run("Save keeps a changed quiz attempt with its answers, NotFound when there is no such quiz attempt", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		l := newLesson(w.tenant, "one")
		other := l.pupil(w.tenant, "grace@example.test")
		r, theirs := w.newRun(l.attempt, l.test, l.quiz, 1, true), w.newRun(other, l.test, l.quiz, 1, false, true)
		w.keep(r, theirs)
		change := func(answers ...quizattempt.Answer) {
			r.Answers = answers
			r = marked(r, l.quiz)
			is.NoErr(w.trySaveRun(r))
			got, err := w.latestRun(l.attempt.ID, l.test.ID)
			is.NoErr(err)
			is.Equal(diff(got, r), "")
		}
		change(r.Answers[0], w.newAnswer(l.quiz, 3, false))                              // one more
		change(w.newAnswer(l.quiz, 1, false), r.Answers[1])                              // another in its place
		change(r.Answers[0], w.newAnswer(l.quiz, 2, true), w.newAnswer(l.quiz, 3, true)) // both
		change(r.Answers[2])                                                             // fewer
		got, err := w.latestRun(other.ID, l.test.ID)
		is.NoErr(err)
		is.Equal(diff(got, theirs), "")
		before := w.all()
		is.True(isMissing(w.trySaveRun(w.newRun(l.attempt, l.test, l.quiz, 2, true))))
		is.Equal(diff(w.all(), before), "")
	})

	t.Run("Save of an attempt that is not the latest changes no other", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		l := newLesson(w.tenant, "one")
		first, second := w.newRun(l.attempt, l.test, l.quiz, 1, true), w.newRun(l.attempt, l.test, l.quiz, 2, false)
		w.keep(first, second)
		scores := w.all().QuizScores
		first.Answers = append(first.Answers, w.newAnswer(l.quiz, 2, true))
		is.NoErr(w.trySaveRun(marked(first, l.quiz)))
		got, err := w.latestRun(l.attempt.ID, l.test.ID)
		is.NoErr(err)
		is.Equal(diff(got, second), "")
		is.Equal(diff(w.all().QuizScores, scores), "")
	})

	t.Run("RemoveOfPerson forgets all quiz attempts of a person, with their answers and scores", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		l := newLesson(w.tenant, "one")
		other := l.pupil(w.tenant, "grace@example.test")
		w.keep(
			w.newRun(l.attempt, l.test, l.quiz, 1, true, true, true), w.newRun(l.attempt, l.test, l.quiz, 2, false),
			w.newRun(other, l.test, l.quiz, 1, true),
		)
		for range 2 { // the second time there is nothing to forget
			w.do(func(ctx context.Context, tx ports.Tx) error { return tx.QuizAttempts.DeleteByPerson(ctx, l.learner.ID) })
			_, err := w.latestRun(l.attempt.ID, l.test.ID)
			is.True(isMissing(err))
			all := w.all()
			is.Equal(len(all.QuizScores), 1)
			is.Equal(all.QuizScores[0].Person, other.Person)
			is.Equal(len(all.RawAnswers), 1)
			is.Equal(all.RawAnswers[0].Person, other.Person)
		}
		w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Attempts.DeleteByPerson(ctx, l.learner.ID) })
	})
}

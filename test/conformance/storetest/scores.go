package storetest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/quizattempt"
	"lyceum/ports"
)

// scoreOf returns the score of r with the current names of p.
func (l courseFixture) scoreOf(r quizattempt.State, p person.State) analytics.QuizScore {
	return analytics.QuizScore{
		Person: r.Person, Course: r.Course, CourseAttempt: r.CourseAttempt, CourseAttemptNumber: r.CourseAttemptNumber,
		Activity: r.Activity, Quiz: r.Quiz, Score: r.Score, PersonName: p.FullName(), PersonEmail: p.Email,
		CourseName: l.course.Name, QuizName: l.quiz.Name, ActivityTitle: l.quizActivity.Title,
	}
}

// quizScores tests the list of quiz scores: which rows it has, their ids, and the names in them.
func quizScores(t *testing.T, b Backend) {
	t.Run("Each course attempt and quiz activity has a row with the score of the latest quiz attempt", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		is.Equal(len(w.all().QuizScores), 0)
		third, second := w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 3, true, false, true), w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 2, false)
		w.save(third)
		is.Equal(diff(w.all().QuizScores, []analytics.QuizScore{l.scoreOf(third, l.learner)}), "")
		w.save(second) // saved later, but with a lower number
		is.Equal(diff(w.all().QuizScores, []analytics.QuizScore{l.scoreOf(third, l.learner)}), "")
		fourth := w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 4, false)
		w.save(fourth)
		is.Equal(diff(w.all().QuizScores, []analytics.QuizScore{l.scoreOf(fourth, l.learner)}), "")
		fourth.Answers = append(fourth.Answers, w.newAnswer(l.quiz, 2, true))
		fourth = graded(fourth, l.quiz)
		is.NoErr(w.trySaveQuizAttempt(fourth))
		is.Equal(diff(w.all().QuizScores, []analytics.QuizScore{l.scoreOf(fourth, l.learner)}), "")

		twice := w.newActivity(l.course.ID, "Twice", activity.QuizContent(l.quiz.ID))
		retake := w.newAttempt(l.learner.ID, l.course.ID, 2)
		w.save(twice, retake, w.newQuizAttempt(l.attempt, twice, l.quiz, 1, true), w.newQuizAttempt(retake, l.quizActivity, l.quiz, 1, true))
		is.Equal(len(w.all().QuizScores), 3)
	})

	t.Run("The id of a row is greater than all earlier ids in the store", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		schools := []tenant{w.tenant, newTenant(t, b, "Second")}
		lessons := []courseFixture{newCourseFixture(schools[0], "one"), newCourseFixture(schools[1], "two")}
		last := int64(0)
		for i := range 8 {
			s, l := schools[i%2], lessons[i%2]
			in := l.addLearner(s, fmt.Sprintf("p%d@example.test", i))
			r := s.newQuizAttempt(in, l.quizActivity, l.quiz, 1, true)
			s.save(r)
			id := s.scoreID(r)
			is.True(id > last)
			last = id
			if i == 5 { // the store must not reuse the largest id after its row is deleted
				is.NoErr(s.deletePerson(in.Person))
			}
		}
	})

	t.Run("Ids generated concurrently are different", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		schools := []tenant{w.tenant, newTenant(t, b, "Second")}
		lessons := []courseFixture{newCourseFixture(schools[0], "one"), newCourseFixture(schools[1], "two")}
		var ids sync.Map
		for _, err := range atOnce(func(i int) error {
			s, l := schools[i%2], lessons[i%2]
			p := s.newPerson(fmt.Sprintf("p%d@example.test", i))
			in := s.newAttempt(p.ID, l.course.ID, 1)
			return s.try(func(ctx context.Context, tx ports.Tx) error {
				for _, record := range []any{p, in, s.newQuizAttempt(in, l.quizActivity, l.quiz, 1, true)} {
					if err := add(ctx, tx, record); err != nil {
						return err
					}
				}
				return nil
			})
		}) {
			is.NoErr(err)
		}
		for _, s := range schools {
			for _, row := range s.all().QuizScores {
				_, twice := ids.LoadOrStore(row.ID, true)
				is.True(!twice)
				is.True(row.ID > 0)
			}
			is.Equal(len(s.all().QuizScores), goroutines/2)
		}
	})

	t.Run("The id of a row never changes", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		r := w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 1, true)
		w.save(r)
		id := w.scoreID(r)
		is.NoErr(w.trySaveQuizAttempt(r))
		r.Answers = append(r.Answers, w.newAnswer(l.quiz, 3, false))
		is.NoErr(w.trySaveQuizAttempt(graded(r, l.quiz)))
		is.Equal(w.scoreID(r), id)
		w.save(w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 2, true)) // the next quiz attempt of the activity
		is.Equal(w.scoreID(r), id)
		w.unenroll(l.learner.ID, enrollment.Learner, l.course.ID)
		w.enroll(l.learner.ID, l.course.ID, enrollment.Learner)
		is.Equal(w.scoreID(r), id)
	})

	t.Run("Scores are listed with the current names, whether or not the person is enrolled", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		r := w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 1, true)
		w.save(r)
		is.Equal(w.unenroll(l.learner.ID, enrollment.Learner, l.course.ID), 1)
		p := l.learner
		p.FirstName, p.Email = "Augusta", "augusta@example.test"
		is.NoErr(w.trySavePerson(p))
		is.Equal(diff(w.all().QuizScores, []analytics.QuizScore{l.scoreOf(r, p)}), "")
	})
}

// scoreID returns the id of the score of r's course attempt and activity.
func (s tenant) scoreID(r quizattempt.State) int64 {
	s.t.Helper()
	return find(s.all().QuizScores, func(row analytics.QuizScore) bool {
		return row.CourseAttempt == r.CourseAttempt && row.Activity == r.Activity
	}).ID
}

// rawAnswers tests ports.RawAnswers.
func rawAnswers(t *testing.T, b Backend) {
	t.Run("Every answer of every quiz attempt is listed with the current names, whether or not the person is enrolled", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		first, second := w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 1, true, false, true), w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 2, false)
		w.save(first, second)
		want := func(p person.State) []analytics.RawAnswer {
			var rows []analytics.RawAnswer
			for _, r := range []quizattempt.State{first, second} {
				for _, g := range r.Answers {
					rows = append(rows, analytics.RawAnswer{
						QuizAttempt: r.ID, Answer: g, Position: g.Position, Person: p.ID, Course: l.course.ID, CourseAttemptNumber: 1,
						Activity: l.quizActivity.ID, Quiz: l.quiz.ID, PersonName: p.FullName(), PersonEmail: p.Email,
						CourseName: l.course.Name, QuizName: l.quiz.Name, ActivityTitle: l.quizActivity.Title,
						QuestionText: l.quiz.Questions[g.Position.Number-1].Text,
					})
				}
			}
			slices.SortFunc(rows, func(a, b analytics.RawAnswer) int { return b.Answer.At.Compare(a.Answer.At) })
			return rows
		}
		is.Equal(diff(w.all().RawAnswers, want(l.learner)), "")

		second.Answers = []quizattempt.Answer{w.newAnswer(l.quiz, 1, true), w.newAnswer(l.quiz, 2, true)} // a new first answer
		is.NoErr(w.trySaveQuizAttempt(graded(second, l.quiz)))
		w.unenroll(l.learner.ID, enrollment.Learner, l.course.ID)
		p := l.learner
		p.FirstName, p.LastName = "", ""
		is.NoErr(w.trySavePerson(p))
		is.Equal(diff(w.all().RawAnswers, want(p)), "")
	})
}

// courseAnalytics tests ports.CourseAnalytics.
func courseAnalytics(t *testing.T, b Backend) {
	t.Run("Each enrollment as learner has a row for each attempt, or one row without an attempt", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l := newCourseFixture(w.tenant, "one")
		idle, boss := w.addPerson("idle@example.test"), w.addPerson("boss@example.test")
		again := w.addAttempt(l.learner.ID, l.course.ID, 2)
		enrolled := w.enroll(idle.ID, l.course.ID, enrollment.Learner)
		w.enroll(boss.ID, l.course.ID, enrollment.Manager)
		w.addAttempt(boss.ID, l.course.ID, 1) // boss is not a learner
		row := func(e enrollment.Enrollment, p person.State) analytics.CourseProgress {
			return analytics.CourseProgress{
				Person: p.ID, Course: l.course.ID, EnrolledAt: e.CreatedAt,
				PersonName: p.FullName(), PersonEmail: p.Email, CourseName: l.course.Name,
			}
		}
		none, one, two := row(enrolled, idle), row(l.enrollment, l.learner), row(l.enrollment, l.learner)
		one.Attempt, two.Attempt = l.attempt.ID, again.ID
		is.Equal(diff(w.all().CourseAnalytics, []analytics.CourseProgress{none, one, two}), "")

		at := w.nextTime()
		again.Progress, again.LastCompletedAt = 3333, &at
		is.NoErr(w.trySaveAttempt(again))
		two.Progress, two.LastActivityCompletedAt = 3333, &at
		is.Equal(diff(w.all().CourseAnalytics, []analytics.CourseProgress{none, one, two}), "")

		p := l.learner
		p.FirstName, p.LastName, p.Email = "", "", "augusta@example.test"
		is.NoErr(w.trySavePerson(p))
		for _, r := range []*analytics.CourseProgress{&one, &two} {
			r.PersonName, r.PersonEmail = p.Email, p.Email
		}
		is.Equal(diff(w.all().CourseAnalytics, []analytics.CourseProgress{none, one, two}), "")

		is.Equal(w.unenroll(p.ID, enrollment.Learner, l.course.ID), 1)
		is.Equal(diff(w.all().CourseAnalytics, []analytics.CourseProgress{none}), "")
		e := w.enroll(p.ID, l.course.ID, enrollment.Learner) // the earlier attempts are listed again
		one.EnrolledAt, two.EnrolledAt = e.CreatedAt, e.CreatedAt
		is.Equal(diff(w.all().CourseAnalytics, []analytics.CourseProgress{one, two, none}), "")
	})
}

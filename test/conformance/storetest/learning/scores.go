package learning

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
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/conformance/storetest/lists"
)

// QuizScores tests the list of quiz scores: which rows it has, their ids, and the names in them.
func QuizScores(t *testing.T, b fixture.Backend) {
	t.Run("Each course attempt and quiz activity has a row with the score of the latest quiz attempt", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		is.Equal(len(w.All().QuizScores), 0)
		third, second := w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 3, true, false, true), w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 2, false)
		w.Save(third)
		is.Equal(fixture.Diff(w.All().QuizScores, []analytics.QuizScore{l.ScoreOf(third, l.Learner)}), "")
		w.Save(second) // saved later, but with a lower number
		is.Equal(fixture.Diff(w.All().QuizScores, []analytics.QuizScore{l.ScoreOf(third, l.Learner)}), "")
		fourth := w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 4, false)
		w.Save(fourth)
		is.Equal(fixture.Diff(w.All().QuizScores, []analytics.QuizScore{l.ScoreOf(fourth, l.Learner)}), "")
		fourth.Answers = append(fourth.Answers, w.NewAnswer(l.Quiz, 2, true))
		fourth = fixture.Graded(fourth, l.Quiz)
		is.NoErr(w.TrySaveQuizAttempt(fourth))
		is.Equal(fixture.Diff(w.All().QuizScores, []analytics.QuizScore{l.ScoreOf(fourth, l.Learner)}), "")

		twice := w.NewActivity(l.Course.ID, "Twice", activity.QuizContent(l.Quiz.ID))
		retake := w.NewAttempt(l.Learner.ID, l.Course.ID, 2)
		w.Save(twice, retake, w.NewQuizAttempt(l.Attempt, twice, l.Quiz, 1, true), w.NewQuizAttempt(retake, l.QuizActivity, l.Quiz, 1, true))
		is.Equal(len(w.All().QuizScores), 3)
	})

	t.Run("The id of a row is greater than all earlier ids in the store", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		schools := []fixture.Tenant{w.Tenant, fixture.NewTenant(t, b, "Second")}
		lessons := []fixture.CourseFixture{fixture.NewCourseFixture(schools[0], "one"), fixture.NewCourseFixture(schools[1], "two")}
		last := int64(0)
		for i := range 8 {
			s, l := schools[i%2], lessons[i%2]
			in := l.AddLearner(s, fmt.Sprintf("p%d@example.test", i))
			r := s.NewQuizAttempt(in, l.QuizActivity, l.Quiz, 1, true)
			s.Save(r)
			id := scoreID(s, r)
			is.True(id > last)
			last = id
			if i == 5 { // the store must not reuse the largest id after its row is deleted
				is.NoErr(s.DeletePerson(in.Person))
			}
		}
	})

	t.Run("Ids generated concurrently are different", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		schools := []fixture.Tenant{w.Tenant, fixture.NewTenant(t, b, "Second")}
		lessons := []fixture.CourseFixture{fixture.NewCourseFixture(schools[0], "one"), fixture.NewCourseFixture(schools[1], "two")}
		var ids sync.Map
		for _, err := range fixture.AtOnce(func(i int) error {
			s, l := schools[i%2], lessons[i%2]
			p := s.NewPerson(fmt.Sprintf("p%d@example.test", i))
			in := s.NewAttempt(p.ID, l.Course.ID, 1)
			return s.Try(func(ctx context.Context, tx ports.Tx) error {
				for _, record := range []any{p, in, s.NewQuizAttempt(in, l.QuizActivity, l.Quiz, 1, true)} {
					if err := fixture.Add(ctx, tx, record); err != nil {
						return err
					}
				}
				return nil
			})
		}) {
			is.NoErr(err)
		}
		for _, s := range schools {
			for _, row := range s.All().QuizScores {
				_, twice := ids.LoadOrStore(row.ID, true)
				is.True(!twice)
				is.True(row.ID > 0)
			}
			is.Equal(len(s.All().QuizScores), fixture.Goroutines/2)
		}
	})

	t.Run("The id of a row never changes", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		r := w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 1, true)
		w.Save(r)
		id := scoreID(w.Tenant, r)
		is.NoErr(w.TrySaveQuizAttempt(r))
		r.Answers = append(r.Answers, w.NewAnswer(l.Quiz, 3, false))
		is.NoErr(w.TrySaveQuizAttempt(fixture.Graded(r, l.Quiz)))
		is.Equal(scoreID(w.Tenant, r), id)
		w.Save(w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 2, true)) // the next quiz attempt of the activity
		is.Equal(scoreID(w.Tenant, r), id)
		w.Unenroll(l.Learner.ID, enrollment.Learner, l.Course.ID)
		w.Enroll(l.Learner.ID, l.Course.ID, enrollment.Learner)
		is.Equal(scoreID(w.Tenant, r), id)
	})

	t.Run("Scores are listed with the current names, whether or not the person is enrolled", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		r := w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 1, true)
		w.Save(r)
		is.Equal(w.Unenroll(l.Learner.ID, enrollment.Learner, l.Course.ID), 1)
		p := l.Learner
		p.FirstName, p.Email = "Augusta", "augusta@example.test"
		is.NoErr(w.TrySavePerson(p))
		is.Equal(fixture.Diff(w.All().QuizScores, []analytics.QuizScore{l.ScoreOf(r, p)}), "")
	})
}

// scoreID returns the id of the score of r's course attempt and activity.
func scoreID(s fixture.Tenant, r quizattempt.State) int64 {
	s.T.Helper()
	return lists.Find(s.All().QuizScores, func(row analytics.QuizScore) bool {
		return row.CourseAttempt == r.CourseAttempt && row.Activity == r.Activity
	}).ID
}

// RawAnswers tests ports.RawAnswers.
func RawAnswers(t *testing.T, b fixture.Backend) {
	t.Run("Every answer of every quiz attempt is listed with the current names, whether or not the person is enrolled", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		first, second := w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 1, true, false, true), w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 2, false)
		w.Save(first, second)
		want := func(p person.State) []analytics.RawAnswer {
			var rows []analytics.RawAnswer
			for _, r := range []quizattempt.State{first, second} {
				for _, g := range r.Answers {
					rows = append(rows, analytics.RawAnswer{
						QuizAttempt: r.ID, Answer: g, Position: g.Position, Person: p.ID, Course: l.Course.ID, CourseAttemptNumber: 1,
						Activity: l.QuizActivity.ID, Quiz: l.Quiz.ID, PersonName: p.FullName(), PersonEmail: p.Email,
						CourseName: l.Course.Name, QuizName: l.Quiz.Name, ActivityTitle: l.QuizActivity.Title,
						QuestionText: l.Quiz.Questions[g.Position.Number-1].Text,
					})
				}
			}
			slices.SortFunc(rows, func(a, b analytics.RawAnswer) int { return b.Answer.At.Compare(a.Answer.At) })
			return rows
		}
		is.Equal(fixture.Diff(w.All().RawAnswers, want(l.Learner)), "")

		second.Answers = []quizattempt.Answer{w.NewAnswer(l.Quiz, 1, true), w.NewAnswer(l.Quiz, 2, true)} // a new first answer
		is.NoErr(w.TrySaveQuizAttempt(fixture.Graded(second, l.Quiz)))
		w.Unenroll(l.Learner.ID, enrollment.Learner, l.Course.ID)
		p := l.Learner
		p.FirstName, p.LastName = "", ""
		is.NoErr(w.TrySavePerson(p))
		is.Equal(fixture.Diff(w.All().RawAnswers, want(p)), "")
	})
}

// CourseAnalytics tests ports.CourseAnalytics.
func CourseAnalytics(t *testing.T, b fixture.Backend) {
	t.Run("Each enrollment as learner has a row for each attempt, or one row without an attempt", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l := fixture.NewCourseFixture(w.Tenant, "one")
		idle, boss := w.AddPerson("idle@example.test"), w.AddPerson("boss@example.test")
		again := w.AddAttempt(l.Learner.ID, l.Course.ID, 2)
		enrolled := w.Enroll(idle.ID, l.Course.ID, enrollment.Learner)
		w.Enroll(boss.ID, l.Course.ID, enrollment.Manager)
		w.AddAttempt(boss.ID, l.Course.ID, 1) // boss is not a learner
		row := func(e enrollment.Enrollment, p person.State) analytics.CourseProgress {
			return analytics.CourseProgress{
				Person: p.ID, Course: l.Course.ID, EnrolledAt: e.CreatedAt,
				PersonName: p.FullName(), PersonEmail: p.Email, CourseName: l.Course.Name,
			}
		}
		none, one, two := row(enrolled, idle), row(l.Enrollment, l.Learner), row(l.Enrollment, l.Learner)
		one.Attempt, two.Attempt = l.Attempt.ID, again.ID
		is.Equal(fixture.Diff(w.All().CourseAnalytics, []analytics.CourseProgress{none, one, two}), "")

		at := w.NextTime()
		again.Progress, again.LastCompletedAt = 3333, &at
		is.NoErr(w.TrySaveAttempt(again))
		two.Progress, two.LastActivityCompletedAt = 3333, &at
		is.Equal(fixture.Diff(w.All().CourseAnalytics, []analytics.CourseProgress{none, one, two}), "")

		p := l.Learner
		p.FirstName, p.LastName, p.Email = "", "", "augusta@example.test"
		is.NoErr(w.TrySavePerson(p))
		for _, r := range []*analytics.CourseProgress{&one, &two} {
			r.PersonName, r.PersonEmail = p.Email, p.Email
		}
		is.Equal(fixture.Diff(w.All().CourseAnalytics, []analytics.CourseProgress{none, one, two}), "")

		is.Equal(w.Unenroll(p.ID, enrollment.Learner, l.Course.ID), 1)
		is.Equal(fixture.Diff(w.All().CourseAnalytics, []analytics.CourseProgress{none}), "")
		e := w.Enroll(p.ID, l.Course.ID, enrollment.Learner) // the earlier attempts are listed again
		one.EnrolledAt, two.EnrolledAt = e.CreatedAt, e.CreatedAt
		is.Equal(fixture.Diff(w.All().CourseAnalytics, []analytics.CourseProgress{one, two, none}), "")
	})
}

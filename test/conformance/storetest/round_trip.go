package storetest

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/group"
	"lyceum/domain/job"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/school"
	"lyceum/domain/submission"
)

// roundTrip tests that texts, instants and ids are read as they were written. Instants are in UTC
// and in whole milliseconds.
func roundTrip(t *testing.T, b Backend) {
	t.Run("Instants", func(t *testing.T) {
		for _, at := range []time.Time{
			time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC),
			time.Date(1582, 10, 10, 12, 0, 0, 0, time.UTC),
			time.Date(1969, 12, 31, 23, 59, 59, 999_000_000, time.UTC),
			time.Unix(0, 0).UTC(),
			time.Date(2024, 2, 29, 23, 59, 59, 1_000_000, time.UTC),
			time.Date(2026, 3, 29, 1, 30, 0, 0, time.UTC), // some time zones skip this time; the next one occurs twice in some
			time.Date(2026, 10, 25, 1, 30, 0, 10_000_000, time.UTC),
			time.Date(9999, 12, 31, 23, 59, 59, 999_000_000, time.UTC),
		} {
			t.Run(at.Format(time.RFC3339Nano), func(t *testing.T) {
				w := newWorld(t, b)
				w.checkRoundTrip("x", at, w.ids.New)
			})
		}
	})

	t.Run("Identifiers", func(t *testing.T) {
		for _, first := range []string{
			"00000000-0000-0000-0000-000000000001", "7fffffff-ffff-ffff-ffff-ffffffffffff",
			"80000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
		} {
			t.Run(first, func(t *testing.T) {
				w := newWorld(t, b)
				id := uuid.MustParse(first)
				w.checkRoundTrip("x", w.nextTime(), func() uuid.UUID { return id }) // records of all kinds have the same id
			})
		}
	})

	t.Run("Texts", func(t *testing.T) {
		for i, text := range hostileTexts {
			if testing.Short() && i%4 != 0 {
				continue
			}
			t.Run(firstOf(text, 20), func(t *testing.T) {
				w := newWorld(t, b)
				w.checkRoundTrip(text, w.nextTime(), w.ids.New)
			})
		}
	})
}

// checkRoundTrip saves a record of each kind and checks that the store returns equal records. All
// texts in the records are made from text. All times are at, and all ids come from id.
func (w world) checkRoundTrip(text string, at time.Time, id func() uuid.UUID) {
	w.t.Helper()
	is := is.New(w.t)
	c := category.State{ID: category.ID{UUID: id()}, Name: text, CreatedAt: at, UpdatedAt: at}
	p := person.State{
		ID: person.ID{UUID: id()}, Email: firstOf(text, 240) + "@Example.test", FirstName: text, LastName: text,
		AvatarURL: &text, ActivatedAt: &at, Properties: valuesWith(text), CreatedAt: at, UpdatedAt: at,
	}
	part := person.Partnership{ID: person.PartnershipID{UUID: id()}, Person: p.ID, Role: person.Owner, CreatedAt: at}
	made := course.State{
		ID: course.ID{UUID: id()}, Name: text, Permalink: "permalink", EnrollToken: "da39a3ee5e6b4b0d3255bfef95601890afd80709",
		Categories: []category.ID{c.ID}, Instructors: []person.PartnershipID{part.ID}, CreatedAt: at, UpdatedAt: at,
		Properties: valuesWith(text),
	}
	e := enrollment.Enrollment{
		ID: enrollment.ID{UUID: id()}, Person: p.ID, Course: made.ID, Role: enrollment.Learner, CreatedAt: at, UpdatedAt: at,
	}
	g := group.State{
		ID: group.ID{UUID: id()}, Name: text, EnrollToken: made.EnrollToken, CreatedAt: at, UpdatedAt: at,
		Properties: valuesWith(text),
	}
	m := membership.Membership{
		ID: membership.ID{UUID: id()}, Person: p.ID, Group: g.ID, Role: membership.Member, CreatedAt: at, UpdatedAt: at,
	}
	day := dayOf(at)
	reduced := coupon.State{
		ID: coupon.ID{UUID: id()}, Code: text, Currency: "EUR", Enabled: true, StartOn: day, EndOn: &day,
		Format: coupon.Percentage, Value: w.amount("12.3456"), UsagesCount: 1, MaximumUsages: coupon.MaxUsages,
		CreatedAt: at, UpdatedAt: at,
	}
	fill(w.t, &c, text, at)
	fill(w.t, &p, text, at)
	fill(w.t, &part, text, at)
	fill(w.t, &made, text, at)
	fill(w.t, &e, text, at)
	fill(w.t, &g, text, at)
	fill(w.t, &m, text, at)
	fill(w.t, &reduced, text, at)
	l := courseFixture{course: made, learner: p, enrollment: e}
	l.fillCoursework(text, at, id)
	fill(w.t, &l.quiz, text, at)
	fill(w.t, &l.assignment, text, at)
	fill(w.t, &l.quizActivity, text, at, "Content", "ArchivedAt") // the content is set; the activity is not archived
	fill(w.t, &l.attempt, text, at)
	run := quizattempt.State{
		ID: quizattempt.ID{UUID: id()}, Person: p.ID, Course: made.ID, CourseAttempt: l.attempt.ID, CourseAttemptNumber: 1,
		Activity: l.quizActivity.ID, Quiz: l.quiz.ID, Number: 1, StartedAt: at, Answers: []quizattempt.Answer{{
			Question: l.quiz.Questions[0].ID, Position: quiz.Position{Number: 1, Total: 1}, Response: text, Correct: true, At: at,
		}},
		// The score that grading computes.
		Score: quizattempt.Score{Answered: 1, Correct: 1, Total: 1, LastAnsweredAt: at},
	}
	submitted := submission.Submission{
		ID: submission.ID{UUID: id()}, Assignment: l.assignment.ID, Activity: l.quizActivity.ID, Course: made.ID, Person: p.ID,
		CourseAttempt: l.attempt.ID, File: submission.File{Name: text, MediaType: text, Size: 1}, CreatedAt: at,
	}
	viewed := event.NewView(p.ID, l.quizActivity.ID)
	viewed.CreatedAt = at
	fill(w.t, &submitted, text, at)
	fill(w.t, &run, text, at)
	shownRun := analytics.NewQuizAttempt(run)
	shownRun.PersonName, shownRun.PersonEmail, shownRun.CourseName = p.FullName(), p.Email, text
	shownRun.QuizName, shownRun.ActivityTitle = text, text
	want := everything{
		School: w.all().School, Categories: []category.State{c}, Courses: []course.Summary{{State: made, EnrollmentsCount: 1}},
		People:       []person.Summary{{State: p, CourseCount: 1, GroupCount: 1, Partnerships: []person.PartnershipID{part.ID}}},
		Partnerships: []person.Partnership{part},
		Enrollments:  []enrollment.Summary{{Enrollment: e, Progress: &l.attempt.Progress}},
		Groups:       []group.Summary{{State: g, MembershipCount: 1}},
		Memberships:  []membership.Membership{m},
		Coupons:      []coupon.State{reduced},
		Activities:   []activity.State{l.quizActivity.WithoutText()},
		Quizzes: []quiz.Summary{{
			ID: l.quiz.ID, Name: text, Activities: []activity.ID{l.quizActivity.ID}, CreatedAt: at, UpdatedAt: at,
		}},
		Assignments: []assignment.State{l.assignment},
		Submissions: []submission.Summary{l.summaryBy(submitted, p)},
		Events:      []event.Event{viewed},
		CourseAnalytics: []analytics.CourseProgress{{
			Person: p.ID, Course: made.ID, Attempt: l.attempt.ID, EnrolledAt: at, LastActivityCompletedAt: &at, Progress: 3333,
			PersonName: p.FullName(), PersonEmail: p.Email, CourseName: text,
		}},
		QuizScores: []analytics.QuizScore{l.scoreOf(run, p)},
		RawAnswers: []analytics.RawAnswer{{
			QuizAttempt: run.ID, Answer: run.Answers[0], Position: run.Answers[0].Position, Person: p.ID, Course: made.ID,
			CourseAttemptNumber: 1, Activity: l.quizActivity.ID,
			Quiz: l.quiz.ID, PersonName: p.FullName(), PersonEmail: p.Email, CourseName: text, QuizName: text,
			ActivityTitle: text, QuestionText: text,
		}},
		QuizAttempts: []analytics.QuizAttempt{shownRun},
	}
	w.save(c, p, part, made, e, g, groupCourse{g.ID, made.ID}, m, reduced)
	w.save(l.quiz, l.assignment, l.quizActivity, l.attempt, run, submitted, viewed)
	is.Equal(diff(w.all(), want), "")
	began, err := w.latest(p.ID, made.ID)
	is.NoErr(err)
	is.Equal(diff(began, l.attempt), "")
	ran, err := w.latestQuizAttempt(l.attempt.ID, l.quizActivity.ID)
	is.NoErr(err)
	is.Equal(diff(ran, run), "")
	loaded, err := w.coursesForShare(made.ID)
	is.NoErr(err)
	is.Equal(diff(loaded[made.ID], made), "")
	is.Equal(diff(w.partnershipsOf(p.ID), []person.Partnership{part}), "")
	is.Equal(w.coursesOf(g.ID), []course.ID{made.ID})
	is.Equal(w.membersOf(g.ID), []person.ID{p.ID})
	found, err := w.personForUpdate(p.ID)
	is.NoErr(err)
	is.Equal(diff(found, p), "")
	grouped, err := w.groupForUpdate(g.ID)
	is.NoErr(err)
	is.Equal(diff(grouped, g), "")
	usable, err := w.couponForUpdate(reduced.ID)
	is.NoErr(err)
	is.Equal(diff(usable, reduced), "")
	w.checkJobRoundTrip(text, at)

	s := newSchool(text)
	s.CreatedAt, s.UpdatedAt, s.Properties = at, at, valuesWith(text)
	fill(w.t, &s, text, at)
	is.NoErr(addSchool(w.ctx(), w.loader, school.Restore(s)))
	k := w.newKey(0)
	k.School, k.Name, k.CreatedAt, k.LastUsed, k.RevokedAt, k.ExpiresAt = s.ID, text, at, &at, &at, &at
	fill(w.t, &k, text, at)
	is.NoErr(w.tryAddKey(k))
	key, owner, err := w.schools.KeyByHash(w.ctx(), k.Hash)
	is.NoErr(err)
	is.Equal(diff(key, k), "")
	is.Equal(diff(owner.State(), s), "")

	w.sharesNothing(
		[]any{
			want, began, ran, loaded[made.ID], found, grouped, usable, key, owner.State(),
			c, p, part, made, e, g, m, reduced, l.quiz, l.assignment, l.quizActivity, l.attempt, run, submitted, viewed, s, k,
		},
		func() []any {
			found, errPerson := w.personForUpdate(p.ID)
			usable, errCoupon := w.couponForUpdate(reduced.ID)
			loaded, errCourse := w.coursesForShare(made.ID)
			began, errAttempt := w.latest(p.ID, made.ID)
			ran, errRun := w.latestQuizAttempt(l.attempt.ID, l.quizActivity.ID)
			key, owner, errKey := w.schools.KeyByHash(w.ctx(), k.Hash)
			is.NoErr(errors.Join(errPerson, errCoupon, errCourse, errAttempt, errRun, errKey))
			return []any{w.all(), found, usable, loaded[made.ID], began, ran, key, owner.State()}
		},
	)
}

// valuesWith returns values of two properties: one with the given text and one with another text.
func valuesWith(text string) property.Values {
	return property.NewValues(append(texts("text", text).All(), everyKind.All()[0])...)
}

// sharesNothing tests that the store copies records. It calls read and overwrites the targets of
// pointers and the elements of lists in its result and in passed, which contains arguments and
// results of the store. Then it calls read again, which must return the same as before. Because
// fill leaves no nil pointer, the test covers every attribute.
func (w world) sharesNothing(passed []any, read func() []any) {
	w.t.Helper()
	is := is.New(w.t)
	before := deepCopy(reflect.ValueOf(read())).Interface()
	for _, v := range append(passed, read()...) {
		overwrite(reflect.ValueOf(v))
	}
	is.Equal(diff(read(), before), "")
}

// fillCoursework sets the quiz, the assignment, the quiz activity and the attempt of the fixture. Their texts
// are made from text, their times are at, and their ids come from id.
func (l *courseFixture) fillCoursework(text string, at time.Time, id func() uuid.UUID) {
	l.quiz = quiz.State{
		ID: quiz.ID{UUID: id()}, Name: text, CreatedAt: at, UpdatedAt: at, Questions: []quiz.Question{{
			ID: quiz.QuestionID{UUID: id()}, Key: "question", Text: text, Choices: []quiz.Choice{{Text: text, Correct: true}, {Text: "x" + text}},
		}}, Archived: []quiz.Question{{
			// id may return the same id repeatedly, but the questions of a quiz need different ids.
			ID: quiz.QuestionID{UUID: uuid.NewSHA1(id(), []byte("archived"))}, Key: "archived", Text: text, Choices: []quiz.Choice{{Text: text}},
		}},
	}
	l.assignment = assignment.State{ID: assignment.ID{UUID: id()}, Title: text, CreatedAt: at, UpdatedAt: at}
	l.quizActivity = activity.State{
		ID: activity.ID{UUID: id()}, Course: l.course.ID, Slot: activity.Slot{Key: "test", Position: 1}, Title: text,
		Content:   activity.Content{Kind: activity.Quiz, Quiz: l.quiz.ID, Text: text},
		CreatedAt: at, UpdatedAt: at,
	}
	l.attempt = attempt.State{
		ID: attempt.ID{UUID: id()}, Person: l.learner.ID, Course: l.course.ID, Number: 1, Progress: 3333,
		LastCompletedAt: &at, StartedAt: at,
	}
}

// checkJobRoundTrip is like checkRoundTrip for a job. The id and the kind of the job are random
// because many tests share one queue.
func (w world) checkJobRoundTrip(text string, at time.Time) {
	w.t.Helper()
	is := is.New(w.t)
	want := job.New(job.ID{UUID: uuid.New()}, w.id, newKind(), text, at)
	want.LastError = text
	is.NoErr(w.tryAddJob(want))
	is.Equal(diff(w.jobs(want.Kind), []job.Job{want}), "")

	held := w.lease(want.Kind, 1, at, at) // a later instant might overflow
	is.Equal(len(held), 1)
	is.Equal(held[0].Payload, text)
	is.Equal(diff(held[0].RunAt, at), "")
	is.NoErr(w.queue.MarkDead(w.ctx(), held[0], text+"!"))
	dead := w.jobs(want.Kind)[0]
	is.Equal(dead.LastError, text+"!")
	is.Equal(diff(dead.CreatedAt, at), "")
}

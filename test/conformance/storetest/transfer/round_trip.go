package transfer

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
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/conformance/storetest/lists"
)

// RoundTrip tests that texts, instants and ids are read as they were written. Instants are in UTC
// and in whole milliseconds.
func RoundTrip(t *testing.T, b fixture.Backend) {
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
				w := fixture.NewWorld(t, b)
				checkRoundTrip(w, "x", at, w.IDs.New)
			})
		}
	})

	t.Run("Identifiers", func(t *testing.T) {
		for _, first := range []string{
			"00000000-0000-0000-0000-000000000001", "7fffffff-ffff-ffff-ffff-ffffffffffff",
			"80000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
		} {
			t.Run(first, func(t *testing.T) {
				w := fixture.NewWorld(t, b)
				id := uuid.MustParse(first)
				checkRoundTrip(w, "x", w.NextTime(), func() uuid.UUID { return id }) // records of all kinds have the same id
			})
		}
	})

	t.Run("Texts", func(t *testing.T) {
		for i, text := range lists.HostileTexts {
			if testing.Short() && i%4 != 0 {
				continue
			}
			t.Run(fixture.FirstOf(text, 20), func(t *testing.T) {
				w := fixture.NewWorld(t, b)
				checkRoundTrip(w, text, w.NextTime(), w.IDs.New)
			})
		}
	})
}

// checkRoundTrip saves a record of each kind and checks that the store returns equal records. All
// texts in the records are made from text. All times are at, and all ids come from id.
func checkRoundTrip(w fixture.World, text string, at time.Time, id func() uuid.UUID) {
	w.T.Helper()
	is := is.New(w.T)
	c := category.State{ID: category.ID{UUID: id()}, Name: text, CreatedAt: at, UpdatedAt: at}
	p := person.State{
		ID: person.ID{UUID: id()}, Email: fixture.FirstOf(text, 240) + "@Example.test", FirstName: text, LastName: text,
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
	day := fixture.DayOf(at)
	reduced := coupon.State{
		ID: coupon.ID{UUID: id()}, Code: text, Currency: "EUR", Enabled: true, StartOn: day, EndOn: &day,
		Format: coupon.Percentage, Value: w.Amount("12.3456"), UsagesCount: 1, MaximumUsages: coupon.MaxUsages,
		CreatedAt: at, UpdatedAt: at,
	}
	fill(w.T, &c, text, at)
	fill(w.T, &p, text, at)
	fill(w.T, &part, text, at)
	fill(w.T, &made, text, at)
	fill(w.T, &e, text, at)
	fill(w.T, &g, text, at)
	fill(w.T, &m, text, at)
	fill(w.T, &reduced, text, at)
	l := fixture.CourseFixture{Course: made, Learner: p, Enrollment: e}
	fillCoursework(&l, text, at, id)
	fill(w.T, &l.Quiz, text, at)
	fill(w.T, &l.Assignment, text, at)
	fill(w.T, &l.QuizActivity, text, at, "Content", "ArchivedAt") // the content is set; the activity is not archived
	fill(w.T, &l.Attempt, text, at)
	run := quizattempt.State{
		ID: quizattempt.ID{UUID: id()}, Person: p.ID, Course: made.ID, CourseAttempt: l.Attempt.ID, CourseAttemptNumber: 1,
		Activity: l.QuizActivity.ID, Quiz: l.Quiz.ID, Number: 1, StartedAt: at, Answers: []quizattempt.Answer{{
			Question: l.Quiz.Questions[0].ID, Position: quiz.Position{Number: 1, Total: 1}, Response: text, Correct: true, At: at,
		}},
		// The score that grading computes.
		Score: quizattempt.Score{Answered: 1, Correct: 1, Total: 1, LastAnsweredAt: at},
	}
	submitted := submission.Submission{
		ID: submission.ID{UUID: id()}, Assignment: l.Assignment.ID, Activity: l.QuizActivity.ID, Course: made.ID, Person: p.ID,
		CourseAttempt: l.Attempt.ID, File: submission.File{Name: text, MediaType: text, Size: 1}, CreatedAt: at,
	}
	viewed := event.NewView(p.ID, l.QuizActivity.ID)
	viewed.CreatedAt = at
	fill(w.T, &submitted, text, at)
	fill(w.T, &run, text, at)
	shownRun := analytics.NewQuizAttempt(run)
	shownRun.PersonName, shownRun.PersonEmail, shownRun.CourseName = p.FullName(), p.Email, text
	shownRun.QuizName, shownRun.ActivityTitle = text, text
	want := fixture.Everything{
		School: w.All().School, Categories: []category.State{c}, Courses: []course.Summary{{State: made, EnrollmentsCount: 1}},
		People:       []person.Summary{{State: p, CourseCount: 1, GroupCount: 1, Partnerships: []person.PartnershipID{part.ID}}},
		Partnerships: []person.Partnership{part},
		Enrollments:  []enrollment.Summary{{Enrollment: e, Progress: &l.Attempt.Progress}},
		Groups:       []group.Summary{{State: g, MembershipCount: 1}},
		Memberships:  []membership.Membership{m},
		Coupons:      []coupon.State{reduced},
		Activities:   []activity.State{l.QuizActivity.WithoutText()},
		Quizzes: []quiz.Summary{{
			ID: l.Quiz.ID, Name: text, Activities: []activity.ID{l.QuizActivity.ID}, CreatedAt: at, UpdatedAt: at,
		}},
		Assignments: []assignment.State{l.Assignment},
		Submissions: []submission.Summary{l.SummaryBy(submitted, p)},
		Events:      []event.Event{viewed},
		CourseAnalytics: []analytics.CourseProgress{{
			Person: p.ID, Course: made.ID, Attempt: l.Attempt.ID, EnrolledAt: at, LastActivityCompletedAt: &at, Progress: 3333,
			PersonName: p.FullName(), PersonEmail: p.Email, CourseName: text,
		}},
		QuizScores: []analytics.QuizScore{l.ScoreOf(run, p)},
		RawAnswers: []analytics.RawAnswer{{
			QuizAttempt: run.ID, Answer: run.Answers[0], Position: run.Answers[0].Position, Person: p.ID, Course: made.ID,
			CourseAttemptNumber: 1, Activity: l.QuizActivity.ID,
			Quiz: l.Quiz.ID, PersonName: p.FullName(), PersonEmail: p.Email, CourseName: text, QuizName: text,
			ActivityTitle: text, QuestionText: text,
		}},
		QuizAttempts: []analytics.QuizAttempt{shownRun},
	}
	w.Save(c, p, part, made, e, g, fixture.GroupCourse{Group: g.ID, Course: made.ID}, m, reduced)
	w.Save(l.Quiz, l.Assignment, l.QuizActivity, l.Attempt, run, submitted, viewed)
	is.Equal(fixture.Diff(w.All(), want), "")
	began, err := w.Latest(p.ID, made.ID)
	is.NoErr(err)
	is.Equal(fixture.Diff(began, l.Attempt), "")
	ran, err := w.LatestQuizAttempt(l.Attempt.ID, l.QuizActivity.ID)
	is.NoErr(err)
	is.Equal(fixture.Diff(ran, run), "")
	loaded, err := w.CoursesForShare(made.ID)
	is.NoErr(err)
	is.Equal(fixture.Diff(loaded[made.ID], made), "")
	is.Equal(fixture.Diff(w.PartnershipsOf(p.ID), []person.Partnership{part}), "")
	is.Equal(w.CoursesOf(g.ID), []course.ID{made.ID})
	is.Equal(w.MembersOf(g.ID), []person.ID{p.ID})
	found, err := w.PersonForUpdate(p.ID)
	is.NoErr(err)
	is.Equal(fixture.Diff(found, p), "")
	grouped, err := w.GroupForUpdate(g.ID)
	is.NoErr(err)
	is.Equal(fixture.Diff(grouped, g), "")
	usable, err := w.CouponForUpdate(reduced.ID)
	is.NoErr(err)
	is.Equal(fixture.Diff(usable, reduced), "")
	checkJobRoundTrip(w, text, at)

	s := fixture.NewSchool(text)
	s.CreatedAt, s.UpdatedAt, s.Properties = at, at, valuesWith(text)
	fill(w.T, &s, text, at)
	is.NoErr(fixture.AddSchool(w.Context(), w.Loader, school.Restore(s)))
	k := w.NewKey(0)
	k.School, k.Name, k.CreatedAt, k.LastUsed, k.RevokedAt, k.ExpiresAt = s.ID, text, at, &at, &at, &at
	fill(w.T, &k, text, at)
	is.NoErr(w.TryAddKey(k))
	key, owner, err := w.Schools.KeyByHash(w.Context(), k.Hash)
	is.NoErr(err)
	is.Equal(fixture.Diff(key, k), "")
	is.Equal(fixture.Diff(owner.State(), s), "")

	sharesNothing(w,
		[]any{
			want, began, ran, loaded[made.ID], found, grouped, usable, key, owner.State(),
			c, p, part, made, e, g, m, reduced, l.Quiz, l.Assignment, l.QuizActivity, l.Attempt, run, submitted, viewed, s, k,
		},
		func() []any {
			found, errPerson := w.PersonForUpdate(p.ID)
			usable, errCoupon := w.CouponForUpdate(reduced.ID)
			loaded, errCourse := w.CoursesForShare(made.ID)
			began, errAttempt := w.Latest(p.ID, made.ID)
			ran, errRun := w.LatestQuizAttempt(l.Attempt.ID, l.QuizActivity.ID)
			key, owner, errKey := w.Schools.KeyByHash(w.Context(), k.Hash)
			is.NoErr(errors.Join(errPerson, errCoupon, errCourse, errAttempt, errRun, errKey))
			return []any{w.All(), found, usable, loaded[made.ID], began, ran, key, owner.State()}
		},
	)
}

// valuesWith returns values of two properties: one with the given text and one with another text.
func valuesWith(text string) property.Values {
	return property.NewValues(append(fixture.Texts("text", text).All(), fixture.EveryKind.All()[0])...)
}

// sharesNothing tests that the store copies records. It calls read and overwrites the targets of
// pointers and the elements of lists in its result and in passed, which contains arguments and
// results of the store. Then it calls read again, which must return the same as before. Because
// fill leaves no nil pointer, the test covers every attribute.
func sharesNothing(w fixture.World, passed []any, read func() []any) {
	w.T.Helper()
	is := is.New(w.T)
	before := fixture.DeepCopy(reflect.ValueOf(read())).Interface()
	for _, v := range append(passed, read()...) {
		fixture.Overwrite(reflect.ValueOf(v))
	}
	is.Equal(fixture.Diff(read(), before), "")
}

// fillCoursework sets the quiz, the assignment, the quiz activity and the attempt of the fixture.
// Their texts are made from text, their times are at, and their ids come from id.
func fillCoursework(l *fixture.CourseFixture, text string, at time.Time, id func() uuid.UUID) {
	l.Quiz = quiz.State{
		ID: quiz.ID{UUID: id()}, Name: text, CreatedAt: at, UpdatedAt: at, Questions: []quiz.Question{{
			ID: quiz.QuestionID{UUID: id()}, Key: "question", Text: text, Choices: []quiz.Choice{{Text: text, Correct: true}, {Text: "x" + text}},
		}}, Archived: []quiz.Question{{
			// id may return the same id repeatedly, but the questions of a quiz need different ids.
			ID: quiz.QuestionID{UUID: uuid.NewSHA1(id(), []byte("archived"))}, Key: "archived", Text: text, Choices: []quiz.Choice{{Text: text}},
		}},
	}
	l.Assignment = assignment.State{ID: assignment.ID{UUID: id()}, Title: text, CreatedAt: at, UpdatedAt: at}
	l.QuizActivity = activity.State{
		ID: activity.ID{UUID: id()}, Course: l.Course.ID, Slot: activity.Slot{Key: "test", Position: 1}, Title: text,
		Content:   activity.Content{Kind: activity.Quiz, Quiz: l.Quiz.ID, Text: text},
		CreatedAt: at, UpdatedAt: at,
	}
	l.Attempt = attempt.State{
		ID: attempt.ID{UUID: id()}, Person: l.Learner.ID, Course: l.Course.ID, Number: 1, Progress: 3333,
		LastCompletedAt: &at, StartedAt: at,
	}
}

// checkJobRoundTrip is like checkRoundTrip for a job. The id and the kind of the job are random
// because many tests share one queue.
func checkJobRoundTrip(w fixture.World, text string, at time.Time) {
	w.T.Helper()
	is := is.New(w.T)
	want := job.New(job.ID{UUID: uuid.New()}, w.ID, fixture.NewKind(), text, at)
	want.LastError = text
	is.NoErr(w.TryAddJob(want))
	is.Equal(fixture.Diff(w.Jobs(want.Kind), []job.Job{want}), "")

	held := w.Lease(want.Kind, 1, at, at) // a later instant might overflow
	is.Equal(len(held), 1)
	is.Equal(held[0].Payload, text)
	is.Equal(fixture.Diff(held[0].RunAt, at), "")
	is.NoErr(w.Queue.MarkDead(w.Context(), held[0], text+"!"))
	dead := w.Jobs(want.Kind)[0]
	is.Equal(dead.LastError, text+"!")
	is.Equal(fixture.Diff(dead.CreatedAt, at), "")
}

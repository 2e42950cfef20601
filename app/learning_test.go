package app_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/app/learning"
	"lyceum/domain/activity"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
)

// deeds returns all actions of a learner on an activity, by name.
func (c *classroom) deeds() map[string]func(p person.ID, id activity.ID) error {
	return map[string]func(person.ID, activity.ID) error{
		"view":     func(p person.ID, id activity.ID) error { return c.Learning.View(c.ctx, c.actor, p, id) },
		"watch":    func(p person.ID, id activity.ID) error { return c.Learning.Watch(c.ctx, c.actor, p, id, 500_000) },
		"complete": func(p person.ID, id activity.ID) error { return c.Learning.Complete(c.ctx, c.actor, p, id) },
		"answer": func(p person.ID, id activity.ID) error {
			_, err := c.Learning.AnswerQuiz(c.ctx, c.actor, p, id, c.quiz, c.questions[0], []string{"Yes"})
			return err
		},
		"submit": func(p person.ID, id activity.ID) error {
			_, err := c.Learning.SubmitFor(c.ctx, c.actor, p, id, c.assignment, upload("a.txt", "a"))
			return err
		},
	}
}

func TestRecordRequiresEnrolledPersonAndActivity(t *testing.T) {
	for _, tc := range []struct {
		name string
		who  func(c *classroom) person.ID
		what func(c *classroom) activity.ID
		kind fault.Kind
	}{
		{"unknown person", func(*classroom) person.ID { return person.ID{UUID: uuid.New()} }, func(c *classroom) activity.ID { return c.text }, fault.NotFound},
		{"unknown activity", func(c *classroom) person.ID { return c.ada }, func(*classroom) activity.ID { return activity.ID{UUID: uuid.New()} }, fault.NotFound},
		{"person without an enrollment", func(c *classroom) person.ID { return c.bob }, func(c *classroom) activity.ID { return c.text }, fault.Invalid},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := newClassroom(t)
			for name, do := range c.deeds() {
				t.Run(name, func(t *testing.T) {
					is := is.New(t)
					f := firstFault(t, do(tc.who(c), tc.what(c)))
					is.Equal(f.Kind, tc.kind)
					if tc.kind == fault.Invalid {
						is.Equal(f.Field, "person")
					}
				})
			}
			is.New(t).Equal(c.rows(t)[0].Attempt.UUID, uuid.Nil) // no attempt was started
		})
	}
}

func TestRecordRequiresLearnerRole(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	is.NoErr(c.Enrollments.Enroll(c.ctx, c.actor, c.bob, []app.CourseRole{{Course: c.greek, Role: enrollment.Manager}}))
	is.True(fault.Is(c.Learning.View(c.ctx, c.actor, c.bob, c.text), fault.Invalid))
	is.True(fault.Is(c.Learning.Retake(c.ctx, c.actor, c.bob, c.greek), fault.Invalid))
}

func TestRecordRequiresKindOfActivity(t *testing.T) {
	c := newClassroom(t)
	for action, right := range map[string]activity.ID{"watch": c.video, "answer": c.test, "submit": c.essay} {
		for _, id := range []activity.ID{c.text, c.video, c.test, c.essay} {
			if id == right {
				continue
			}
			f := firstFault(t, c.deeds()[action](c.ada, id))
			is := is.New(t)
			is.Equal(f.Kind, fault.Invalid)
			is.Equal(f.Field, "activity")
		}
	}
	is.New(t).Equal(c.rows(t)[0].Attempt.UUID, uuid.Nil) // a refused action starts no attempt
}

func TestFirstActionStartsCourseAttempt(t *testing.T) {
	for name := range newClassroom(t).deeds() {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			c := newClassroom(t)
			id := map[string]activity.ID{"view": c.text, "watch": c.video, "complete": c.text, "answer": c.test, "submit": c.essay}[name]
			is.NoErr(c.deeds()[name](c.ada, id))
			first := c.rows(t)
			is.Equal(len(first), 1)
			is.True(first[0].Attempt.UUID != uuid.Nil)
			is.NoErr(c.deeds()[name](c.ada, id))
			is.Equal(c.rows(t)[0].Attempt, first[0].Attempt) // the second action uses the same attempt
		})
	}
}

func TestViewsAndWatchesAreInFeed(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	is.NoErr(c.Learning.View(c.ctx, c.actor, c.ada, c.text))
	is.NoErr(c.Learning.Watch(c.ctx, c.actor, c.ada, c.video, 500_000)) // at the same instant
	got, err := c.Events.List(c.ctx, c.actor, query.Query{})
	is.NoErr(err)
	is.Equal(len(got.Items), 2)
	is.Equal(got.Items[0].Kind, event.ViewedActivity)
	is.Equal(got.Items[0].CreatedAt, start)
	is.Equal(got.Items[1].Kind, event.ViewedVideo)
	is.Equal(got.Items[1].Watched.String(), "0.5")
	is.Equal(got.Items[1].CreatedAt, start.Add(time.Millisecond))
	is.Equal(c.rows(t)[0].Progress.String(), "0") // viewing does not complete
}

func TestCompletionIsCountedOnce(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	is.NoErr(c.complete(c.text))
	at := c.clock.Now()
	is.NoErr(c.complete(c.text)) // a minute later
	row := c.rows(t)[0]
	is.Equal(row.Progress.String(), "25")
	is.Equal(*row.LastActivityCompletedAt, at)
	is.NoErr(c.complete(c.video, c.test, c.essay))
	row = c.rows(t)[0]
	is.Equal(row.Progress.String(), "100")
	is.Equal(*row.LastActivityCompletedAt, c.clock.Now())
}

func TestActionsCompleteActivities(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	step := func(progress string, completes bool, err error) {
		t.Helper()
		is.Helper()
		is.NoErr(err)
		rows := c.rows(t)
		row := rows[len(rows)-1] // row of the latest attempt
		is.Equal(row.Progress.String(), progress)
		if completes {
			is.Equal(*row.LastActivityCompletedAt, c.clock.Now())
		} else if row.LastActivityCompletedAt != nil {
			is.True(row.LastActivityCompletedAt.Before(c.clock.Now()))
		}
		c.clock.Advance(time.Minute)
	}
	submit := func() error {
		_, err := c.Learning.Submit(c.ctx, c.actor, c.ada, c.essay, upload("a.txt", "a"))
		return err
	}
	watch := func(f event.Fraction) error { return c.Learning.Watch(c.ctx, c.actor, c.ada, c.video, f) }
	step("0", false, c.answer(1, "Yes"))
	step("25", true, c.answer(2, "No", "Never"))
	step("25", false, c.answer(1, "No")) // starts the next quiz attempt
	step("25", false, c.answer(2, "No", "Never"))
	step("50", true, submit())
	step("50", false, submit())
	step("50", false, watch(899_999))
	step("75", true, watch(900_000))
	step("75", false, watch(1_000_000))
	step("75", false, c.Learning.View(c.ctx, c.actor, c.ada, c.text))
	step("75", false, c.Learning.Complete(c.ctx, c.actor, c.ada, c.test)) // explicitly, again
	is.NoErr(c.Learning.Complete(c.ctx, c.actor, c.ada, c.text))
	is.NoErr(c.Learning.Retake(c.ctx, c.actor, c.ada, c.greek))
	step("0", false, nil)
	step("25", true, watch(1_000_000)) // each course attempt has its own completions
}

func TestEventsOfABatchCompleteActivitiesOnce(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	is.NoErr(c.Enrollments.Enroll(c.ctx, c.actor, c.bob, []app.CourseRole{{Course: c.greek, Role: enrollment.Learner}}))
	watched := func(p person.ID, f event.Fraction, id string) learning.EventReport {
		return learning.EventReport{Kind: event.ViewedVideo, Person: p, Activity: c.video, Watched: f, ClientID: id}
	}
	all := []learning.EventReport{
		watched(c.ada, 900_000, "a"), watched(c.ada, 1_000_000, "b"), watched(c.bob, 950_000, ""), watched(c.bob, 100_000, ""),
		watched(c.ada, 900_000, "a"),
	}
	_, err := c.Learning.RecordEvents(c.ctx, c.actor, all)
	is.NoErr(err)
	for _, row := range c.rows(t) {
		is.Equal(row.Progress.String(), "25")
	}
	done, err := c.Analytics.Completions(c.ctx, c.actor, query.Query{})
	is.NoErr(err)
	is.Equal(len(done.Items), 2)
	_, err = c.Learning.RecordEvents(c.ctx, c.actor, append(all, learning.EventReport{Kind: event.ViewedActivity, Person: c.ada}))
	is.True(err != nil)
	is.Equal(len(c.rows(t)), 2)
}

func TestStartNextCourseAttempt(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	is.NoErr(c.Learning.Retake(c.ctx, c.actor, c.ada, c.greek)) // starts the first attempt
	is.Equal(firstFault(t, c.Learning.Retake(c.ctx, c.actor, c.ada, c.greek)).Field, "")
	is.NoErr(c.complete(c.text, c.video, c.test))
	is.Equal(firstFault(t, c.Learning.Retake(c.ctx, c.actor, c.ada, c.greek)).Kind, fault.Invalid)
	is.NoErr(c.complete(c.essay))
	is.NoErr(c.Learning.Retake(c.ctx, c.actor, c.ada, c.greek))
	is.NoErr(c.complete(c.text)) // again, in the new attempt
	rows := c.rows(t)
	is.Equal(len(rows), 2)
	progress := map[string]bool{rows[0].Progress.String(): true, rows[1].Progress.String(): true}
	is.Equal(progress, map[string]bool{"100": true, "25": true})

	is.True(fault.Is(c.Learning.Retake(c.ctx, c.actor, c.bob, c.greek), fault.Invalid))
	is.True(fault.Is(c.Learning.Retake(c.ctx, c.actor, person.ID{UUID: uuid.New()}, c.greek), fault.NotFound))
	is.True(c.Learning.Retake(c.ctx, c.actor, c.ada, course.ID{UUID: uuid.New()}) != nil)
}

func TestEnrollAgainRestoresAttempt(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	is.NoErr(c.complete(c.text))
	before := c.rows(t)[0]
	c.unenroll(t)
	is.Equal(len(c.rows(t)), 0)
	is.True(fault.Is(c.complete(c.video), fault.Invalid))
	now := c.clock.Advance(time.Hour)
	is.NoErr(c.Enrollments.Enroll(c.ctx, c.actor, c.ada, []app.CourseRole{{Course: c.greek, Role: enrollment.Learner}}))
	before.EnrolledAt = now
	is.Equal(c.rows(t)[0], before)
}

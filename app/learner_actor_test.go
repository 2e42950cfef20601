package app_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/app/learning"
	"lyceum/app/usecase"
	"lyceum/domain/analytics"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/submission"
)

// as returns an actor for the person p as a learner.
func (w *world) as(p person.ID) app.Actor { return usecase.ByLearner(w.school, p, uuid.New()) }

// A use case is closed to learners unless it checks what a learner may do. The test calls every use
// case that takes an actor. The actor is a learner, and the other arguments are zero.
func TestUseCasesAreClosedToLearners(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	var open, closed []string
	all := reflect.ValueOf(c.App).Elem()
	for i := range all.NumField() {
		field := all.Type().Field(i)
		if !field.IsExported() || !strings.HasPrefix(field.Type.String(), "*app.") && field.Name != "Learning" {
			continue
		}
		for j := range all.Field(i).NumMethod() {
			name, method := field.Name+"."+all.Field(i).Type().Method(j).Name, all.Field(i).Method(j)
			if in := method.Type(); in.NumIn() < 2 || in.In(1) != reflect.TypeFor[app.Actor]() {
				continue
			}
			if err := callZero(c.ctx, method, c.as(c.ada)); fault.IsRefusal(err) {
				closed = append(closed, name)
			} else {
				open = append(open, name)
			}
		}
	}
	is.True(len(closed) > 50)
	is.Equal(open, []string{
		"Idempotency.Run",
		"Courses.List", "People.List", "People.ListAudience", "Learners.List", "Enrollments.List", // these return only the learner's own records
		"Activities.List", "Activities.ListAll", "Submissions.List", "Player.Submissions",
		"Learning.RecordEvents",
		"Analytics.Answers", "Analytics.Completions", "Analytics.Courses", "Analytics.QuizAttempts", "Analytics.Scores",
		"Events.List",
		"Audit.Exported", // records the export of a list, which the list has permitted
	})
}

// callZero calls a use case with an actor and zero values, and returns its error. It returns nil if
// the use case panics, because then it did not check the actor first.
func callZero(ctx context.Context, method reflect.Value, a app.Actor) (err error) {
	defer func() { _ = recover() }()
	in := []reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(a)}
	for i := 2; i < method.Type().NumIn(); i++ {
		in = append(in, reflect.Zero(method.Type().In(i)))
	}
	if method.Type().IsVariadic() {
		in = in[:len(in)-1]
	}
	out := method.Call(in)
	err, _ = out[len(out)-1].Interface().(error)
	return err
}

// For a learner, lists contain only the learner's own records and courses, and reading other
// people's records returns NotFound.
func TestLearnersReadOwnRecords(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	is.NoErr(c.Enrollments.Enroll(c.ctx, c.actor, c.bob, []app.CourseRole{{Course: c.greek, Role: enrollment.Learner}}))
	latin := c.courses["latin"]
	is.NoErr(c.Enrollments.Enroll(c.ctx, c.actor, c.ada, []app.CourseRole{{Course: latin, Role: enrollment.Manager}}))
	for _, p := range []person.ID{c.ada, c.bob} {
		for _, do := range c.deeds() {
			_ = do(p, c.text)
		}
		_, err := c.Learning.AnswerQuiz(c.ctx, c.actor, p, c.test, c.quiz, c.questions[0], []string{"Yes"})
		is.NoErr(err)
	}
	ada := c.as(c.ada)

	courses, err := c.Courses.List(c.ctx, ada, query.Query{})
	is.NoErr(err)
	is.Equal(len(courses.Items), 1) // without latin, of which ada is only a manager
	is.Equal(courses.Items[0].ID, c.greek)
	_, err = c.Courses.Get(c.ctx, ada, "greek")
	is.NoErr(err)
	activities, err := c.Activities.ListOfCourse(c.ctx, ada, "greek", query.Query{})
	is.NoErr(err)
	is.Equal(len(activities.Items), 4)
	for _, ref := range []string{"latin", latin.String(), uuid.NewString()} {
		_, err = c.Courses.Get(c.ctx, ada, ref)
		is.True(fault.Is(err, fault.NotFound))
		_, err = c.Structures.Get(c.ctx, ada, ref)
		is.True(fault.Is(err, fault.NotFound))
		_, err = c.Activities.ListOfCourse(c.ctx, ada, ref, query.Query{})
		is.True(fault.Is(err, fault.NotFound))
		_, err = c.Enrollments.ListOf(c.ctx, ada, ref, query.Query{})
		is.True(fault.Is(err, fault.NotFound))
	}
	// The owner is not a learner of the course.
	_, err = c.Courses.Get(c.ctx, c.as(c.people["owner@example.test"]), "greek")
	is.True(fault.Is(err, fault.NotFound))

	own := func(of []person.ID, err error) {
		t.Helper()
		is.NoErr(err)
		is.Equal(slices.Compact(of), []person.ID{c.ada})
	}
	answers, err := c.Analytics.Answers(c.ctx, ada, query.Query{})
	own(idsOf(answers.Items, func(r analytics.RawAnswer) person.ID { return r.Person }), err)
	events, err := c.Events.List(c.ctx, ada, query.Query{})
	own(idsOf(events.Items, func(e event.Event) person.ID { return e.Person }), err)
	people, err := c.People.List(c.ctx, ada, query.Query{})
	own(idsOf(people.Items, func(p person.Summary) person.ID { return p.ID }), err)
	enrollments, err := c.Enrollments.ListOf(c.ctx, ada, "greek", query.Query{})
	own(idsOf(enrollments.Items, func(e enrollment.Summary) person.ID { return e.Person }), err)

	_, err = c.Enrollments.Get(c.ctx, ada, enrollments.Items[0].ID)
	is.NoErr(err)
	_, err = c.Enrollments.Get(c.ctx, c.as(c.bob), enrollments.Items[0].ID)
	is.True(fault.Is(err, fault.NotFound))
	_, err = c.People.Get(c.ctx, ada, c.ada)
	is.NoErr(err)
	_, err = c.People.Get(c.ctx, ada, c.bob)
	is.True(fault.Is(err, fault.NotFound))
	_, err = c.Activities.Get(c.ctx, ada, c.text)
	is.NoErr(err)
	_, err = c.Activities.Get(c.ctx, c.as(c.people["owner@example.test"]), c.text)
	is.True(fault.Is(err, fault.NotFound))
	made, err := c.Learning.SubmitFor(c.ctx, ada, c.ada, c.essay, c.assignment, upload("a.txt", "a"))
	is.NoErr(err)
	_, err = c.Submissions.Get(c.ctx, ada, made.ID)
	is.NoErr(err)
	_, err = c.Submissions.Get(c.ctx, c.as(c.bob), made.ID)
	is.True(fault.Is(err, fault.NotFound))

	// After the enrollment has ended, ada still gets the records of her own work.
	c.unenroll(t)
	_, err = c.Courses.Get(c.ctx, ada, "greek")
	is.True(fault.Is(err, fault.NotFound))
	_, err = c.Submissions.Get(c.ctx, ada, made.ID)
	is.NoErr(err)
	submissions, err := c.Submissions.List(c.ctx, ada, query.Query{})
	own(idsOf(submissions.Items, func(s submission.Summary) person.ID { return s.Person }), err)
	scores, err := c.Analytics.Scores(c.ctx, ada, query.Query{})
	own(idsOf(scores.Items, func(s analytics.QuizScore) person.ID { return s.Person }), err)
	answers, err = c.Analytics.Answers(c.ctx, ada, query.Query{})
	own(idsOf(answers.Items, func(r analytics.RawAnswer) person.ID { return r.Person }), err)
	attempts, err := c.Analytics.QuizAttempts(c.ctx, ada, query.Query{})
	own(idsOf(attempts.Items, func(r analytics.QuizAttempt) person.ID { return r.Person }), err)
	completions, err := c.Analytics.Completions(c.ctx, ada, query.Query{})
	own(idsOf(completions.Items, func(r analytics.Completion) person.ID { return r.Person }), err)
	events, err = c.Events.List(c.ctx, ada, query.Query{})
	own(idsOf(events.Items, func(e event.Event) person.ID { return e.Person }), err)
}

func idsOf[T, ID any](items []T, id func(T) ID) []ID {
	ids := make([]ID, len(items))
	for i, item := range items {
		ids[i] = id(item)
	}
	return ids
}

// A learner can record only their own actions. For other people they get Forbidden, whether or not
// these people exist. A learner who is not enrolled in any course sees no courses.
func TestLearnersActForThemselves(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	c.actor = c.as(c.ada)
	for _, p := range []person.ID{c.bob, {UUID: uuid.New()}} {
		for name, do := range c.deeds() {
			if err := do(p, c.text); !fault.Is(err, fault.Forbidden) {
				t.Errorf("%s for another person: %v", name, err)
			}
		}
		_, err := c.Learning.RecordEvents(c.ctx, c.actor, []learning.EventReport{
			{Kind: event.ViewedActivity, Person: c.ada, Activity: c.text}, {Kind: event.ViewedActivity, Person: p, Activity: c.text},
		})
		is.True(fault.Is(err, fault.Forbidden))
	}
	is.NoErr(c.deeds()["complete"](c.ada, c.text))
	is.NoErr(c.deeds()["view"](c.ada, c.text))
	is.True(fault.Is(c.Learning.Retake(c.ctx, c.actor, c.ada, c.greek), fault.Forbidden))

	c.actor = c.as(c.bob)
	courses, err := c.Courses.List(c.ctx, c.actor, query.Query{})
	is.NoErr(err)
	is.Equal(len(courses.Items), 0)
	is.Equal(firstFault(t, c.deeds()["complete"](c.bob, c.text)).Kind, fault.NotFound) // not enrolled
	_, err = c.Courses.Create(c.ctx, c.actor, app.CourseChanges{Changes: course.Changes{}})
	is.True(fault.Is(err, fault.Forbidden))
}

package app_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/app/jobs"
	"lyceum/app/learning"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/test/kit/intercept"
)

func named(name string) app.CourseChanges {
	return app.CourseChanges{Changes: course.Changes{Name: &name}}
}

// Concurrent requests that create courses with the same name all succeed.
func TestConcurrentCoursesOfOneNameGetDifferentPermalinks(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	const many = 40 // more than permalinkBatch
	links := make(chan string, many)
	var wg sync.WaitGroup
	for range many {
		wg.Go(func() {
			made, err := w.Courses.Create(w.ctx, w.actor, named("Latin"))
			if err != nil {
				t.Error(err)
			}
			links <- made.Permalink
		})
	}
	wg.Wait()
	close(links)
	seen := map[string]bool{"latin": true} // exists already
	for link := range links {
		is.True(!seen[link]) // all permalinks differ
		seen[link] = true
	}
	is.True(seen["latin-2"] && seen["latin-41"])
}

func TestRefusedCourseUpdateChangesNothing(t *testing.T) {
	w := newWorld(t, school.Preregistration)
	latin, none, one := w.courses["latin"], "", "greek"
	unknown := []category.ID{{UUID: uuid.UUID{15: 1}}}
	instructors := []person.PartnershipID{{UUID: uuid.UUID{15: 1}}, {UUID: uuid.UUID{15: 2}}}
	before, err := w.Courses.Get(w.ctx, w.actor, "latin")
	is.New(t).NoErr(err)
	for _, tc := range []struct {
		name   string
		change app.CourseChanges
		want   []string
	}{
		{"all wrong", app.CourseChanges{Changes: course.Changes{Name: &none, Permalink: &one}, Categories: &unknown, Instructors: &instructors}, []string{
			"invalid: name: can't be blank",
			"invalid: permalink: A record with the given permalink has already been taken",
			"not found: relationships.categories[0].id: The resource you requested does not exist",
			"not found: relationships.instructor_partnerships[0].id: The resource you requested does not exist",
			"not found: relationships.instructor_partnerships[1].id: The resource you requested does not exist",
		}},
		{"a category", app.CourseChanges{Categories: &unknown}, []string{
			"not found: relationships.categories[0].id: The resource you requested does not exist",
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			texts := func(err error) (lines []string) {
				for _, f := range fault.All(err) {
					lines = append(lines, f.Error())
				}
				return lines
			}
			w.clock.Advance(time.Hour)
			_, err := w.Courses.Update(w.ctx, w.actor, latin, tc.change)
			is.Equal(texts(err), tc.want)
			if tc.change.Name != nil {
				_, err = w.Courses.Create(w.ctx, w.actor, tc.change)
				is.Equal(texts(err), tc.want)
			}
			after, err := w.Courses.Get(w.ctx, w.actor, "latin")
			is.NoErr(err)
			is.Equal(after, before)
			all, err := w.Courses.List(w.ctx, w.actor, query.Query{})
			is.NoErr(err)
			is.Equal(len(all.Items), 2)
		})
	}
}

func TestDeleteAllDeletesEverythingOfCourse(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	greek := w.courses["greek"]

	err := w.Courses.Delete(w.ctx, w.actor, greek)
	is.True(fault.Is(err, fault.Conflict))
	is.Equal(firstFault(t, err).Counts["enrollments"], int64(1))

	_, err = w.Courses.DeleteAll(w.ctx, w.actor.DryRun(), greek)
	is.NoErr(err)
	_, err = w.Courses.Get(w.ctx, w.actor, "greek")
	is.NoErr(err) // a dry run saves nothing

	gone, err := w.Courses.DeleteAll(w.ctx, w.actor, greek)
	is.NoErr(err)
	is.Equal(gone, course.Dependents{Activities: 4, Enrollments: 1})
	_, err = w.Courses.Get(w.ctx, w.actor, "greek")
	is.True(fault.Is(err, fault.NotFound))
	ada, err := w.People.Get(w.ctx, w.actor, w.people["ada@example.test"])
	is.NoErr(err)
	is.Equal(ada.CourseCount, int64(0))
	activities, err := w.Activities.List(w.ctx, w.actor, query.Query{})
	is.NoErr(err)
	is.Equal(len(activities.Items), 0)
	quizzes, err := w.Quizzes.List(w.ctx, w.actor, query.Query{})
	is.NoErr(err)
	is.Equal(len(quizzes.Items), 1) // other courses may use the quiz
	is.Equal(len(quizzes.Items[0].Activities), 0)

	for _, err := range []error{
		w.Courses.Delete(w.ctx, w.actor, greek),
		func() error { _, err := w.Courses.DeleteAll(w.ctx, w.actor, greek); return err }(),
	} {
		is.True(fault.Is(err, fault.NotFound))
	}
}

func TestCanceledContextDeletesNoCourse(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	ctx, cancel := context.WithCancel(w.ctx)
	cancel()
	_, err := w.Courses.DeleteAll(ctx, w.actor, w.courses["greek"])
	is.True(errors.Is(err, context.Canceled))
	_, err = w.Courses.Get(w.ctx, w.actor, "greek")
	is.NoErr(err)
}

func TestJobDeletesRecordsOfDeletedCourse(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	is.NoErr(c.complete(c.text))
	_, err := c.Learning.Submit(c.ctx, c.actor, c.ada, c.essay, learning.Upload{Name: "essay.txt", Bytes: strings.NewReader("An essay.")})
	is.NoErr(err)
	gone, err := c.Courses.DeleteAll(c.ctx, c.actor, c.greek)
	is.NoErr(err)
	is.Equal(gone.Enrollments, int64(1))
	_, err = c.Courses.Get(c.ctx, c.actor, c.greek.String())
	is.True(fault.Is(err, fault.NotFound))

	killed := errors.New("the process was killed")
	interrupted := func(_ context.Context, call string) error {
		if call == "Tx.Courses.ContinueRemoval" {
			return killed
		}
		return nil
	}
	dying := app.New(intercept.Store(c.store, interrupted), c.schools, c.queue, c.files, c.emails, c.clock, c.ids)
	worked, err := dying.CourseRemoval.DeleteNext(c.ctx)
	is.NoErr(err) // the job is rescheduled
	is.True(worked)
	c.clock.Advance(time.Minute)
	worked, err = c.CourseRemoval.DeleteNext(c.ctx)
	is.NoErr(err)
	is.True(worked)
	is.Equal(len(c.jobs(t)), 1) // the job of the removal that deletes the file
	is.Equal(c.reconcile(t), nil)
	worked, err = c.CourseRemoval.DeleteNext(c.ctx)
	is.NoErr(err)
	is.True(!worked)
}

func TestJobOutcomeIsSavedAgainAfterOutage(t *testing.T) {
	outage := fault.Unavailablef("The database is away")
	for _, tt := range []struct {
		note string
		work error // error of the job
		jobs int   // jobs that remain
	}{
		{"Queue.Complete", nil, 0},
		{"Queue.Reschedule", outage, 1},
	} {
		t.Run(tt.note, func(t *testing.T) {
			is, w := is.New(t), newWorld(t, school.Preregistration)
			_, err := w.Courses.DeleteAll(w.ctx, w.actor, w.courses["greek"])
			is.NoErr(err)
			failures := 0
			noting := func(_ context.Context, call string) error {
				if call == tt.note && failures < 2 {
					failures++
					return outage
				}
				return nil
			}
			working := func(_ context.Context, call string) error {
				if call == "Tx.Courses.ContinueRemoval" {
					return tt.work
				}
				return nil
			}
			a := app.New(intercept.Store(w.store, working), w.schools, intercept.Queue(w.queue, noting), w.files, w.emails, w.clock, w.ids)
			_, err = a.CourseRemoval.DeleteNext(w.ctx)
			is.NoErr(err)
			is.Equal(failures, 2)
			queued, err := w.queue.List(w.ctx, jobs.CourseRemovalKind)
			is.NoErr(err)
			is.Equal(len(queued), tt.jobs)
			for _, j := range queued {
				is.Equal(j.State, job.Waiting) // rescheduled at once, before the lease expires
			}
		})
	}
}

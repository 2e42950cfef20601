package app_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/memory"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/app"
	"lyceum/app/jobs"
	"lyceum/app/learning"
	"lyceum/app/operator"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/bulk"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/query"
	"lyceum/domain/reconcile"
	"lyceum/domain/school"
	"lyceum/domain/submission"
	"lyceum/ports"
	"lyceum/test/kit"
	"lyceum/test/kit/intercept"
	"lyceum/test/kit/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// overHTTP contains, by field of App, the methods of use cases that requests call. TestOutages of
// package apitest makes each of their calls of the store fail.
var overHTTP = map[string]string{
	"Activities":   "Get List ListAll ListOfCourse",
	"Analytics":    "Answers Completions Courses QuizAttempts Scores",
	"Assignments":  "Check List",
	"Audit":        "List",
	"Auth":         "Authenticate",
	"Bulk":         "Accept CheckBacklog Get",
	"Categories":   "Create Delete Get List Update",
	"Coupons":      "Activate Create Deactivate Delete Get List Update",
	"Courses":      "Categories Create DeleteAll Find Get Instructors List Update",
	"Enrollments":  "AddPeople Enroll Get ListOf RemovePeople Unenroll",
	"Events":       "List",
	"Groups":       "AddCourses Create Delete Get List RemoveCourses Update",
	"Health":       "Ready",
	"Invitations":  "Accept ByLink Get Link Resend",
	"Keys":         "Create Get List Revoke Rotate",
	"Learners":     "Create Delete Get List",
	"Learning":     "Announce CompleteActivity Discard RecordEvents Settle StartCourseAttempt Submit SubmitAnswers",
	"Memberships":  "AddManagers AddPeople Delete Get Join Leave ListOf RemoveManagers RemovePeople",
	"Partnerships": "Create Delete Get List",
	"People":       "Create Delete Get List Update",
	"Properties":   "Create Defined Delete DeleteAll Get List Update",
	"Quizzes":      "Get List",
	"Redemptions":  "Get ListOf Redeem",
	"Idempotency":  "Run",
	"School":       "Get Update",
	"Structures":   "Get Replace",
	"Submissions":  "Get List ListOf",
	"Webhooks":     "Create Delete Deliveries Delivery Get List Ping Replay ReplayDelivery Rotate Update",
}

// storeless contains the methods that do not call the store.
var storeless = []string{"Audit.KeepFor", "Auth.Evict", "Auth.Unseen", "Auth.WellFormed", "Bulk.KeepFor", "Bulk.OnDefect", "Changes.KeepFor", "Coupons.CheckRedeemable", "FileCleanup.Sweep", "Followers.Handle", "Followers.HandleEverywhere", "Idempotency.KeepFor", "Reactions.Add", "Reactions.Kinds", "Webhooks.KeepFor", "Webhooks.SetDocuments", "Webhooks.SetSender", "Health.FilesReady", "InvitationDelivery.SetLinkLifetime", "InvitationDelivery.Limit", "Learning.Stage", "Jobs.KeepFor", "Player.Viewed", "Player.Watched", "SignInDelivery.SetSender", "SignIns.BeginSSO", "SignIns.CheckEntry", "SignIns.SetProviders"}

// unavailableCase is a use case in which a call of the store fails.
type unavailableCase struct {
	before func(t *testing.T, c *classroom) // nil: nothing to prepare
	run    func(c *classroom) error
	// worker means that a failure is saved with the job, which is retried.
	worker bool
	// derived means that an outage can leave some derived data unfixed.
	derived bool
	// durable means that a job continues the work after the first transaction, so that the caller
	// does not notice an outage after that.
	durable bool
}

func unavailableCases() map[string]unavailableCase {
	upload := func() learning.Upload {
		return learning.Upload{Name: "essay.txt", Bytes: strings.NewReader("An essay.")}
	}
	file := kit.Reading
	var exported string
	var submitted submission.ID
	export := func(t *testing.T, c *classroom) { exported = c.exported(t) }
	csv := file("email,first_name,groups\neve@example.test,Eve,\nbob@example.test,Robert,\n")
	invite := func(t *testing.T, c *classroom) { c.invite(t) }
	return map[string]unavailableCase{
		"Bulk.ApplyNext": {worker: true, before: func(t *testing.T, c *classroom) {
			_, err := c.Bulk.Accept(c.ctx, c.actor, bulk.People, []bulk.Row{{Subject: "eve@example.test"}})
			is.New(t).NoErr(err)
		}, run: func(c *classroom) error { return worked(c.Bulk.ApplyNext(c.ctx)) }},
		"Analytics.Statistics": {run: func(c *classroom) error {
			_, err := c.Analytics.Statistics(c.ctx, c.actor, nil, analytics.Period{})
			return err
		}},
		"Enrollments.List": {run: func(c *classroom) error {
			_, err := c.Enrollments.List(c.ctx, c.actor, query.Query{})
			return err
		}},
		"Groups.CourseIDs": {run: func(c *classroom) error {
			_, err := c.Groups.CourseIDs(c.ctx, c.actor, nil)
			return err
		}},
		"Groups.ListWithCourses": {run: func(c *classroom) error {
			_, err := c.Groups.ListWithCourses(c.ctx, c.actor, nil, query.Query{})
			return err
		}},
		"People.ListAudience": {run: func(c *classroom) error {
			_, err := c.People.ListAudience(c.ctx, c.actor, ports.Audience{}, query.Query{})
			return err
		}},
		"Quizzes.WithQuestions": {run: func(c *classroom) error {
			_, err := c.Quizzes.WithQuestions(c.ctx, c.actor, c.quiz)
			return err
		}},
		"Memberships.List": {run: func(c *classroom) error {
			_, err := c.Memberships.List(c.ctx, c.actor, query.Query{})
			return err
		}},
		"Courses.Delete": {durable: true, run: func(c *classroom) error { return c.Courses.Delete(c.ctx, c.actor, c.courses["latin"]) }},
		"CourseRemoval.DeleteNext": {worker: true, before: func(t *testing.T, c *classroom) {
			is := is.New(t)
			is.NoErr(c.store.InTx(c.ctx, c.school, func(ctx context.Context, tx ports.Tx) error {
				id := c.courses["latin"]
				err := tx.Courses.BeginRemoval(ctx, id, start)
				return errors.Join(err, tx.Jobs.Add(ctx, job.New(job.ID{UUID: c.ids.New()}, c.school, jobs.CourseRemovalKind, id.String(), start)))
			}))
		}, run: func(c *classroom) error { return worked(c.CourseRemoval.DeleteNext(c.ctx)) }},
		"FileCleanup.DeleteNext": {worker: true, before: func(t *testing.T, c *classroom) {
			_, err := c.Learning.Submit(c.ctx, c.actor, c.ada, c.essay, upload())
			is.New(t).NoErr(err)
			c.clock.Advance(48 * time.Hour)
		}, run: func(c *classroom) error { return worked(c.FileCleanup.DeleteNext(c.ctx)) }},
		"InvitationDelivery.DeliverNext": {
			worker: true, before: invite,
			run: func(c *classroom) error { return worked(c.InvitationDelivery.DeliverNext(c.ctx)) },
		},
		"InvitationDelivery.Sweep": {worker: true, run: func(c *classroom) error { return worked(c.InvitationDelivery.Sweep(c.ctx)) }},
		"Jobs.List":                {run: func(c *classroom) error { _, err := c.Jobs.List(c.ctx, invitation.Kind); return err }},
		"Jobs.Dead": {run: func(c *classroom) error {
			_, err := c.Jobs.Dead(c.ctx, c.school, []job.Kind{invitation.Kind}, 9)
			return err
		}},
		"Jobs.Retry": {before: invite, run: func(c *classroom) error {
			found, err := c.Jobs.List(c.ctx, invitation.Kind)
			if err != nil {
				return err
			}
			return c.Jobs.Retry(c.ctx, invitation.Kind, found[0].ID)
		}},
		"Jobs.RetryBy": {before: invite, run: func(c *classroom) error {
			found, err := c.Jobs.List(c.ctx, invitation.Kind)
			if err != nil {
				return err
			}
			return c.Jobs.RetryBy(c.ctx, c.actor, invitation.Kind, found[0].ID)
		}},
		"Provision.CreateKey": {run: func(c *classroom) error {
			_, _, err := c.Provision.CreateKey(c.ctx, c.school, school.KeyParams{Name: "Other", Scope: school.Read})
			return err
		}},
		"Provision.CreateSchool": {run: func(c *classroom) error {
			_, err := c.Provision.CreateSchool(c.ctx, "Other", school.Open, "chief@example.test")
			return err
		}},
		"Provision.DeleteSchool": {before: func(t *testing.T, c *classroom) {
			_, err := c.Provision.SuspendSchool(c.ctx, c.school)
			is.New(t).NoErr(err)
			c.clock.Advance(operator.SuspensionDelay)
		}, run: func(c *classroom) error { return c.Provision.DeleteSchool(c.ctx, c.school) }},
		"Provision.CheckRename": {run: func(c *classroom) error { return c.Provision.CheckRename(c.ctx, c.school, "Other") }},
		"Provision.RenameSchool": {run: func(c *classroom) error {
			_, err := c.Provision.RenameSchool(c.ctx, c.school, "Other")
			return err
		}},
		"Provision.ResumeSchool": {before: func(t *testing.T, c *classroom) {
			_, err := c.Provision.SuspendSchool(c.ctx, c.school)
			is.New(t).NoErr(err)
		}, run: func(c *classroom) error { _, err := c.Provision.ResumeSchool(c.ctx, c.school); return err }},
		"Provision.SuspendSchool": {run: func(c *classroom) error {
			_, err := c.Provision.SuspendSchool(c.ctx, c.school)
			return err
		}},
		"Provision.Keys": {run: func(c *classroom) error { _, err := c.Provision.Keys(c.ctx, c.school); return err }},
		"Provision.RevokeKey": {run: func(c *classroom) error {
			keys, err := c.Provision.Keys(c.ctx, c.school)
			if err != nil {
				return err
			}
			return c.Provision.RevokeKey(c.ctx, keys[0].ID)
		}},
		"Provision.School":  {run: func(c *classroom) error { _, err := c.Provision.School(c.ctx, "Acme"); return err }},
		"Provision.Schools": {run: func(c *classroom) error { _, err := c.Provision.Schools(c.ctx); return err }},
		"Reconcile.School": {derived: true, before: func(t *testing.T, c *classroom) {
			is := is.New(t)
			is.NoErr(c.complete(c.text))
			is.NoErr(c.store.InTx(c.ctx, c.school, func(ctx context.Context, tx ports.Tx) error {
				pair := enrollment.PersonCourse{Person: c.ada, Course: c.greek}
				found, err := tx.Attempts.LatestMany(ctx, []enrollment.PersonCourse{pair})
				wrong := found[pair].State()
				wrong.Progress = decimal.OneHundred
				if err != nil {
					return err
				}
				return tx.Attempts.Save(ctx, attempt.Restore(wrong))
			}))
		}, run: func(c *classroom) error { return c.Reconcile.School(c.ctx, c.school, func(reconcile.Discrepancy) {}) }},
		"Idempotency.Sweep": {worker: true, run: func(c *classroom) error { return worked(c.Idempotency.Sweep(c.ctx)) }},
		"Submissions.Download": {before: func(t *testing.T, c *classroom) {
			made, err := c.Learning.Submit(c.ctx, c.actor, c.ada, c.essay, upload())
			is.New(t).NoErr(err)
			submitted = made.ID
		}, run: func(c *classroom) error {
			_, err := c.Submissions.Download(c.ctx, c.school, submitted)
			return err
		}},
		"Transfers.Export": {run: func(c *classroom) error {
			return c.Transfers.Export(c.ctx, c.actor, io.Discard, nil)
		}},
		"Transfers.ExportWithIDs": {run: func(c *classroom) error {
			return c.Transfers.ExportWithIDs(c.ctx, c.actor, io.Discard, nil)
		}},
		"Transfers.ExportPeople": {run: func(c *classroom) error {
			return c.Transfers.ExportPeople(c.ctx, c.actor, io.Discard)
		}},
		"Transfers.Import": {before: export, run: func(c *classroom) error {
			_, err := c.Transfers.Import(c.ctx, c.actor, file(strings.ReplaceAll(exported, `"Languages"`, `"Tongues"`)))
			return err
		}},
		"Transfers.ImportNew": {before: export, run: func(c *classroom) error {
			_, err := c.Transfers.ImportNew(c.ctx, file(strings.Replace(exported, `"Acme"`, `"Other"`, 1)))
			return err
		}},
		"Transfers.ImportPeople": {run: func(c *classroom) error {
			_, err := c.Transfers.ImportPeople(c.ctx, c.actor, csv, true)
			return err
		}},
	}
}

func worked(_ bool, err error) error { return err }

// failures contains the ways in which a call of the store can fail without a refusal. end cancels
// the context of the use case.
var failures = []func(end func()) error{
	func(func()) error {
		return fmt.Errorf("store: connection lost: %w", fault.Unavailablef("The service is temporarily unavailable"))
	},
	func(end func()) error { end(); return nil },
}

// TestOutageAtEveryCall makes every call of the store fail, one after another, in every use case
// that no request calls. The use case returns an outage and saves nothing.
func TestOutageAtEveryCall(t *testing.T) {
	cases := unavailableCases()
	maps.Copy(cases, signInCases())
	maps.Copy(cases, learnerCases())
	maps.Copy(cases, changeCases())
	maps.Copy(cases, followerCases())
	all := useCases()
	for name := range cases {
		if !slices.Contains(all, name) {
			t.Errorf("%s is not a use case", name)
		}
	}
	for i, name := range all {
		group, method, _ := strings.Cut(name, ".")
		u, ok := cases[name]
		switch {
		case slices.Contains(strings.Fields(overHTTP[group]), method), slices.Contains(storeless, name):
			continue
		case !ok:
			t.Errorf("%s is not in the table of this test", name)
			continue
		}
		t.Run(name+"/memory", func(t *testing.T) { u.failEachCall(t, func() backend { return memory.New() }, false) })
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(name+"/postgres", func(t *testing.T) { u.failEachCall(t, func() backend { return onPostgres(t) }, true) })
	}
}

func onPostgres(t *testing.T) *postgres.Store {
	t.Helper()
	db, err := pgdb.Open(t.Context(), pgdb.Config{DSN: pgtest.Exclusive(t), MaxConns: 4})
	is.New(t).NoErr(err)
	t.Cleanup(func() { _ = db.Close() })
	return postgres.New(db)
}

// failEachCall makes the first call fail in every way, then the second, until there is no further
// call. It reuses a school if nothing was saved in it. If sampled is true, it skips some calls,
// because each call needs its own database.
func (u unavailableCase) failEachCall(t *testing.T, open func() backend, sampled bool) {
	t.Helper()
	var c *classroom
	var before string
	for n := 1; ; n++ {
		for _, fail := range failures {
			if c == nil {
				if c = newClassroomOn(t, open()); u.before != nil {
					u.before(t, c)
				}
				before = c.exported(t)
			}
			failed, changed := u.failAt(t, c, before, n, fail)
			if !failed {
				is.New(t).True(n > 1) // a call of the store has failed
				return
			}
			if changed {
				c = nil
			}
		}
		if c == nil && sampled {
			n += 3 + n/4
		}
	}
}

// failAt runs the use case in a school whose export equals before, and makes the n-th call fail. It
// reports whether there was an n-th call, and whether the store may have changed.
func (u unavailableCase) failAt(t *testing.T, c *classroom, before string, n int, fail func(end func()) error) (failed, changed bool) {
	t.Helper()
	is := is.New(t)
	left, call, commits := n, "", false // without a commit nothing can be saved
	whole, outside := c.App, c.ctx
	defer func() { c.App, c.ctx = whole, outside }()
	var waiting []job.Job
	if u.worker {
		waiting = c.jobs(t)
	}
	ctx, end := context.WithCancel(c.ctx)
	defer end()
	hook := func(_ context.Context, name string) error {
		commits = commits || name == "Commit"
		if left--; left != 0 {
			return nil
		}
		call = name
		return fail(end)
	}
	c.App = app.New(
		intercept.Store(c.store, hook), intercept.Schools(c.schools, hook), intercept.Queue(c.queue, hook),
		c.files, c.emails, c.clock, c.ids,
	)
	c.ctx = ctx
	err := u.run(c)
	c.App, c.ctx = whole, outside
	switch {
	case call == "":
		is.NoErr(err)
		return false, true
	case err == nil && (u.durable || ctx.Err() != nil): // the use case succeeded anyway
		return true, true
	case errors.Is(err, context.Canceled) && ctx.Err() != nil, fault.Is(err, fault.Unavailable), u.worker && err == nil:
	default:
		t.Errorf("failure at call %d, %s: got %v, want an outage", n, call, err)
	}
	// A job whose outcome could not be saved runs again and finds that its work is done.
	noted := u.worker && call == "Queue.Complete"
	if !u.derived && !noted && commits && c.exported(t) != before {
		t.Errorf("failure at call %d, %s: a part of the change was saved", n, call)
	}
	if u.worker && !(noted && err == nil) { // saving an outcome is repeated
		is.True(len(c.jobs(t)) >= len(waiting)) // the job is still queued
	}
	return true, u.worker || u.derived
}

// useCases returns the methods of all use cases of an App, such as "Courses.Create".
func useCases() []string {
	var all []string
	for f := range reflect.TypeFor[app.App]().Fields() {
		if !f.IsExported() {
			continue
		}
		for m := range f.Type.Methods() {
			all = append(all, f.Name+"."+m.Name)
		}
	}
	return all
}

func (c *classroom) exported(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	is.New(t).NoErr(c.Transfers.Export(c.ctx, c.actor, &b, nil))
	return b.String()
}

func (c *classroom) jobs(t *testing.T) []job.Job {
	t.Helper()
	var all []job.Job
	for _, kind := range []job.Kind{invitation.Kind, jobs.FileCleanupKind, bulk.JobKind, jobs.CourseRemovalKind} {
		found, err := c.Jobs.List(c.ctx, kind)
		is.New(t).NoErr(err)
		all = append(all, found...)
	}
	return all
}

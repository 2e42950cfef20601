package app_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/app/jobs"
	"lyceum/app/learning"
	"lyceum/app/transfer"
	"lyceum/app/usecase"
	"lyceum/domain/assignment"
	"lyceum/domain/fault"
	"lyceum/domain/idempotency"
	"lyceum/domain/job"
	"lyceum/domain/query"
	"lyceum/domain/submission"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/intercept"
)

func TestSubmit(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	one, err := c.Learning.Submit(c.ctx, c.actor, c.ada, c.essay, upload(`C:\essays\Über.txt`, "first"))
	is.NoErr(err)
	c.clock.Advance(time.Minute)
	two, err := c.Learning.Submit(c.ctx, c.actor, c.ada, c.essay, upload("b.txt", "second"))
	is.NoErr(err)
	is.Equal(one.File.Name, "Über.txt")
	is.Equal(one.File.Size, int64(5))
	got, err := c.Submissions.List(c.ctx, c.actor, query.Query{})
	is.NoErr(err)
	is.Equal(len(got.Items), 2)
	is.Equal(got.Items[0].Submission, two) // newest first
	is.Equal(got.Items[1].Submission, one)
	is.Equal(got.Items[0].CourseAttempt, c.rows(t)[0].Attempt)
	text, ok := c.files.holds(t, usecase.FileOf(c.school, one.ID))
	is.True(ok)
	is.Equal(text, "first")
	shown, err := c.Submissions.Get(c.ctx, c.actor, one.ID)
	is.NoErr(err)
	is.Equal(shown.AssignmentTitle, "Essay")

	of, err := c.Submissions.ListOf(c.ctx, c.actor, one.Assignment, query.Query{})
	is.NoErr(err)
	is.Equal(len(of.Items), 2)
	_, err = c.Submissions.ListOf(c.ctx, c.actor, assignment.ID{UUID: uuid.New()}, query.Query{})
	is.True(fault.Is(err, fault.NotFound))
}

func TestFailedSubmissionLeavesNoFile(t *testing.T) {
	for name, do := range map[string]func(c *classroom) error{
		"the bytes end too early": func(c *classroom) error {
			_, err := c.Learning.Submit(c.ctx, c.actor, c.ada, c.essay, learning.Upload{Name: "a", Bytes: iotest.ErrReader(errors.New("gone"))})
			return err
		},
		"the files are unavailable": func(c *classroom) error {
			c.files.putFails = errors.New("disk full")
			_, err := c.Learning.Submit(c.ctx, c.actor, c.ada, c.essay, upload("a", "a"))
			return err
		},
		"the file has no name": func(c *classroom) error {
			_, err := c.Learning.Submit(c.ctx, c.actor, c.ada, c.essay, upload("..", "a"))
			return err
		},
		"the transaction fails": func(c *classroom) error {
			_, err := c.Learning.SubmitFor(c.ctx, c.actor, c.ada, c.text, c.assignment, upload("a", "a"))
			return err
		},
		"the school is suspended": func(c *classroom) error {
			_, err := c.Provision.SuspendSchool(c.ctx, c.school)
			is.New(t).NoErr(err)
			_, err = c.Learning.Submit(c.ctx, c.actor, c.ada, c.essay, upload("a", "a"))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			c := newClassroom(t)
			is.True(do(c) != nil)
			got, err := c.Submissions.List(c.ctx, c.actor, query.Query{})
			is.NoErr(err)
			is.Equal(len(got.Items), 0)
			is.Equal(c.rows(t)[0].Attempt.UUID, uuid.Nil)
			if name == "the transaction fails" || name == "the school is suspended" {
				is.Equal(len(c.files.removed), 1)
				_, kept := c.files.holds(t, c.files.removed[0])
				is.True(!kept)
				queued, err := c.queue.List(c.ctx, jobs.FileCleanupKind)
				is.NoErr(err)
				is.Equal(len(queued), 0) // there is nothing to look for in two hours
			}
		})
	}
}

// An import that is interrupted deletes the files that it has stored.
func TestInterruptedImportLeavesNoFile(t *testing.T) {
	is := is.New(t)
	from, to := newClassroom(t), newClassroom(t)
	_, err := from.Learning.Submit(from.ctx, from.actor, from.ada, from.essay, upload("a.txt", "text"))
	is.NoErr(err)
	var lines bytes.Buffer
	is.NoErr(from.Transfers.Export(from.ctx, from.actor, &lines, func(int) {}))
	ctx, cancel := context.WithCancel(to.ctx)
	interrupt := iotest.ErrReader(context.Canceled)
	_, err = to.Transfers.Import(ctx, to.actor, transfer.Import{Once: true, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(&lines, readerFunc(func(p []byte) (int, error) {
			cancel()
			return interrupt.Read(p)
		}))), nil
	}})
	is.True(errors.Is(err, context.Canceled))
	is.Equal(len(to.files.removed), 1)
	_, kept := to.files.holds(t, to.files.removed[0])
	is.True(!kept)
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// If the response to the commit is lost, the submission may have been saved, so its file is kept.
func TestUnknownOutcomeKeepsFile(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	gate := &turnstile{Store: c.store, opened: make(chan struct{}), second: nothing, lost: fault.Unavailablef("gone")}
	close(gate.opened)
	use := app.New(gate, c.schools, c.queue, c.files, c.emails, c.clock, fake.NewIDs())
	// The submission is checked in a first transaction, before its content is read.
	_, err := kit.NewLearning(use).Submit(c.ctx, c.actor, c.ada, c.essay, upload("a", "a"))
	is.True(fault.Is(err, fault.Unavailable))
	is.Equal(len(c.files.removed), 0)
	got, err := c.Submissions.List(c.ctx, c.actor, query.Query{})
	is.NoErr(err)
	is.Equal(len(got.Items), 1)
}

// After an outage before the commit the file is deleted at once. After one at the commit it is kept.
func TestOutageOfSubmissionLeavesNoFile(t *testing.T) {
	for name, submit := range map[string]func(c *classroom, use *app.App) error{
		"without a key": func(c *classroom, use *app.App) error {
			_, err := kit.NewLearning(use).Submit(c.ctx, c.actor, c.ada, c.essay, upload("a", "a"))
			return err
		},
		"with a key": func(c *classroom, use *app.App) error {
			staged, err := use.Learning.Announce(c.ctx, c.actor, upload("a", "a"))
			if err == nil {
				staged, err = use.Learning.Stage(c.ctx, staged, upload("a", "a"))
			}
			if err != nil {
				return err
			}
			_, _, err = use.Idempotency.Run(c.ctx, c.actor, app.IdempotentRequest{}, func(ctx context.Context, a app.Actor) (idempotency.Response, error) {
				by := learning.Submitter{Person: c.ada, Activity: &c.essay}
				_, err := use.Learning.Submit(ctx, a, c.assignment, by, staged)
				return idempotency.Response{Status: 201}, err
			})
			use.Learning.Settle(c.ctx, staged, err)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			c := newClassroom(t)
			for n := 1; ; n++ {
				left := n // calls of the store until the outage
				var failed string
				store := intercept.Store(c.store, func(_ context.Context, call string) error {
					if left--; left == 0 {
						failed = call
						return errors.New("connection lost")
					}
					return nil
				})
				err := submit(c, app.New(store, c.schools, c.queue, c.files, c.emails, c.clock, c.ids))
				if left > 0 {
					is.NoErr(err)
					is.True(n > 10)
					break
				}
				is.True(err != nil)
				queued, err := c.queue.List(c.ctx, jobs.FileCleanupKind)
				is.NoErr(err)
				for _, j := range queued {
					_, kept := c.files.holds(t, j.Payload)
					is.Equal(kept, failed == "Commit" && j.ID == queued[len(queued)-1].ID && n > 10)
				}
			}
		})
	}
}

// The client gets the error of the transaction, not the error of deleting the file.
func TestSubmitReturnsErrorOfTx(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	c.files.removeFails = errors.New("disk gone")
	_, err := c.Learning.Submit(c.ctx, c.actor, c.bob, c.essay, upload("a", "a"))
	is.Equal(firstFault(t, err).Field, "person")
}

// discard calls FileCleanup.DeleteNext until no job is due.
func (c *classroom) discard(t *testing.T) {
	t.Helper()
	for took := true; took; {
		var err error
		took, err = c.FileCleanup.DeleteNext(c.ctx)
		is.New(t).NoErr(err)
	}
}

// tried returns the file cleanup jobs that have failed at least once, oldest first.
func (c *classroom) tried(t *testing.T) []job.Job {
	t.Helper()
	queued, err := c.queue.List(c.ctx, jobs.FileCleanupKind)
	is.New(t).NoErr(err)
	return slices.DeleteFunc(queued, func(j job.Job) bool { return j.Attempts == 0 })
}

func TestDeletePersonDeletesSubmissions(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	is.NoErr(c.complete(c.text))
	is.NoErr(c.answer(1, "Yes"))
	is.NoErr(c.Learning.View(c.ctx, c.actor, c.ada, c.text))
	one, err := c.Learning.Submit(c.ctx, c.actor, c.ada, c.essay, upload("a", "first"))
	is.NoErr(err)
	two, err := c.Learning.Submit(c.ctx, c.actor, c.ada, c.essay, upload("b", "second"))
	is.NoErr(err)

	is.NoErr(c.People.Delete(c.ctx, c.actor, c.ada))
	is.Equal(len(c.rows(t))+len(c.scores(t))+len(c.answers(t)), 0)
	events, err := c.Events.List(c.ctx, c.actor, query.Query{})
	is.NoErr(err)
	submissions, err := c.Submissions.List(c.ctx, c.actor, query.Query{})
	is.NoErr(err)
	is.Equal(len(events.Items)+len(submissions.Items), 0)

	for _, s := range []string{one.ID.String(), two.ID.String()} {
		_, kept := c.files.holds(t, usecase.FilesOf(c.school)+s)
		is.True(kept) // deleted only after the commit
	}
	c.discard(t)
	for _, s := range []string{one.ID.String(), two.ID.String()} {
		_, kept := c.files.holds(t, usecase.FilesOf(c.school)+s)
		is.True(!kept)
	}
	left := c.tried(t)
	is.Equal(len(left), 0)
}

func TestFailedFileCleanupIsRetried(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	one, err := c.Learning.Submit(c.ctx, c.actor, c.ada, c.essay, upload("a", "first"))
	is.NoErr(err)
	is.NoErr(c.People.Delete(c.ctx, c.actor, c.ada))
	c.files.removeFails = errors.New("disk gone")
	c.discard(t)
	left := c.tried(t)
	is.Equal(len(left), 1)
	is.Equal(left[0].State, job.Waiting)
	is.Equal(left[0].LastError, "disk gone")
	is.Equal(left[0].Payload, usecase.FileOf(c.school, one.ID))

	c.files.removeFails = nil
	c.discard(t) // not due yet
	_, kept := c.files.holds(t, left[0].Payload)
	is.True(kept)
	c.clock.Advance(time.Hour)
	c.discard(t)
	_, kept = c.files.holds(t, left[0].Payload)
	is.True(!kept)
}

func TestFileCleanupIsDeadAfterTwoDays(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	_, err := c.Learning.Submit(c.ctx, c.actor, c.ada, c.essay, upload("a", "first"))
	is.NoErr(err)
	is.NoErr(c.People.Delete(c.ctx, c.actor, c.ada))
	c.files.removeFails = errors.New("disk gone")
	for range 16 {
		c.discard(t)
		c.clock.Advance(8 * time.Hour)
	}
	left := c.tried(t)
	is.Equal(len(left), 1) // the job of the removal; Submit has deleted the job that Announce added
	is.Equal(left[0].State, job.Dead)
	is.Equal(left[0].Attempts, 16)
}

// The rest of the form may arrive long after the file. The file is kept until the submission is
// saved, even if the clock of the worker is an hour fast.
func TestFileOfTheLongestUploadIsKept(t *testing.T) {
	is, c := is.New(t), newClassroom(t)
	up := learning.Upload{Name: "a", Bytes: strings.NewReader("first")}
	staged, err := c.App.Learning.Announce(c.ctx, c.actor, up)
	is.NoErr(err)
	staged, err = c.App.Learning.Stage(c.ctx, staged, up)
	is.NoErr(err)
	c.clock.Advance(submission.UploadTime + time.Hour - time.Second)
	c.discard(t)
	made, err := c.App.Learning.Submit(c.ctx, c.actor, c.assignment, learning.Submitter{Person: c.ada}, staged)
	is.NoErr(err)
	_, kept := c.files.holds(t, usecase.FileOf(c.school, made.ID))
	is.True(kept)
	c.clock.Advance(time.Second)
	c.discard(t) // Submit has deleted the job
	_, kept = c.files.holds(t, usecase.FileOf(c.school, made.ID))
	is.True(kept)
}

// If the process ends after the file is stored, the file has no submission and is deleted two hours
// later. Files of submissions are kept.
func TestFileWithoutSubmissionIsDeletedAfterTwoHours(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	one, err := c.Learning.Submit(c.ctx, c.actor, c.ada, c.essay, upload("a", "first"))
	is.NoErr(err)
	staged, err := c.App.Learning.Announce(c.ctx, c.actor, upload("b", "second"))
	is.NoErr(err)
	_, err = c.App.Learning.Stage(c.ctx, staged, upload("b", "second"))
	is.NoErr(err)
	queued, err := c.queue.List(c.ctx, jobs.FileCleanupKind)
	is.NoErr(err)
	is.Equal(len(queued), 1) // none for the submission
	orphan := queued[0].Payload

	c.clock.Advance(2*time.Hour - time.Second)
	c.discard(t)
	_, kept := c.files.holds(t, orphan)
	is.True(kept)
	c.clock.Advance(time.Second)
	c.discard(t)
	_, kept = c.files.holds(t, orphan)
	is.True(!kept)
	_, kept = c.files.holds(t, usecase.FileOf(c.school, one.ID))
	is.True(kept)
	queued, err = c.queue.List(c.ctx, jobs.FileCleanupKind)
	is.NoErr(err)
	is.Equal(len(queued), 0)
}

// A copy of a school on the same server has the same IDs, but its own files.
func TestFilesOfCopiedSchool(t *testing.T) {
	is, c := is.New(t), newClassroom(t)
	made, err := c.Learning.Submit(c.ctx, c.actor, c.ada, c.essay, upload("a.txt", "an essay"))
	is.NoErr(err)
	var exported bytes.Buffer
	is.NoErr(c.Transfers.ExportWithIDs(c.ctx, c.actor, &exported, nil))
	text := strings.Replace(exported.String(), `"name":"Acme"`, `"name":"Copy"`, 1)
	text = strings.ReplaceAll(text, c.school.String(), uuid.NewString())
	copied, err := c.Transfers.ImportNew(c.ctx, kit.Reading(text))
	is.NoErr(err)
	is.NoErr(c.People.Delete(c.ctx, app.SystemActor(copied.School.ID), c.ada))
	deleted, err := c.FileCleanup.DeleteNext(c.ctx)
	is.NoErr(err)
	is.True(deleted)
	_, err = c.Submissions.Download(c.ctx, copied.School.ID, made.ID)
	is.True(fault.Is(err, fault.NotFound))
	kept, err := c.Submissions.Download(c.ctx, c.school, made.ID)
	is.NoErr(err)
	content, err := io.ReadAll(kept.Bytes)
	is.NoErr(err)
	is.Equal(string(content), "an essay")
}

package app_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/memory"
	"lyceum/app"
	"lyceum/app/learning"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/ports"
	"lyceum/test/kit"
)

// fileStore is a file store whose Put, Delete and DeleteFolder can be made to fail.
type fileStore struct {
	ports.Files
	putFails, removeFails error
	removed               []string
}

func (s *fileStore) Put(ctx context.Context, name string, r io.Reader) (int64, error) {
	if s.putFails != nil {
		return 0, s.putFails
	}
	return s.Files.Put(ctx, name, r)
}

func (s *fileStore) Delete(ctx context.Context, name string) error {
	if s.removeFails != nil {
		return s.removeFails
	}
	s.removed = append(s.removed, name)
	return s.Files.Delete(ctx, name)
}

func (s *fileStore) DeleteFolder(ctx context.Context, name string) error {
	if s.removeFails != nil {
		return s.removeFails
	}
	return s.Files.DeleteFolder(ctx, name)
}

// holds returns the bytes of a file, and reports whether the file exists.
func (s *fileStore) holds(t *testing.T, name string) (string, bool) {
	t.Helper()
	f, err := s.Open(t.Context(), name)
	if fault.Is(err, fault.NotFound) {
		return "", false
	}
	is.New(t).NoErr(err)
	data, err := io.ReadAll(f)
	is.New(t).NoErr(errors.Join(err, f.Close()))
	return string(data), true
}

// classroom is a world with the activities of the course greek. Ada is a learner of greek, Bob is
// not.
type classroom struct {
	*world
	ada, bob                 person.ID
	greek                    course.ID
	text, video, test, essay activity.ID
	quiz                     quiz.ID
	questions                []quiz.QuestionID
	assignment               assignment.ID
}

func newClassroom(t *testing.T) *classroom {
	t.Helper()
	return newClassroomOn(t, memory.New())
}

func newClassroomOn(t *testing.T, store backend) *classroom {
	t.Helper()
	is := is.New(t)
	w := newWorldOn(t, store, school.Preregistration)
	c := &classroom{world: w, ada: w.people["ada@example.test"], bob: w.people["bob@example.test"], greek: w.courses["greek"]}
	acts, err := w.Activities.ListOfCourse(w.ctx, w.actor, "greek", query.Query{})
	is.NoErr(err)
	for _, a := range acts.Items {
		switch a.Content.Kind {
		case activity.Text:
			c.text = a.ID
		case activity.Video:
			c.video = a.ID
		case activity.Assignment:
			c.essay, c.assignment = a.ID, a.Content.Assignment
		case activity.Quiz:
			c.test, c.quiz = a.ID, a.Content.Quiz
			is.NoErr(w.store.InTx(w.ctx, w.school, func(ctx context.Context, tx ports.Tx) error {
				found, err := tx.Quizzes.GetManyForShare(ctx, []quiz.ID{a.Content.Quiz})
				c.questions = nil
				for _, q := range found[a.Content.Quiz].State().Questions {
					c.questions = append(c.questions, q.ID)
				}
				return err
			}))
		}
	}
	is.Equal(len(c.questions), 2)
	return c
}

// answer advances the clock by a minute and submits Ada's answer to the question with the given
// 1-based number.
func (c *classroom) answer(number int, chosen ...string) error {
	c.clock.Advance(time.Minute)
	_, err := c.Learning.Answer(c.ctx, c.actor, c.ada, c.test, c.questions[number-1], chosen)
	return err
}

func (c *classroom) complete(ids ...activity.ID) error {
	for _, id := range ids {
		c.clock.Advance(time.Minute)
		if err := c.Learning.Complete(c.ctx, c.actor, c.ada, id); err != nil {
			return err
		}
	}
	return nil
}

// rows returns the course analytics: newest enrollment first, then by attempt.
func (c *classroom) rows(t *testing.T) []analytics.CourseProgress {
	t.Helper()
	got, err := c.Analytics.Courses(c.ctx, c.actor, query.Query{})
	is.New(t).NoErr(err)
	return got.Items
}

func (c *classroom) scores(t *testing.T) []analytics.QuizScore {
	t.Helper()
	got, err := c.Analytics.Scores(c.ctx, c.actor, query.Query{})
	is.New(t).NoErr(err)
	return got.Items
}

func (c *classroom) answers(t *testing.T) []analytics.RawAnswer {
	t.Helper()
	got, err := c.Analytics.Answers(c.ctx, c.actor, query.Query{})
	is.New(t).NoErr(err)
	return got.Items
}

// upload returns a file to submit.
func upload(name, text string) learning.Upload {
	return learning.Upload{Name: name, MediaType: "text/plain", Bytes: bytes.NewReader([]byte(text))}
}

// unenroll removes Ada from greek.
func (c *classroom) unenroll(t *testing.T) {
	t.Helper()
	is.New(t).NoErr(c.Enrollments.Unenroll(c.ctx, c.actor, c.ada, []app.CourseRole{{Course: c.greek, Role: enrollment.Learner}}))
}

// signIn signs a person in and returns the session.
func (c *classroom) signIn(t *testing.T, p person.ID) signin.Session {
	t.Helper()
	session, err := kit.SignIn(c.ctx, c.App, c.school, p)
	is.New(t).NoErr(err)
	return session
}

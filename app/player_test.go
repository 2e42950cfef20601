package app_test

import (
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
)

// The player shows the activities of the learner's course in order, with what the learner has done
// in the latest course attempt. It shows nothing to people who are not learners of the course.
func TestPlayer(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	ada := c.as(c.ada)
	shown, err := c.Player.Course(c.ctx, ada, "greek")
	is.NoErr(err)
	is.Equal(shown.Course.ID, c.greek)
	is.Equal(len(shown.Activities), 4)
	for i, a := range shown.Activities {
		is.Equal(a.Position, i+1)
	}
	is.Equal(len(shown.Completed), 0)

	key := map[string]string{}
	for _, a := range shown.Activities {
		key[a.Content.Kind.String()] = a.Key
	}
	quiz, err := c.Player.Activity(c.ctx, ada, c.greek.String(), key["quiz"])
	is.NoErr(err)
	is.Equal(quiz.Activity.ID, c.test)
	run, err := c.Player.Quiz(c.ctx, ada, quiz)
	is.NoErr(err)
	is.Equal(run.Quiz.ID, c.quiz)
	is.True(run.Attempt == nil)
	is.True(!run.Complete())

	for range 2 { // the second time begins another quiz attempt
		for _, q := range c.questions {
			_, err = c.Learning.AnswerQuiz(c.ctx, ada, c.ada, c.test, c.quiz, q, []string{"Yes"})
			is.NoErr(err)
		}
		_, err = c.Learning.SubmitFor(c.ctx, ada, c.ada, c.essay, c.assignment, upload("a.txt", "a"))
		is.NoErr(err)
	}
	quiz, err = c.Player.Activity(c.ctx, ada, "greek", key["quiz"])
	is.NoErr(err)
	is.True(quiz.Completed[c.test] && quiz.Completed[c.essay] && !quiz.Completed[c.text])
	is.Equal(quiz.Progress.String(), "50")
	run, err = c.Player.Quiz(c.ctx, ada, quiz)
	is.NoErr(err)
	is.True(run.Complete())
	is.Equal(run.Attempt.Number, 2)
	is.Equal(len(run.Answers), len(c.questions))
	essay, err := c.Player.Activity(c.ctx, ada, "greek", key["assignment"])
	is.NoErr(err)
	files, err := c.Player.Submissions(c.ctx, ada, essay)
	is.NoErr(err)
	is.Equal(len(files.Items), 2)
	is.True(!files.More)

	for _, other := range []person.ID{c.bob, c.people["owner@example.test"]} {
		_, err = c.Player.Course(c.ctx, c.as(other), "greek")
		is.True(fault.Is(err, fault.NotFound))
		_, err = c.Player.Activity(c.ctx, c.as(other), "greek", key["quiz"])
		is.True(fault.Is(err, fault.NotFound))
		_, err = c.Player.Quiz(c.ctx, c.as(other), quiz)
		is.True(fault.Is(err, fault.NotFound))
		files, err = c.Player.Submissions(c.ctx, c.as(other), essay)
		is.NoErr(err)
		is.Equal(len(files.Items), 0)
	}
	_, err = c.Player.Course(c.ctx, c.actor, "greek") // an API key is not a learner
	is.True(fault.Is(err, fault.NotFound))
	for _, unknown := range []string{"", "none"} {
		_, err = c.Player.Activity(c.ctx, ada, "greek", unknown)
		is.True(fault.Is(err, fault.NotFound))
	}
}

// The pages of the player show the latest records only, however many the learner has.
func TestPlayerShowsLatestRecords(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	ada := c.as(c.ada)
	for range 2 {
		is.NoErr(c.Enrollments.RemovePeople(enrollment.Learner)(c.ctx, c.actor, c.greek, []person.ID{c.ada}))
		is.NoErr(c.Enrollments.AddPeople(enrollment.Learner)(c.ctx, c.actor, c.greek, []person.ID{c.ada}))
	}
	for range 101 {
		_, err := c.Learning.SubmitFor(c.ctx, ada, c.ada, c.essay, c.assignment, upload("a.txt", "a"))
		is.NoErr(err)
	}
	c.clock.Advance(time.Second)
	last, err := c.Learning.SubmitFor(c.ctx, ada, c.ada, c.essay, c.assignment, upload("last.txt", "a"))
	is.NoErr(err)
	write, err := c.Activities.Get(c.ctx, c.actor, c.essay)
	is.NoErr(err)
	essay, err := c.Player.Activity(c.ctx, ada, "greek", write.Key)
	is.NoErr(err)
	is.True(essay.Completed[c.essay])
	files, err := c.Player.Submissions(c.ctx, ada, essay)
	is.NoErr(err)
	is.True(files.More)
	is.Equal(len(files.Items), 100)
	is.Equal(files.Items[0].ID, last.ID)
}

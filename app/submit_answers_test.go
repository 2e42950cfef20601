package app_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
)

func TestAnswersAreGraded(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	is.NoErr(c.answer(2, "never", "NO"))
	got := c.answers(t)
	is.Equal(len(got), 1)
	is.Equal(got[0].Answer.Response, "No, Never") // in the order of the question's choices
	is.True(got[0].Answer.Correct)
	is.Equal(got[0].Answer.Position.String(), "2/2")
	is.Equal(got[0].Answer.At, c.clock.Now())
	is.Equal(got[0].QuestionText, "Two?")
	row := c.scores(t)[0]
	is.Equal(row.Score.AnsweredOfTotal(), "1/2")
	is.Equal(row.Score.Progress().String(), "50")
	is.Equal(row.Score.PercentCorrect().String(), "100")
	is.Equal(row.Score.LastAnsweredAt, c.clock.Now())
}

func TestAnswerReplacesEarlierUntilQuizAttemptIsComplete(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	is.NoErr(c.answer(1, "No"))
	is.NoErr(c.answer(1, "Yes"))
	is.Equal(len(c.answers(t)), 1)
	is.Equal(c.scores(t)[0].Score.Correct, 1)
	id := c.scores(t)[0].ID
	is.NoErr(c.answer(2, "Yes")) // completes the quiz attempt
	is.Equal(c.scores(t)[0].Score.AnsweredOfTotal(), "2/2")

	is.NoErr(c.answer(1, "No")) // starts the next quiz attempt
	is.Equal(len(c.answers(t)), 3)
	rows := c.scores(t)
	is.Equal(len(rows), 1) // row of the latest quiz attempt, with the same ID
	is.Equal(rows[0].Score.AnsweredOfTotal(), "1/2")
	is.Equal(rows[0].Score.PercentCorrect().String(), "0")
	is.Equal(rows[0].ID, id)
}

func TestEachCourseAttemptHasOwnScores(t *testing.T) {
	is := is.New(t)
	c := newClassroom(t)
	is.NoErr(c.answer(1, "Yes"))
	is.NoErr(c.complete(c.text, c.video, c.test, c.essay))
	is.NoErr(c.Learning.Retake(c.ctx, c.actor, c.ada, c.greek))
	is.Equal(len(c.scores(t)), 1) // a row is added with the first answer
	is.NoErr(c.answer(1, "No"))
	rows := c.scores(t)
	is.Equal(len(rows), 2)
	is.Equal([]int{rows[0].CourseAttemptNumber, rows[1].CourseAttemptNumber}, []int{2, 1})
	is.True(rows[0].ID > rows[1].ID)
}

func TestRefusedAnswerChangesNothing(t *testing.T) {
	for _, tc := range []struct {
		name   string
		about  func(c *classroom) quiz.QuestionID
		chosen []string
		kind   fault.Kind
	}{
		{"an unknown question", func(*classroom) quiz.QuestionID { return quiz.QuestionID{UUID: uuid.New()} }, []string{"Yes"}, fault.NotFound},
		{"nothing chosen", func(c *classroom) quiz.QuestionID { return c.questions[0] }, nil, fault.Invalid},
		{"a choice of another question", func(c *classroom) quiz.QuestionID { return c.questions[0] }, []string{"Never"}, fault.Invalid},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			c := newClassroom(t)
			refused := func() {
				_, err := c.Learning.Answer(c.ctx, c.actor, c.ada, c.test, tc.about(c), tc.chosen)
				is.True(fault.Is(err, tc.kind))
			}
			refused()
			is.Equal(c.rows(t)[0].Attempt.UUID, uuid.Nil)
			is.Equal(len(c.scores(t)), 0)
			is.NoErr(c.answer(1, "Yes"))
			before := c.answers(t)
			refused()
			is.Equal(c.answers(t), before)
		})
	}
}

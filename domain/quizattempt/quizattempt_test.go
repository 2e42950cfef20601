package quizattempt_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"pgregory.net/rapid"
)

var now = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)

func nth(n byte) uuid.UUID { return uuid.UUID{15: n} }

var (
	id = quizattempt.ID{UUID: nth(1)}
	in = attempt.State{
		ID: attempt.ID{UUID: nth(2)}, Person: person.ID{UUID: nth(3)}, Course: course.ID{UUID: nth(4)}, Number: 2,
	}
	act = activity.State{ID: activity.ID{UUID: nth(5)}, Course: in.Course, Content: activity.QuizContent(quiz.ID{UUID: nth(6)})}
)

// questions returns a quiz of n questions, whose ids start at 100, with the choices Yes, which is
// correct, and No.
func questions(n int) quiz.Quiz {
	s := quiz.State{ID: quiz.ID{UUID: nth(6)}}
	for i := range n {
		s.Questions = append(s.Questions, quiz.Question{
			ID: question(i + 1), Choices: []quiz.Choice{{Text: "Yes", Correct: true}, {Text: "No"}},
		})
	}
	return quiz.Restore(s)
}

func question(number int) quiz.QuestionID { return quiz.QuestionID{UUID: nth(byte(99 + number))} }

func TestBegin(t *testing.T) {
	is := is.New(t)
	want := quizattempt.State{
		ID: id, Person: in.Person, Course: in.Course, CourseAttempt: in.ID, CourseAttemptNumber: 2, Activity: act.ID,
		Quiz: act.Content.Quiz, Number: 1, StartedAt: now,
	}
	is.Equal(quizattempt.Begin(id, in, act, nil, now).State(), want)
	is.Equal(quizattempt.Restore(want).State(), want)
	last := quizattempt.Restore(quizattempt.State{Number: 4, Answers: []quizattempt.Answer{{}}})
	want.Number = 5
	is.Equal(quizattempt.Begin(id, in, act, &last, now).State(), want)
}

func TestAnswer(t *testing.T) {
	is := is.New(t)
	q, run := questions(3), quizattempt.Begin(id, in, act, nil, now)
	answer := func(number int, chosen string, minute int) quizattempt.Answer {
		at := now.Add(time.Duration(minute) * time.Minute)
		got, err := run.Answer(q, question(number), []string{chosen}, at)
		is.NoErr(err)
		want := quizattempt.Answer{
			Question: question(number), Position: quiz.Position{Number: number, Total: 3},
			Response: chosen, Correct: chosen == "Yes", At: at,
		}
		is.Equal(got, want)
		return got
	}
	third := answer(3, "Yes", 1)
	is.Equal(run.State().Score, quizattempt.Score{Answered: 1, Correct: 1, Total: 3, LastAnsweredAt: third.At})
	first := answer(1, "No", 2)
	is.Equal(run.State().Answers, []quizattempt.Answer{first, third}) // ordered by the number of the question
	is.Equal(run.State().Score, quizattempt.Score{Answered: 2, Correct: 1, Total: 3, LastAnsweredAt: first.At})
	before := run.State()
	third = answer(3, "No", 3) // replaces the earlier answer
	is.Equal(run.State().Answers, []quizattempt.Answer{first, third})
	is.Equal(before.Answers[1].Response, "Yes") // a state that was read before does not change
	is.Equal(run.State().Score, quizattempt.Score{Answered: 2, Total: 3, LastAnsweredAt: third.At})
	is.True(!run.State().Score.Complete())
	answer(2, "Yes", 4)
	is.True(run.State().Score.Complete())
}

func TestAnswerInvalid(t *testing.T) {
	for _, tc := range []struct {
		name   string
		about  quiz.QuestionID
		chosen []string
		kind   fault.Kind
	}{
		{"an unknown question", question(4), []string{"Yes"}, fault.NotFound},
		{"nothing", question(1), nil, fault.Invalid},
		{"an unknown text", question(1), []string{"Perhaps"}, fault.Invalid},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			run := quizattempt.Begin(id, in, act, nil, now)
			_, err := run.Answer(questions(3), question(2), []string{"Yes"}, now)
			is.NoErr(err)
			before := run.State()
			_, err = run.Answer(questions(3), tc.about, tc.chosen, now.Add(time.Hour))
			is.True(fault.Is(err, tc.kind))
			is.Equal(run.State(), before)
		})
	}
}

func TestScore(t *testing.T) {
	for _, tc := range []struct {
		score                        quizattempt.Score
		percent, progress, completed string
		complete                     bool
	}{
		{quizattempt.Score{Answered: 1, Correct: 0, Total: 3}, "0", "33.33", "1/3", false},
		{quizattempt.Score{Answered: 3, Correct: 2, Total: 4}, "66.67", "75", "3/4", false},
		{quizattempt.Score{Answered: 7, Correct: 7, Total: 8}, "100", "87.5", "7/8", false},
		{quizattempt.Score{Answered: 8, Correct: 1, Total: 8}, "12.5", "100", "8/8", true},
		{quizattempt.Score{Total: 8}, "0", "0", "0/8", false},
	} {
		t.Run(tc.completed, func(t *testing.T) {
			is := is.New(t)
			is.Equal(tc.score.PercentCorrect().String(), tc.percent)
			is.Equal(tc.score.Progress().String(), tc.progress)
			is.Equal(tc.score.AnsweredOfTotal(), tc.completed)
			is.Equal(tc.score.Complete(), tc.complete)
		})
	}
}

// Answers may be given in any order. Only the latest answer to each question counts, and answers
// are ordered like the questions.
func TestAnswersInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.IntRange(1, 5).Draw(t, "total")
		q, run := questions(total), quizattempt.Begin(id, in, act, nil, now)
		last := map[int]string{}
		steps := rapid.IntRange(1, 12).Draw(t, "steps")
		for i := range steps {
			number := rapid.IntRange(1, total).Draw(t, "number")
			last[number] = rapid.SampledFrom([]string{"Yes", "No"}).Draw(t, "choice")
			if _, err := run.Answer(q, question(number), []string{last[number]}, now.Add(time.Duration(i)*time.Second)); err != nil {
				t.Fatal(err)
			}
		}
		want, correct := []string(nil), 0
		for number := range total {
			if s, ok := last[number+1]; ok {
				want = append(want, s)
				if s == "Yes" {
					correct++
				}
			}
		}
		var got []string
		for _, a := range run.State().Answers {
			got = append(got, a.Response)
		}
		score := quizattempt.Score{
			Answered: len(want), Correct: correct, Total: total, LastAnsweredAt: now.Add(time.Duration(steps-1) * time.Second),
		}
		if !slices.Equal(got, want) || run.State().Score != score {
			t.Fatalf("%v, %+v", got, run.State().Score)
		}
	})
}

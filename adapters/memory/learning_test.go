package memory_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"lyceum/adapters/memory"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/attempt"
	"lyceum/domain/event"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/school"
	"lyceum/domain/structure"
	"lyceum/domain/submission"
	"lyceum/ports"
)

// questions is the number of questions in each quiz of these tests.
const questions = 3

func activityID(n int) activity.ID     { return activity.ID{UUID: nth(n)} }
func attemptID(n int) attempt.ID       { return attempt.ID{UUID: nth(n)} }
func quizID(n int) quiz.ID             { return quiz.ID{UUID: nth(n)} }
func assignmentID(n int) assignment.ID { return assignment.ID{UUID: nth(n)} }
func questionID(n, i int) quiz.QuestionID {
	return quiz.QuestionID{UUID: nth(1_000_000 + questions*n + i)}
}

// addLessons adds a quiz and an assignment to each of the first n courses, in the activities c and
// 1000+c, where c is the number of the course.
func addLessons(tb testing.TB, store *memory.Store, s school.ID, n int) {
	tb.Helper()
	write(tb, store, s, func(ctx context.Context, tx ports.Tx) error {
		for i := range n {
			about := quiz.State{ID: quizID(i), Name: fmt.Sprintf("Quiz %d", i), CreatedAt: then, UpdatedAt: then}
			for q := range questions {
				about.Questions = append(about.Questions, quiz.Question{ID: questionID(i, q), Key: fmt.Sprint("question-", q), Text: fmt.Sprint("Why ", q)})
			}
			essay := assignment.State{ID: assignmentID(i), Title: fmt.Sprintf("Essay %d", i)}
			_, err := tx.Structures.Save(ctx, structure.Revision{
				AddedQuizzes: []quiz.Quiz{quiz.Restore(about)}, AddedAssignments: []assignment.Assignment{assignment.Restore(essay)},
				Added: []activity.Activity{
					newActivity(i, i, activity.QuizContent(quizID(i))), newActivity(1000+i, i, activity.AssignmentContent(essay.ID)),
				},
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func newActivity(id, c int, content activity.Content) activity.Activity {
	return activity.Restore(activity.State{
		ID: activityID(id), Course: courseID(c), Slot: activity.Slot{Key: fmt.Sprint("step-", id), Position: 1}, Title: fmt.Sprintf("Step %d", id), Content: content,
		CreatedAt: then, UpdatedAt: then,
	})
}

func newAttempt(id, p, c, number int) attempt.State {
	return attempt.State{ID: attemptID(id), Person: personID(p), Course: courseID(c), Number: number, StartedAt: then}
}

// newQuizRun returns an attempt at the quiz of course c, with answers to the first n questions
// at intervals of a minute.
func newQuizRun(id int, in attempt.State, c, number, n int, at time.Time) quizattempt.Attempt {
	s := quizattempt.State{
		ID: quizattempt.ID{UUID: nth(id)}, Person: in.Person, Course: in.Course,
		CourseAttempt: in.ID, CourseAttemptNumber: in.Number, Activity: activityID(c), Quiz: quizID(c),
		Number: number, StartedAt: at,
	}
	for i := range n {
		s.Answers = append(s.Answers, quizattempt.Answer{
			Question: questionID(c, i), Position: quiz.Position{Number: i + 1, Total: questions},
			Response: fmt.Sprint("Because ", i), Correct: i%2 == 0, At: at.Add(time.Duration(i) * time.Minute),
		})
	}
	run := quizattempt.Restore(s)
	asked := quiz.ActiveQuestions{}
	for i := range questions {
		asked[questionID(c, i)] = true
	}
	run.UpdateScore(asked)
	return run
}

func newSubmission(id int, in attempt.State, c int, at time.Time) submission.Submission {
	return submission.Submission{
		ID: submission.ID{UUID: nth(id)}, Assignment: assignmentID(c), Activity: activityID(1000 + c),
		Course: in.Course, Person: in.Person, CourseAttempt: in.ID,
		File: submission.File{Name: "essay.pdf", MediaType: "application/pdf", Size: 9}, CreatedAt: at,
	}
}

// view appends one event for each of people, given by number: the person viewed the activity a.
func view(ctx context.Context, tx ports.Tx, now time.Time, a int, people ...int) error {
	es := make([]event.Event, len(people))
	for i, p := range people {
		es[i] = event.NewView(personID(p), activityID(a))
	}
	_, err := tx.Events.Append(ctx, es, now)
	return err
}

// rename changes the first name of a person.
func rename(tb testing.TB, store *memory.Store, s school.ID, n int, name string) {
	tb.Helper()
	write(tb, store, s, func(ctx context.Context, tx ports.Tx) error {
		p, err := tx.People.GetForUpdate(ctx, personID(n))
		if err != nil {
			return err
		}
		next := p.State()
		next.FirstName = name
		return tx.People.Save(ctx, person.Restore(next))
	})
}

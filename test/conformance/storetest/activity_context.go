package storetest

import (
	"context"
	"math/rand/v2"

	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/person"
	"lyceum/domain/quizattempt"
	"lyceum/ports"
)

// The functions in this file call the ports in the same order as the use cases that save learner
// data. The guarantees of the ports about locks hold for this order.

// currentAttempt locks the person's enrollment and returns the current attempt. If there is none,
// it starts the first attempt. It returns NotFound if the person does not exist or is not enrolled
// as learner.
func (s tenant) currentAttempt(ctx context.Context, tx ports.Tx, p person.ID, c course.ID) (attempt.Attempt, error) {
	if _, err := lockEnrollment(ctx, tx, p, c, enrollment.Learner); err != nil {
		return attempt.Attempt{}, err
	}
	a, err := latestAttempt(ctx, tx, p, c)
	if isNotFound(err) {
		a = attempt.Restore(s.newAttempt(p, c, 1))
		err = tx.Attempts.Add(ctx, a)
	}
	return a, err
}

// completeActivity adds a completion of the activity as a use case does. If the completion is new,
// it also updates the progress of the attempt.
func (s tenant) completeActivity(ctx context.Context, tx ports.Tx, p person.ID, a activity.State) error {
	in, err := s.currentAttempt(ctx, tx, p, a.Course)
	if err != nil {
		return err
	}
	kept, err := addCompletion(ctx, tx, attempt.Completion{Attempt: in.State().ID, Activity: a.ID, At: s.nextTime()})
	if err != nil || !kept {
		return err
	}
	tally, err := tallyOf(ctx, tx, in.State().ID)
	if err != nil {
		return err
	}
	in.UpdateProgress(tally)
	return tx.Attempts.Save(ctx, in)
}

// answerQuestion saves an answer to the question with the given 1-based number of the fixture's
// quiz, as a use case does. It starts a new quiz attempt if there is none or the latest is
// complete.
func (l courseFixture) answerQuestion(ctx context.Context, tx ports.Tx, s tenant, p person.ID, number int, right bool) error {
	in, err := s.currentAttempt(ctx, tx, p, l.course.ID)
	if err != nil {
		return err
	}
	r, err := tx.QuizAttempts.Latest(ctx, in.State().ID, l.quizActivity.ID)
	if isNotFound(err) || err == nil && r.State().Score.Complete() {
		fresh := s.newQuizAttempt(in.State(), l.quizActivity, l.quiz, r.State().Number+1)
		fresh.Answers = append(fresh.Answers, s.newAnswer(l.quiz, number, right))
		return tx.QuizAttempts.Add(ctx, quizattempt.Restore(graded(fresh, l.quiz)))
	}
	if err != nil {
		return err
	}
	run := r.State()
	var answers []quizattempt.Answer
	for i := range l.quiz.Questions {
		for _, g := range run.Answers {
			if g.Position.Number == i+1 && i+1 != number {
				answers = append(answers, g)
			}
		}
		if i+1 == number {
			answers = append(answers, s.newAnswer(l.quiz, number, right))
		}
	}
	run.Answers = answers
	return tx.QuizAttempts.Save(ctx, quizattempt.Restore(graded(run, l.quiz)))
}

// learnRandomly performs the given number of random actions of the people in the course, each in
// its own transaction.
func (l courseFixture) learnRandomly(s tenant, rnd *rand.Rand, people []person.ID, rounds int) error {
	for range rounds {
		p := pick(rnd, people)
		a := pick(rnd, []activity.State{l.text, l.video, l.quizActivity, l.assignmentActivity})
		number, right, what := 1+rnd.IntN(len(l.quiz.Questions)), rnd.IntN(2) == 0, rnd.IntN(6)
		err := s.try(func(ctx context.Context, tx ports.Tx) error {
			switch what {
			case 0, 1:
				return l.answerQuestion(ctx, tx, s, p, number, right)
			case 2:
				if _, err := s.currentAttempt(ctx, tx, p, l.course.ID); err != nil {
					return err
				}
				return second(tx.Events.Append(ctx, []event.Event{event.NewView(p, a.ID)}, s.nextTime()))
			case 3:
				in, err := s.currentAttempt(ctx, tx, p, l.course.ID)
				if err != nil {
					return err
				}
				return tx.Submissions.Add(ctx, s.newSubmission(in.State(), l.assignmentActivity))
			}
			return s.completeActivity(ctx, tx, p, a)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

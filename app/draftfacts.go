package app

import (
	"fmt"

	"github.com/google/uuid"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/completion"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/submission"
)

// studied is a person's work on an activity within a course attempt.
type studied struct {
	attempt  attempt.ID
	activity activity.ID
}

func (d *drafting) answer(in *attempt.Attempt, act activity.State, f fact) error {
	if act.Content.Kind != activity.Quiz {
		return fault.Invalidf("activity", "is not a quiz")
	}
	about := d.quizByID[act.Content.Quiz]
	question, err := questionOf(about, f.Question)
	if err != nil {
		return err
	}
	at := studied{in.State().ID, act.ID}
	run := d.runs[at]
	if run == nil || run.State().Score.Complete() {
		number := 1
		if run != nil {
			number = run.State().Number + 1
		}
		id := uuid.NewSHA1(at.attempt.UUID, fmt.Appendf(nil, "quiz attempt %d %s", number, act.ID))
		fresh := quizattempt.Begin(quizattempt.ID{UUID: id}, in.State(), act, run, f.At)
		if _, err := fresh.Answer(about, question, f.Chosen, f.At); err != nil {
			return chosen(err)
		}
		d.runs[at] = &fresh
		d.quizAttempts = append(d.quizAttempts, &fresh)
		run = &fresh
	} else if _, err = run.Answer(about, question, f.Chosen, f.At); err != nil {
		return chosen(err)
	}
	if completion.ByAnswers(run.State().Score) {
		d.complete(in, act, f.At)
	}
	return nil
}

// chosen returns what is wrong with a response in the words of a FactPlan.
func chosen(err error) error {
	var errs []error
	for _, f := range fault.All(err) {
		errs = append(errs, fault.Invalidf("chosen", "%s", f.Detail))
	}
	return fault.Join(errs...)
}

// questionOf returns the question of q that has the given text.
func questionOf(q quiz.Quiz, words string) (quiz.QuestionID, error) {
	byText := named[quiz.QuestionID]{}
	for _, question := range q.State().Questions {
		byText.add(question.Text, question.ID)
	}
	return byText.find("question", "question", words)
}

func (d *drafting) submit(in *attempt.Attempt, act activity.State, f fact) error {
	if act.Content.Kind != activity.Assignment {
		return fault.Invalidf("activity", "is not an assignment")
	}
	file, err := submission.NewFile(f.File.Name, f.File.MediaType, int64(len(f.File.Text)))
	if err != nil {
		return fault.Within("file", err)
	}
	at := studied{in.State().ID, act.ID}
	d.handedIn[at]++
	id := uuid.NewSHA1(at.attempt.UUID, fmt.Appendf(nil, "submission %d %s", d.handedIn[at], act.ID))
	made := submission.HandIn(submission.ID{UUID: id}, in.State(), act, file, f.At)
	d.submissions = append(d.submissions, handedIn{made, f.File.Text})
	d.complete(in, act, f.At)
	return nil
}

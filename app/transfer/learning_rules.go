package transfer

import (
	"slices"
	"time"

	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/quizattempt"
)

// learner returns the data that rules receive about an action of a learner at a given time.
func (m *importer) learner(p person.State, c course.State, at time.Time) policy.Learner {
	return policy.Learner{Request: m.by.When(at), Person: p, Course: c}
}

// at returns w with the time of the request set to t.
func at(w policy.Work, t time.Time) policy.Work {
	w.At = t
	return w
}

// mayComplete returns the completions of an attempt's line that have an effect, with their
// activities, or the faults of the refused ones.
func (m *importer) mayComplete(
	in policy.Work, done []attempt.Completion, activities []activity.State,
) ([]attempt.Completion, []activity.State, error) {
	if len(m.rules.Complete) == 0 {
		return done, activities, nil
	}
	var counted []attempt.Completion
	var of []activity.State
	errs := make([]error, len(done))
	for i, one := range done {
		in.Activity = activities[i]
		effect, err := policy.Effect(m.rules.Complete.Check(policy.Completing{Work: at(in, one.At)}))
		errs[i] = fault.InPath(indexPath("completed", i), err)
		if effect {
			counted, of = append(counted, one), append(of, activities[i])
		}
	}
	return counted, of, fault.Join(errs...)
}

// mayAnswer returns the answers of a line that have an effect, sorted by question number, or the
// faults of the refused ones. It returns NoEffect if no answer has an effect.
func (m *importer) mayAnswer(
	w attemptWork, begun quizattempt.State, answers []quizattempt.Answer,
) ([]quizattempt.Answer, error) {
	work := policy.Work{Learner: m.learner(w.person, w.course, begun.StartedAt), Activity: w.activity, Attempt: w.in}
	q := m.quizByID(w.activity.Content.Quiz)
	verdict := m.rules.BeginQuizAttempt.Check(policy.BeginningQuizAttempt{Work: work, Quiz: q, Number: begun.Number})
	if verdict != nil {
		return nil, verdict
	}
	var saved []quizattempt.Answer
	errs := make([]error, len(answers))
	for i, a := range answers {
		effect, err := policy.Effect(m.rules.Answer.Check(policy.Answering{
			Work: at(work, a.At), Quiz: q, QuizAttempt: begun, Answer: a,
		}))
		errs[i] = fault.InPath(indexPath("answers", i), err)
		if effect {
			saved = append(saved, a)
		}
	}
	if err := fault.Join(errs...); err != nil {
		return nil, err
	}
	if len(saved) == 0 {
		return nil, policy.NoEffect
	}
	slices.SortStableFunc(saved, func(a, b quizattempt.Answer) int { return a.Position.Number - b.Position.Number })
	return saved, nil
}

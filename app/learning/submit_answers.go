package learning

import (
	"context"
	"slices"

	"lyceum/app/usecase"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/quiz"
	"lyceum/ports"
)

// AnswerInput is an answer to a question of a quiz. Chosen contains the texts of the selected
// choices.
type AnswerInput struct {
	Person   person.ID
	Activity *activity.ID // the activity with the quiz; nil if only one activity uses it
	Question quiz.QuestionID
	Chosen   []string
}

// MaxAnswers is the maximum number of answers in one request: enough for a whole quiz.
const MaxAnswers = quiz.MaxQuestions

// GradedAnswers contains the answers of a request and the quiz attempts that contain them, without
// the names of people.
type GradedAnswers struct {
	Answers      []analytics.RawAnswer   // in the order of the request
	QuizAttempts []analytics.QuizAttempt // each once, in the order of their first answers
}

// SubmitAnswers saves answers to questions of a quiz, in the given order. If an answer is invalid,
// it saves none. An answer replaces an earlier answer to the same question in the same quiz
// attempt. After a complete quiz attempt, the next answer starts a new quiz attempt. All faults are
// returned, each with its row.
func (u *Learning) SubmitAnswers(ctx context.Context, a usecase.Actor, id quiz.ID, inputs []AnswerInput) (GradedAnswers, error) {
	var graded GradedAnswers
	people := make([]person.ID, len(inputs))
	for i, r := range inputs {
		people[i] = r.Person
	}
	a, err := a.ActFor(people...)
	if err != nil {
		return graded, err
	}
	now := u.deps.Clock.Now()
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		resolved, err := u.resolveAnswers(ctx, tx, a, id, inputs)
		if err != nil {
			return err
		}
		// Locks are taken in the same order as in changes of a structure: the course, its quizzes,
		// then enrollments, which can be in other courses that use the quizzes.
		var quizzes map[quiz.ID]quiz.Quiz
		by, err := u.deps.Request(ctx, tx.School, a, now)
		if err != nil {
			return err
		}
		found, err := u.resolve(ctx, tx, resolved.refs, func(int) policy.Request { return by }, func() (err error) {
			quizzes, err = tx.Quizzes.GetManyForShare(ctx, []quiz.ID{id})
			return err
		})
		if err != nil && !fault.IsRefusal(err) {
			return err
		}
		target, ok := quizzes[id]
		if !ok {
			return fault.RecordNotFound()
		}
		if err := checkQuiz(ctx, tx, a, id, found); err != nil {
			return err
		}
		errs := append(resolved.faults, err)
		for i, t := range resolved.refs {
			if s := found.contexts[i]; s.exists && s.activity.Content.Quiz != id {
				errs = append(errs, t.invalid("activity", "does not contain this quiz"))
			}
		}
		answers, invalid := validateAnswers(target, inputs)
		if err := fault.Join(append(errs, invalid...)...); err != nil {
			return err
		}
		if err := u.begin(ctx, tx, found); err != nil {
			return err
		}
		m := grader{tx: tx, u: u, quiz: target, names: map[course.ID]string{}, latest: map[attemptKey]*openAttempt{}}
		for i, r := range answers {
			if err := m.answer(ctx, i, found.contexts[i], r); err != nil {
				return err
			}
		}
		if err := fault.Join(m.refused...); err != nil {
			return err
		}
		graded, err = m.save(ctx)
		return err
	})
	return graded, err
}

// resolvedAnswers contains the activities of answers, and the faults of answers without an
// activity.
type resolvedAnswers struct {
	refs   []activityRef
	faults []error
}

// checkQuiz returns NotFound if the actor is a learner and the quiz is only in courses in which the
// learner is not enrolled. found contains the activities of the request.
func checkQuiz(ctx context.Context, tx ports.Tx, a usecase.Actor, id quiz.ID, found resolved) error {
	uses := func(s activityContext) bool { return s.exists && s.activity.Content.Quiz == id }
	if !a.IsLearner() || slices.ContainsFunc(found.contexts, uses) {
		return nil
	}
	_, err := activitiesOf(ctx, tx, a.Learner(), "quiz.id", id.UUID)
	return err
}

func (u *Learning) resolveAnswers(
	ctx context.Context, tx ports.Tx, a usecase.Actor, id quiz.ID, inputs []AnswerInput,
) (resolvedAnswers, error) {
	var all resolvedAnswers
	var only *quiz.Summary // loaded when first needed
	for i, r := range inputs {
		t := activityRef{person: r.Person, row: i}
		if r.Activity == nil && only == nil {
			found, err := tx.Quizzes.Get(ctx, id)
			if err != nil {
				return resolvedAnswers{}, err
			}
			if a.IsLearner() {
				if found.Activities, err = activitiesOf(ctx, tx, a.Learner(), "quiz.id", id.UUID); err != nil {
					return resolvedAnswers{}, err
				}
			}
			only = &found
		}
		switch {
		case r.Activity != nil:
			t.activity = *r.Activity
		case len(only.Activities) == 1:
			t.activity = only.Activities[0]
		case len(only.Activities) == 0:
			all.faults = append(all.faults, t.invalid("activity", "is required: no activity uses this quiz"))
			continue
		default:
			all.faults = append(all.faults, t.invalid("activity", "is required: several activities use this quiz"))
			continue
		}
		all.refs = append(all.refs, t)
	}
	return all, nil
}

// validateAnswers returns the answers with the chosen texts as the quiz spells them, so that they are
// compared with other spellings once, and the faults of the answers.
func validateAnswers(target quiz.Quiz, inputs []AnswerInput) ([]AnswerInput, []error) {
	answers, errs := slices.Clone(inputs), make([]error, len(inputs))
	for i, r := range inputs {
		question, _, err := target.Question(r.Question)
		if err != nil {
			errs[i] = activityRef{row: i}.missing("question")
			continue
		}
		chosen, err := question.Chosen(r.Chosen)
		errs[i] = fault.AtRow(err, i)
		answers[i].Chosen = make([]string, len(chosen))
		for j, c := range chosen {
			answers[i].Chosen[j] = c.Text
		}
	}
	return answers, errs
}

package learning

import (
	"context"

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

// Reply is an answer to a question of a quiz: the texts of the chosen choices.
type Reply struct {
	Person   person.ID
	Activity *activity.ID // in which the quiz stands; nil: in the only one
	Question quiz.QuestionID
	Chosen   []string
}

// MaxReplies is how many answers may be handed in at once: a whole quiz.
const MaxReplies = quiz.MaxQuestions

// Marked is replies as they were marked, and the runs in which they stand, each
// once and without the names of people.
type Marked struct {
	Answers []analytics.RawAnswer // one for each reply
	Runs    []analytics.QuizRun   // in the order in which the replies came to them
}

// Reply records answers to questions of the quiz id, in their order: all or, when
// anything is wrong, none. An answer replaces an earlier one of the same run; when
// the run is complete it begins the next one. All faults are told, each at the row
// of its reply.
func (u *Learning) Reply(ctx context.Context, a usecase.Actor, id quiz.ID, replies []Reply) (Marked, error) {
	now := u.deps.Clock.Now()
	var marked Marked
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		tasks, err := u.replying(ctx, tx, id, replies)
		if err != nil {
			return err
		}
		// A change of a structure locks a course, its quizzes, then enrollments, also in
		// other courses that use the quizzes.
		var quizzes map[quiz.ID]quiz.Quiz
		studies, err := u.studies(ctx, tx, tasks.known, now, func() (err error) {
			quizzes, err = tx.Quizzes.Load(ctx, []quiz.ID{id})
			return err
		})
		if err != nil && !fault.IsRefusal(err) {
			return err
		}
		about, ok := quizzes[id]
		if !ok {
			return fault.Missing()
		}
		errs := append(tasks.faults, err)
		for i, t := range tasks.known {
			s := studies[i]
			if s.there && s.activity.Content.Quiz != id {
				errs = append(errs, t.invalid("activity", "is none in which the quiz stands"))
				continue
			}
			errs = append(errs, fault.AtRow(u.deps.Policies.Living.Answer.Check(policy.Answering{
				Person: t.person, Activity: s.activity, Quiz: about.State(), Question: replies[t.row].Question, At: now,
			}), t.row))
		}
		if err := fault.Join(append(errs, grade(about, replies)...)...); err != nil {
			return err
		}
		m := marking{tx: tx, u: u, quiz: about, names: map[course.ID]string{}, latest: map[spot]*running{}}
		for i, r := range replies {
			if err := m.answer(ctx, i, studies[i], r); err != nil {
				return err
			}
		}
		marked, err = m.keep(ctx)
		return err
	})
	return marked, err
}

// replying is the tasks of replies, and what is wrong with those that have none.
type replying struct {
	known  []task
	faults []error
}

func (u *Learning) replying(ctx context.Context, tx ports.Tx, id quiz.ID, replies []Reply) (replying, error) {
	var all replying
	var only *quiz.Summary // read once it is needed
	for i, r := range replies {
		t := task{person: r.Person, row: i}
		if r.Activity == nil && only == nil {
			found, err := tx.Quizzes.Get(ctx, id)
			if err != nil {
				return replying{}, err
			}
			only = &found
		}
		switch {
		case r.Activity != nil:
			t.activity = *r.Activity
		case len(only.Activities) == 1:
			t.activity = only.Activities[0]
		case len(only.Activities) == 0:
			all.faults = append(all.faults, t.invalid("activity", "cannot be made out: the quiz stands in none"))
			continue
		default:
			all.faults = append(all.faults, t.invalid("activity", "must be named: the quiz stands in several"))
			continue
		}
		all.known = append(all.known, t)
	}
	return all, nil
}

// grade says what is wrong with the answers themselves.
func grade(about quiz.Quiz, replies []Reply) []error {
	errs := make([]error, len(replies))
	for i, r := range replies {
		question, _, err := about.Question(r.Question)
		if err != nil {
			errs[i] = task{row: i}.missing("question")
			continue
		}
		_, _, err = question.Grade(r.Chosen)
		errs[i] = fault.AtRow(err, i)
	}
	return errs
}

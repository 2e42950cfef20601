package memory

import (
	"context"
	"fmt"
	"slices"

	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/completion"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/ports"
)

var _ ports.QuizAttemptRepo = quizAttempts{}

type quizAttempts struct{ tx *tx }

func (r quizAttempts) Latest(ctx context.Context, in attempt.ID, a activity.ID) (quizattempt.Attempt, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return quizattempt.Attempt{}, err
	}
	last, ok := s.quizAttempts.table.latest(in, a)
	if !ok {
		return quizattempt.Attempt{}, fault.Missing()
	}
	return quizattempt.Restore(last.state()), nil
}

func (r quizAttempts) Add(ctx context.Context, a quizattempt.Attempt) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	added := newQuizRun(a.State(), nil)
	if err := s.checkQuizRun(added); err != nil {
		return err
	}
	if _, ok := s.quizAttempts.table.byID.Get(added.head.ID.UUID); ok {
		return fmt.Errorf("memory: quiz attempts: %w: %s", ports.ErrKnown, added.head.ID)
	}
	if other, ok := s.quizAttempts.table.numbered.Get(added); ok {
		return fmt.Errorf("memory: the quiz attempt %s has the number %d: %w", other.head.ID, other.head.Number, ports.ErrKnown)
	}
	r.put(s, nil, added)
	return nil
}

func (r quizAttempts) Save(ctx context.Context, a quizattempt.Attempt) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	changed := a.State()
	old, ok := s.quizAttempts.table.byID.Get(changed.ID.UUID)
	if !ok {
		return fault.Missing()
	}
	next := newQuizRun(changed, old)
	if err := s.checkQuizRun(next); err != nil {
		return err
	}
	r.put(s, old, next)
	return nil
}

// Open implements ports.QuizAttemptRepo.
func (r quizAttempts) Open(ctx context.Context, quizzes []quiz.ID) ([]enrollment.Pair, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	seen := map[enrollment.Pair]bool{}
	var found []enrollment.Pair
	for _, id := range quizzes {
		for given := range s.rawAnswers.table.Within("quiz.id", id.UUID).From(0) {
			run, _ := s.quizAttempts.table.byID.Get(given.run.ID.UUID)
			pair := enrollment.Pair{Person: run.head.Person, Course: run.head.Course}
			if _, done := s.attempts.table.completion(run.head.CourseAttempt, run.head.Activity); !done && !seen[pair] {
				seen[pair] = true
				found = append(found, pair)
			}
		}
	}
	return found, nil
}

func (r quizAttempts) Uncompleted(ctx context.Context, quizzes []quiz.ID) ([]ports.Answered, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	seen := map[attempt.Completion]bool{}
	var found []ports.Answered
	for _, id := range quizzes {
		for given := range s.rawAnswers.table.Within("quiz.id", id.UUID).From(0) {
			run := given.run.ID
			old, _ := s.quizAttempts.table.byID.Get(run.UUID)
			at := attempt.Completion{Attempt: old.head.CourseAttempt, Activity: old.head.Activity}
			if seen[at] || !completion.ByAnswers(old.score) {
				continue
			}
			seen[at] = true
			act, err := s.activities.table.Get(at.Activity.UUID)
			if err != nil {
				return nil, err
			}
			if _, done := s.attempts.table.completion(at.Attempt, at.Activity); done || act.Archived() {
				continue
			}
			in, _ := s.attempts.table.byID.Get(at.Attempt.UUID)
			found = append(found, ports.Answered{Attempt: attempt.Restore(*in), Activity: at.Activity})
		}
	}
	return found, nil
}

// put keeps next in the place of old, which is nil when next is new; the raw
// answers and the score follow.
func (r quizAttempts) put(s *state, old, next *quizRun) {
	s.quizAttempts.own(s.version).set(next)
	s.answered(old, next)
	r.tx.settle(placeOf(next.head))
}

// settle lets the score at p follow from the quiz attempts, and tells whether it
// was another.
func (w *tx) settle(p place) bool {
	s := w.state
	last, ok := s.quizAttempts.table.latest(attempt.ID{UUID: p.attempt}, activity.ID{UUID: p.activity})
	old, had := s.scores.table.at.Get(p)
	switch {
	case !ok && had:
		s.scores.own(s.version).remove(p)
	case ok && !had:
		s.scores.own(s.version).set(&score{w.scoreIDs.Add(1), last})
	case ok && old.run != last:
		s.scores.own(s.version).set(&score{old.id, last})
	default:
		return false
	}
	return true
}

// checkQuizRun says whether all is there that q belongs to.
func (s *state) checkQuizRun(q *quizRun) error {
	head := q.head
	_, begun := s.attempts.table.byID.Get(head.CourseAttempt.UUID)
	questions, _ := s.questions.table.Get(head.Quiz.UUID)
	known := map[quiz.QuestionID]bool{}
	for _, question := range slices.Concat(questions.asked, questions.archived) {
		known[question.ID] = true
	}
	for _, missing := range []struct {
		noun string
		ok   bool
	}{
		{"person", s.people.table.Has(head.Person.UUID)},
		{"course", s.courses.table.Has(head.Course.UUID)},
		{"course attempt", begun},
		{"activity", s.activities.table.Has(head.Activity.UUID)},
		{"quiz", s.quizzes.table.Has(head.Quiz.UUID)},
		{"question", !slices.ContainsFunc(q.answers, func(a *givenAnswer) bool { return !known[a.Question] })},
	} {
		if !missing.ok {
			return fmt.Errorf("memory: the quiz attempt %s names an unknown %s", head.ID, missing.noun)
		}
	}
	return nil
}

func (r quizAttempts) removeOfCourse(ctx context.Context, c course.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	r.remove(s, slices.Collect(s.quizAttempts.table.in(c)))
	return nil
}

func (r quizAttempts) RemoveOfPerson(ctx context.Context, p person.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	r.remove(s, slices.Collect(s.quizAttempts.table.of(p)))
	return nil
}

// remove forgets quiz attempts; the raw answers and the scores follow.
func (r quizAttempts) remove(s *state, gone []*quizRun) {
	for _, q := range gone {
		s.quizAttempts.own(s.version).remove(q)
		s.answered(q, nil)
		r.tx.settle(placeOf(q.head))
	}
}

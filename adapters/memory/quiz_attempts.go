package memory

import (
	"cmp"
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

// Latest implements ports.QuizAttemptRepo.
func (r quizAttempts) Latest(ctx context.Context, in attempt.ID, a activity.ID) (quizattempt.Attempt, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return quizattempt.Attempt{}, err
	}
	last, ok := s.quizAttempts.table.latest(in, a)
	if !ok {
		return quizattempt.Attempt{}, fault.RecordNotFound()
	}
	return quizattempt.Restore(last.state()), nil
}

// Add implements ports.QuizAttemptRepo.
func (r quizAttempts) Add(ctx context.Context, a quizattempt.Attempt) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	added := newQuizAttempt(a.State(), nil)
	if err := s.checkQuizAttempt(added); err != nil {
		return err
	}
	if s.quizAttempts.table.Has(added.head.ID.UUID) {
		return fmt.Errorf("memory: quiz attempts: %w: %s", ports.ErrExists, added.head.ID)
	}
	if other, ok := s.quizAttempts.table.byNumber.Get(added); ok {
		return fmt.Errorf("memory: the quiz attempt %s has the number %d: %w", other.head.ID, other.head.Number, ports.ErrExists)
	}
	r.put(s, nil, added)
	return nil
}

// Save implements ports.QuizAttemptRepo.
func (r quizAttempts) Save(ctx context.Context, a quizattempt.Attempt) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	changed := a.State()
	old, ok := s.quizAttempts.table.ByID.Get(changed.ID.UUID)
	if !ok {
		return fault.RecordNotFound()
	}
	next := newQuizAttempt(changed, old)
	if err := s.checkQuizAttempt(next); err != nil {
		return err
	}
	r.put(s, old, next)
	return nil
}

// Open implements ports.QuizAttemptRepo.
func (r quizAttempts) Open(ctx context.Context, quizzes []quiz.ID) ([]enrollment.PersonCourse, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	seen := map[enrollment.PersonCourse]bool{}
	var found []enrollment.PersonCourse
	for _, id := range quizzes {
		for given := range s.rawAnswers.table.Within("quiz.id", id.UUID).From(0) {
			run, _ := s.quizAttempts.table.ByID.Get(given.head.ID.UUID)
			pair := enrollment.PersonCourse{Person: run.head.Person, Course: run.head.Course}
			if _, done := s.attempts.table.completion(run.head.CourseAttempt, run.head.Activity); !done && !seen[pair] {
				seen[pair] = true
				found = append(found, pair)
			}
		}
	}
	return found, nil
}

// Uncompleted implements ports.QuizAttemptRepo.
func (r quizAttempts) Uncompleted(ctx context.Context, quizzes []quiz.ID) ([]ports.AnsweredQuiz, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	seen := map[attempt.Completion]bool{}
	var found []ports.AnsweredQuiz
	for _, id := range quizzes {
		for given := range s.rawAnswers.table.Within("quiz.id", id.UUID).From(0) {
			run := given.head.ID
			old, _ := s.quizAttempts.table.ByID.Get(run.UUID)
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
			found = append(found, ports.AnsweredQuiz{Attempt: attempt.Restore(*in), Activity: at.Activity})
		}
	}
	return found, nil
}

// put inserts next, or replaces old with next if old is not nil. It also updates the raw answers
// and the score.
func (r quizAttempts) put(s *state, old, next *quizAttempt) {
	s.quizAttempts.writable(s.version).set(next)
	s.updateRawAnswers(old, next)
	r.tx.updateScore(scoreKeyOf(next.head))
}

// updateScore sets the score with the key p to the latest quiz attempt, or removes it if there is
// no quiz attempt. It reports whether the score changed.
func (w *tx) updateScore(p scoreKey) bool {
	s := w.state
	last, ok := s.quizAttempts.table.latest(attempt.ID{UUID: p.attempt}, activity.ID{UUID: p.activity})
	old, had := s.scores.table.byKey.Get(p)
	switch {
	case !ok && had:
		s.scores.writable(s.version).remove(p)
	case ok && !had:
		s.scores.writable(s.version).set(&score{w.scoreIDs.Add(1), last})
	case ok && old.attempt != last:
		s.scores.writable(s.version).set(&score{old.id, last})
	default:
		return false
	}
	return true
}

// checkQuizAttempt returns an error if a record that q refers to does not exist.
func (s *state) checkQuizAttempt(q *quizAttempt) error {
	head := q.head
	_, begun := s.attempts.table.byID.Get(head.CourseAttempt.UUID)
	questions, _ := s.questions.table.Get(head.Quiz.UUID)
	known := map[quiz.QuestionID]bool{}
	for _, question := range slices.Concat(questions.active, questions.archived) {
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
		{"question", !slices.ContainsFunc(q.answers, func(a *answer) bool { return !known[a.Question] })},
	} {
		if !missing.ok {
			return fmt.Errorf("memory: the quiz attempt %s references an unknown %s", head.ID, missing.noun)
		}
	}
	return nil
}

func (r quizAttempts) removeOfCourse(ctx context.Context, c course.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	r.remove(s, slices.Collect(s.quizAttempts.table.ofCourse(c)))
	return nil
}

// DeleteByPerson implements ports.QuizAttemptRepo.
func (r quizAttempts) DeleteByPerson(ctx context.Context, p person.ID, limit int) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	all := slices.Collect(s.quizAttempts.table.ofPerson(p).From(0))
	slices.SortStableFunc(all, func(a, b *quizAttempt) int {
		return cmp.Or(a.head.StartedAt.Compare(b.head.StartedAt), cmp.Compare(a.head.Number, b.head.Number))
	})
	deleted := all[:min(limit, len(all))]
	r.remove(s, deleted)
	return len(deleted), nil
}

// remove removes quiz attempts with their raw answers and updates the scores.
func (r quizAttempts) remove(s *state, gone []*quizAttempt) {
	for _, q := range gone {
		s.quizAttempts.writable(s.version).remove(q)
		s.updateRawAnswers(q, nil)
		r.tx.updateScore(scoreKeyOf(q.head))
	}
}

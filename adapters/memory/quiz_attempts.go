package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"lyceum/adapters/memory/tables"
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
	return s.latestQuizAttempt(in, a)
}

// Add implements ports.QuizAttemptRepo.
func (r quizAttempts) Add(ctx context.Context, a quizattempt.Attempt) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	added := tables.NewQuizAttempt(a.State(), nil)
	if err := s.checkQuizAttempt(added); err != nil {
		return err
	}
	if s.quizAttempts.table.Has(added.Head.ID.UUID) {
		return fmt.Errorf("memory: quiz attempts: %w: %s", ports.ErrExists, added.Head.ID)
	}
	if other, ok := s.quizAttempts.table.ByNumber.Get(added); ok {
		return fmt.Errorf("memory: the quiz attempt %s has the number %d: %w", other.Head.ID, other.Head.Number, ports.ErrExists)
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
	next := tables.NewQuizAttempt(changed, old)
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
			run, _ := s.quizAttempts.table.ByID.Get(given.Head.ID.UUID)
			pair := enrollment.PersonCourse{Person: run.Head.Person, Course: run.Head.Course}
			if _, done := s.attempts.table.Completion(run.Head.CourseAttempt, run.Head.Activity); !done && !seen[pair] {
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
			run := given.Head.ID
			old, _ := s.quizAttempts.table.ByID.Get(run.UUID)
			at := attempt.Completion{Attempt: old.Head.CourseAttempt, Activity: old.Head.Activity}
			if seen[at] || !completion.ByAnswers(old.Score) {
				continue
			}
			seen[at] = true
			act, err := s.activities.table.Get(at.Activity.UUID)
			if err != nil {
				return nil, err
			}
			if _, done := s.attempts.table.Completion(at.Attempt, at.Activity); done || act.Archived() {
				continue
			}
			in, _ := s.attempts.table.ByID.Get(at.Attempt.UUID)
			found = append(found, ports.AnsweredQuiz{Attempt: attempt.Restore(*in), Activity: at.Activity})
		}
	}
	return found, nil
}

// put inserts next, or replaces old with next if old is not nil. It also updates the raw answers
// and the score.
func (r quizAttempts) put(s *state, old, next *tables.QuizAttempt) {
	s.quizAttempts.writable(s.version).Set(next)
	s.updateRawAnswers(old, next)
	r.tx.updateScore(tables.ScoreKeyOf(next.Head))
}

// updateScore sets the score with the key p to the latest quiz attempt, or removes it if there is
// no quiz attempt. It reports whether the score changed.
func (w *tx) updateScore(p tables.ScoreKey) bool {
	s := w.state
	last, ok := s.quizAttempts.table.Latest(attempt.ID{UUID: p.Attempt}, activity.ID{UUID: p.Activity})
	old, had := s.scores.table.ByKey.Get(p)
	switch {
	case !ok && had:
		s.scores.writable(s.version).Remove(p)
	case ok && !had:
		s.scores.writable(s.version).Set(&tables.Score{ID: w.scoreIDs.Add(1), Attempt: last})
	case ok && old.Attempt != last:
		s.scores.writable(s.version).Set(&tables.Score{ID: old.ID, Attempt: last})
	default:
		return false
	}
	return true
}

// checkQuizAttempt returns an error if a record that q refers to does not exist.
func (s *state) checkQuizAttempt(q *tables.QuizAttempt) error {
	head := q.Head
	_, begun := s.attempts.table.ByID.Get(head.CourseAttempt.UUID)
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
		{"question", !slices.ContainsFunc(q.Answers, func(a *tables.Answer) bool { return !known[a.Question] })},
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
	r.remove(s, slices.Collect(s.quizAttempts.table.OfCourse(c)))
	return nil
}

// DeleteByPerson implements ports.QuizAttemptRepo.
func (r quizAttempts) DeleteByPerson(ctx context.Context, p person.ID, limit int) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	all := slices.Collect(s.quizAttempts.table.OfPerson(p).From(0))
	slices.SortStableFunc(all, func(a, b *tables.QuizAttempt) int {
		return cmp.Or(a.Head.StartedAt.Compare(b.Head.StartedAt), cmp.Compare(a.Head.Number, b.Head.Number))
	})
	deleted := all[:min(limit, len(all))]
	r.remove(s, deleted)
	return len(deleted), nil
}

// remove removes quiz attempts with their raw answers and updates the scores.
func (r quizAttempts) remove(s *state, gone []*tables.QuizAttempt) {
	for _, q := range gone {
		s.quizAttempts.writable(s.version).Remove(q)
		s.updateRawAnswers(q, nil)
		r.tx.updateScore(tables.ScoreKeyOf(q.Head))
	}
}

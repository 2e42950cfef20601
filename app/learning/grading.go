package learning

import (
	"context"

	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/completion"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/policy"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/ports"
)

// attemptKey identifies the quiz attempts of a person at an activity within a course attempt.
type attemptKey struct {
	in       attempt.ID
	activity activity.ID
}

// openAttempt is a quiz attempt that receives answers.
type openAttempt struct {
	attempt quizattempt.Attempt
	fresh   bool  // not saved yet
	verdict error // verdict of the rules on beginning the attempt
	changed bool  // whether it got an answer that has an effect
	shown   quizattempt.State
	context activityContext
	row     int // row of the last answer in it
}

// A grader grades the answers of a request and adds them to quiz attempts.
type grader struct {
	u        *Learning
	tx       ports.Tx
	quiz     quiz.Quiz
	names    map[course.ID]string
	latest   map[attemptKey]*openAttempt
	attempts []*openAttempt // attempts with a new answer
	answers  []analytics.RawAnswer
	refused  []error
}

// answer adds the answer of a row to the open quiz attempt, or to a new quiz attempt if there is
// none. An answer without effect is graded but not added.
func (m *grader) answer(ctx context.Context, row int, s activityContext, r AnswerInput) error {
	open, err := m.open(ctx, s)
	if err != nil {
		return err
	}
	open.row = row
	next := open.attempt
	given, err := next.Answer(m.quiz, r.Question, r.Chosen, s.learner.At)
	if err != nil {
		return err
	}
	effect, err := policy.Effect(m.verdict(open, given))
	m.refused = append(m.refused, fault.AtRow(err, row))
	if effect {
		open.attempt, open.changed = next, true
	}
	open.shown = next.State()
	name, err := m.courseName(ctx, s.activity.Course)
	if err != nil {
		return err
	}
	question, _, err := m.quiz.Question(r.Question)
	if err != nil {
		return err
	}
	state := open.shown
	m.answers = append(m.answers, analytics.RawAnswer{
		QuizAttempt: state.ID, Answer: given, Position: given.Position, Person: state.Person, Course: state.Course, CourseAttemptNumber: state.CourseAttemptNumber,
		Activity: state.Activity, Quiz: state.Quiz, CourseName: name, QuizName: m.quiz.State().Name,
		ActivityTitle: s.activity.Title, QuestionText: question.Text,
	})
	return nil
}

// verdict returns the verdict of the rules on an answer in the given quiz attempt.
func (m *grader) verdict(open *openAttempt, given quizattempt.Answer) error {
	rules, before := m.u.deps.Policies.Living.Answer, open.context.verdict
	if len(rules) == 0 {
		return policy.Combine(before, open.verdict)
	}
	d := policy.Answering{Work: open.context.work(), Quiz: m.quiz.State(), QuizAttempt: open.attempt.State(), Answer: given}
	for i, a := range d.QuizAttempt.Answers {
		if a.Question == given.Question {
			d.Before = &d.QuizAttempt.Answers[i]
		}
	}
	return policy.Combine(before, open.verdict, rules.Check(d))
}

// open returns the incomplete quiz attempt of s to which the next answer belongs. If there is none,
// it begins a new quiz attempt.
func (m *grader) open(ctx context.Context, s activityContext) (*openAttempt, error) {
	in := s.attempt.State()
	at := attemptKey{in.ID, s.activity.ID}
	now, ok := m.latest[at]
	if ok && !now.attempt.State().Score.Complete() {
		return now, nil
	}
	var last *quizattempt.Attempt
	if ok {
		last = &now.attempt
	} else {
		found, err := m.tx.QuizAttempts.Latest(ctx, in.ID, s.activity.ID)
		switch {
		case err == nil:
			last = &found
		case !fault.Is(err, fault.NotFound):
			return nil, err
		}
	}
	next := &openAttempt{context: s}
	if last != nil && !last.State().Score.Complete() {
		next.attempt = *last
	} else {
		id := quizattempt.ID{UUID: m.u.deps.IDs.New()}
		next.attempt, next.fresh = quizattempt.Begin(id, in, s.activity, last, s.learner.At), true
		next.verdict = m.mayBegin(next, last)
	}
	m.latest[at] = next
	m.attempts = append(m.attempts, next)
	return next, nil
}

// mayBegin returns the verdict of the rules on beginning the quiz attempt next after last. A nil
// last means that next is the first.
func (m *grader) mayBegin(next *openAttempt, last *quizattempt.Attempt) error {
	d := policy.BeginningQuizAttempt{Work: next.context.work(), Quiz: m.quiz.State(), Number: next.attempt.State().Number}
	if last != nil {
		state := last.State()
		d.Last = &state
	}
	return m.u.deps.Policies.Living.BeginQuizAttempt.Check(d)
}

func (m *grader) courseName(ctx context.Context, id course.ID) (string, error) {
	if name, ok := m.names[id]; ok {
		return name, nil
	}
	found, err := m.tx.Courses.Get(ctx, id)
	m.names[id] = found.Name
	return found.Name, err
}

// save saves the quiz attempts, completes the activities whose quiz attempt is complete, and
// returns the graded answers.
func (m *grader) save(ctx context.Context) (GradedAnswers, error) {
	graded := GradedAnswers{Answers: m.answers}
	var complete, used []activityContext
	var rows []int // rows of complete
	for _, r := range m.attempts {
		if r.changed {
			used = append(used, r.context)
		}
	}
	if err := addFresh(ctx, m.tx, used); err != nil {
		return GradedAnswers{}, err
	}
	for _, r := range m.attempts {
		if err := m.saveAttempt(ctx, r); err != nil {
			return GradedAnswers{}, err
		}
		shown := r.shown
		if r.changed {
			shown = r.attempt.State()
		}
		row := analytics.NewQuizAttempt(shown)
		row.CourseName, row.QuizName, row.ActivityTitle = m.names[row.Course], m.quiz.State().Name, r.context.activity.Title
		graded.QuizAttempts = append(graded.QuizAttempts, row)
		if r.changed && completion.ByAnswers(r.attempt.State().Score) {
			complete, rows = append(complete, r.context), append(rows, r.row)
		}
	}
	refused, err := completeAll(ctx, m.u.deps.Policies.Living, m.tx, complete)
	if err != nil {
		return GradedAnswers{}, err
	}
	for i, row := range rows {
		refused[i] = fault.AtRow(refused[i], row)
	}
	return graded, fault.Join(refused...)
}

// saveAttempt saves a quiz attempt that got an answer with an effect.
func (m *grader) saveAttempt(ctx context.Context, r *openAttempt) error {
	switch {
	case !r.changed:
		return nil
	case r.fresh:
		return m.tx.QuizAttempts.Add(ctx, r.attempt)
	}
	return m.tx.QuizAttempts.Save(ctx, r.attempt)
}

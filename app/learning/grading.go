package learning

import (
	"context"

	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/completion"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/ports"
)

// attemptKey identifies the series of a person's quiz attempts at an activity.
type attemptKey struct {
	in       attempt.ID
	activity activity.ID
}

// openAttempt is a quiz attempt that receives answers.
type openAttempt struct {
	attempt quizattempt.Attempt
	isNew   bool // not saved yet
	context activityContext
	row     int // of the last answer in it
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
}

// answer adds the answer of a row to the open quiz attempt, or to the next one.
func (m *grader) answer(ctx context.Context, row int, s activityContext, r AnswerInput) error {
	open, err := m.open(ctx, s)
	if err != nil {
		return err
	}
	open.row = row
	given, err := open.attempt.Answer(m.quiz, r.Question, r.Chosen, s.now)
	if err != nil {
		return err
	}
	name, err := m.courseName(ctx, s.activity.Course)
	if err != nil {
		return err
	}
	question, _, err := m.quiz.Question(r.Question)
	if err != nil {
		return err
	}
	state := open.attempt.State()
	m.answers = append(m.answers, analytics.RawAnswer{
		QuizAttempt: state.ID, Answer: given, Position: given.Position, Person: state.Person, Course: state.Course, CourseAttemptNumber: state.CourseAttemptNumber,
		Activity: state.Activity, Quiz: state.Quiz, CourseName: name, QuizName: m.quiz.State().Name,
		ActivityTitle: s.activity.Title, QuestionText: question.Text,
	})
	return nil
}

// open returns the quiz attempt for the next answer.
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
		next.attempt, next.isNew = quizattempt.Begin(id, in, s.activity, last, s.now), true
	}
	m.latest[at] = next
	m.attempts = append(m.attempts, next)
	return next, nil
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
	var complete []activityContext
	var rows []int // of complete
	for _, r := range m.attempts {
		save := m.tx.QuizAttempts.Save
		if r.isNew {
			save = m.tx.QuizAttempts.Add
		}
		if err := save(ctx, r.attempt); err != nil {
			return GradedAnswers{}, err
		}
		row := analytics.NewQuizAttempt(r.attempt.State())
		row.CourseName, row.QuizName, row.ActivityTitle = m.names[row.Course], m.quiz.State().Name, r.context.activity.Title
		graded.QuizAttempts = append(graded.QuizAttempts, row)
		if completion.ByAnswers(r.attempt.State().Score) {
			complete, rows = append(complete, r.context), append(rows, r.row)
		}
	}
	_, refused, err := completeAll(ctx, m.u.deps.Policies.Living, m.tx, complete)
	if err != nil {
		return GradedAnswers{}, err
	}
	for i, row := range rows {
		refused[i] = fault.AtRow(refused[i], row)
	}
	return graded, fault.Join(refused...)
}

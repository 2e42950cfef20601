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

// spot is where one run of a quiz follows the other.
type spot struct {
	in       attempt.ID
	activity activity.ID
}

// running is a run in which answers come to stand.
type running struct {
	run   quizattempt.Attempt
	fresh bool // not kept yet
	of    study
	row   int // of the last reply in it
}

// marking is answers on their way into their runs.
type marking struct {
	u       *Learning
	tx      ports.Tx
	quiz    quiz.Quiz
	names   map[course.ID]string
	latest  map[spot]*running
	runs    []*running // all that have got an answer
	answers []analytics.RawAnswer
}

// answer lets the reply of a row stand in the run that is open, or in the next one.
func (m *marking) answer(ctx context.Context, row int, s study, r Reply) error {
	open, err := m.open(ctx, s)
	if err != nil {
		return err
	}
	open.row = row
	given, err := open.run.Answer(m.quiz, r.Question, r.Chosen, s.now)
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
	run := open.run.State()
	m.answers = append(m.answers, analytics.RawAnswer{
		QuizAttempt: run.ID, Answer: given, Position: given.Position, Person: run.Person, Course: run.Course, CourseNumber: run.CourseNumber,
		Activity: run.Activity, Quiz: run.Quiz, CourseName: name, QuizName: m.quiz.State().Name,
		ActivityTitle: s.activity.Title, QuestionText: question.Text,
	})
	return nil
}

// open returns the run in which the next answer stands.
func (m *marking) open(ctx context.Context, s study) (*running, error) {
	in := s.attempt.State()
	at := spot{in.ID, s.activity.ID}
	now, ok := m.latest[at]
	if ok && !now.run.State().Score.Complete() {
		return now, nil
	}
	var last *quizattempt.Attempt
	if ok {
		last = &now.run
	} else {
		found, err := m.tx.QuizAttempts.Latest(ctx, in.ID, s.activity.ID)
		switch {
		case err == nil:
			last = &found
		case !fault.Is(err, fault.NotFound):
			return nil, err
		}
	}
	next := &running{of: s}
	if last != nil && !last.State().Score.Complete() {
		next.run = *last
	} else {
		id := quizattempt.ID{UUID: m.u.deps.IDs.New()}
		next.run, next.fresh = quizattempt.Begin(id, in, s.activity, last, s.now), true
	}
	m.latest[at] = next
	m.runs = append(m.runs, next)
	return next, nil
}

func (m *marking) courseName(ctx context.Context, id course.ID) (string, error) {
	if name, ok := m.names[id]; ok {
		return name, nil
	}
	found, err := m.tx.Courses.Get(ctx, id)
	m.names[id] = found.Name
	return found.Name, err
}

// keep saves the runs, completes the activities of those that are complete, and
// returns all that was marked.
func (m *marking) keep(ctx context.Context) (Marked, error) {
	marked := Marked{Answers: m.answers}
	var complete []study
	var rows []int // of complete
	for _, r := range m.runs {
		save := m.tx.QuizAttempts.Save
		if r.fresh {
			save = m.tx.QuizAttempts.Add
		}
		if err := save(ctx, r.run); err != nil {
			return Marked{}, err
		}
		row := analytics.NewQuizRun(r.run.State())
		row.CourseName, row.QuizName, row.ActivityTitle = m.names[row.Course], m.quiz.State().Name, r.of.activity.Title
		marked.Runs = append(marked.Runs, row)
		if completion.ByAnswers(r.run.State().Score) {
			complete, rows = append(complete, r.of), append(rows, r.row)
		}
	}
	_, refused, err := completeAll(ctx, m.u.deps.Policies.Living, m.tx, complete)
	if err != nil {
		return Marked{}, err
	}
	for i, row := range rows {
		refused[i] = fault.AtRow(refused[i], row)
	}
	return marked, fault.Join(refused...)
}

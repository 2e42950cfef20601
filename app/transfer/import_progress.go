package transfer

import (
	"math"
	"slices"
	"time"

	"lyceum/app/transfer/format"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/text"
)

// ordinal refuses a number of an attempt that cannot be one.
func ordinal(field string, n int) error {
	if n < 1 || n > math.MaxInt32 {
		return fault.Invalidf(field, "must be 1 or more")
	}
	return nil
}

// attempt takes a course attempt. One that the school has is left with all that
// is in it.
func (m *importing) attempt(l *format.Attempt) error {
	c, errCourse := m.taught(l.Course)
	p, errPerson := m.who(l.Person)
	errs := []error{errCourse, errPerson, ordinal("number", l.Number)}
	if err := fault.Join(errs...); err != nil {
		return err
	}
	id := attempt.ID{UUID: m.id(l.Kind, l.ID)}
	var last *time.Time
	live := 0 // of the completed activities
	done := make([]attempt.Completion, 0, len(l.Completed))
	seen := map[activity.ID]bool{}
	for i, one := range l.Completed {
		place := element("completed", i)
		a, err := m.stepOf(place, l.Course, one.Activity, one.Nth)
		switch {
		case err != nil:
		case seen[a.ID]:
			err = fault.Invalidf(place, "is there twice")
		case one.At.IsZero():
			err = fault.Blank(place + ".at")
		}
		seen[a.ID] = true
		errs = append(errs, err)
		if err == nil && !a.Archived() {
			live++
		}
		done = append(done, attempt.Completion{Attempt: id, Activity: a.ID, At: one.At.Time})
		if last == nil || one.At.After(*last) {
			last = &one.At.Time
		}
	}
	if err := fault.Join(errs...); err != nil {
		return err
	}
	key := runOf{c.ID, p.ID, l.Number}
	known, err := claim(m.runs, key, m.line)
	if err != nil || known != nil {
		return m.known(l.Kind, err)
	}
	if err := m.mayComplete(l, p, done); err != nil {
		return err
	}
	a := attempt.Restore(attempt.State{
		ID: id, Person: p.ID, Course: c.ID, Number: l.Number, StartedAt: l.StartedAt.Or(m.now),
	})
	a.Measure(attempt.Tally{Completed: live, Activities: m.steps[c.ID], LastAt: last})
	bring(m.runs, key, id, m.line)
	m.begun[c.ID] = true
	m.batch.Attempts = append(m.batch.Attempts, a)
	m.batch.Completions = append(m.batch.Completions, done...)
	m.created(l.Kind, 1+len(done))
	return nil
}

// work is what a line within a course attempt names.
type work struct {
	run      *entry[attempt.ID]
	in       attempt.State
	activity activity.State
}

// work finds what a line within a course attempt names.
func (m *importing) work(permalink, email string, number int, name string, nth int) (work, error) {
	c, errCourse := m.taught(permalink)
	p, errPerson := m.who(email)
	if err := fault.Join(errCourse, errPerson); err != nil {
		return work{}, err
	}
	run, ok := m.runs[runOf{c.ID, p.ID, number}]
	var errRun error
	if !ok {
		errRun = fault.Invalidf("attempt", "there is no attempt %d of %q in the course %q", number, email, permalink)
	}
	a, errStep := m.stepOf("activity", permalink, name, nth)
	if err := fault.Join(errRun, errStep); err != nil {
		return work{}, err
	}
	return work{run, attempt.State{ID: run.is, Person: p.ID, Course: c.ID, Number: number}, a}, nil
}

func (m *importing) quizAttempt(l *format.QuizAttempt) error {
	w, err := m.work(l.Course, l.Person, l.Attempt, l.Activity, l.ActivityNth)
	if err := fault.Join(err, ordinal("number", l.Number)); err != nil {
		return err
	}
	if w.activity.Content.Kind != activity.Quiz {
		return fault.Invalidf("activity", "is not a quiz")
	}
	answers, err := m.answers(l.Answers, m.list(w.activity.Content.Quiz), w)
	if err != nil {
		return err
	}
	known, err := claim(m.quizRuns, quizRunOf{w.in.ID, w.activity.ID, l.Number}, m.line)
	if err != nil || known != nil || w.run.old {
		return m.known(l.Kind, err)
	}
	bring(m.quizRuns, quizRunOf{w.in.ID, w.activity.ID, l.Number}, none{}, m.line)
	begun := quizattempt.Begin(quizattempt.ID{UUID: m.id(l.Kind, l.ID)}, w.in, w.activity, nil, l.StartedAt.Or(m.now)).State()
	begun.Number, begun.Answers = l.Number, answers
	run := quizattempt.Restore(begun)
	run.Mark(quiz.Restore(m.about(w.activity.Content.Quiz)).Asked())
	m.batch.QuizAttempts = append(m.batch.QuizAttempts, run)
	m.created(l.Kind, 1+len(answers))
	return nil
}

// about returns the quiz id, which the school or the file has.
func (m *importing) about(id quiz.ID) quiz.State {
	if m.byQuiz == nil {
		m.byQuiz = map[quiz.ID]quiz.State{}
	}
	q, ok := m.byQuiz[id]
	if !ok {
		for _, e := range m.quizzes {
			m.byQuiz[e.is.ID] = e.is
		}
		q = m.byQuiz[id]
	}
	return q
}

// list returns the questions of a quiz in the order in which the file lists them,
// or the school when the file does not.
func (m *importing) list(id quiz.ID) quiz.State {
	if q, ok := m.lists[id]; ok {
		return q
	}
	return m.about(id)
}

// answers returns the answers of a line about q.
func (m *importing) answers(lines []format.Answer, q quiz.State, w work) ([]quizattempt.Answer, error) {
	if len(lines) == 0 {
		return nil, fault.Blank("answers")
	}
	var errs []error
	seen := map[int]bool{}
	questions := slices.Concat(q.Questions, q.Archived)
	answers := make([]quizattempt.Answer, 0, len(lines))
	for i, l := range lines {
		place := element("answers", i)
		total := l.Of
		if total == 0 {
			total = len(q.Questions)
		}
		number := l.Number
		if number == 0 {
			number = l.Question
		}
		switch {
		case l.Question < 1 || l.Question > len(questions):
			errs = append(errs, fault.Invalidf(place+".question", "must be from 1 to %d, the questions of the quiz", len(questions)))
			continue
		case number < 1 || total < number || total > quiz.MaxQuestions:
			errs = append(errs, fault.Invalidf(place+".of", "must be from %d to %d", max(number, 1), quiz.MaxQuestions))
		case seen[l.Question]:
			errs = append(errs, fault.Invalidf(place+".question", "is answered twice"))
		case l.Response == "":
			errs = append(errs, fault.Blank(place+".response"))
		case l.At.IsZero():
			errs = append(errs, fault.Blank(place+".at"))
		}
		seen[l.Question] = true
		errs = append(errs, text.Clean(place+".response", l.Response), fault.Within(place, m.mayAnswer(w, q, questions[l.Question-1].ID, l.At.Time)))
		answers = append(answers, quizattempt.Answer{
			Question: questions[l.Question-1].ID, Position: quiz.Position{Number: number, Total: total},
			Response: l.Response, Correct: l.Correct, At: l.At.Time,
		})
	}
	slices.SortStableFunc(answers, func(a, b quizattempt.Answer) int { return a.Position.Number - b.Position.Number })
	return answers, fault.Join(errs...)
}

package transfer

import (
	"math"
	"slices"

	"lyceum/app/transfer/format"
	"lyceum/domain/activity"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/quiz"
	"lyceum/domain/quizattempt"
	"lyceum/domain/text"
)

// checkAttemptNumber returns a fault if the number of an attempt is out of range.
func checkAttemptNumber(field string, n int) error {
	if n < 1 || n > math.MaxInt32 {
		return fault.Invalidf(field, "must be between 1 and %d", math.MaxInt32)
	}
	return nil
}

// importAttempt imports a course attempt. It does not change an existing attempt or anything in it.
func (m *importer) importAttempt(l *format.Attempt) error {
	c, errCourse := m.courseByPermalink(l.Course)
	p, errPerson := m.personByEmail(l.Person)
	errs := []error{errCourse, errPerson, checkAttemptNumber("number", l.Number)}
	if err := fault.Join(errs...); err != nil {
		return err
	}
	id := attempt.ID{UUID: m.id(l.Kind, l.ID)}
	done, activities := make([]attempt.Completion, 0, len(l.Completed)), make([]activity.State, 0, len(l.Completed))
	seen := map[activity.ID]bool{}
	for i, one := range l.Completed {
		path := indexPath("completed", i)
		a, err := m.activityOf(path, l.Course, one.Activity, one.Nth)
		switch {
		case err != nil:
		case seen[a.ID]:
			err = fault.Invalidf(path, "is listed more than once")
		case one.At.IsZero():
			err = fault.Blank(path + ".at")
		}
		seen[a.ID] = true
		errs = append(errs, err)
		done = append(done, attempt.Completion{Attempt: id, Activity: a.ID, At: one.At.Time})
		activities = append(activities, a)
	}
	if err := fault.Join(errs...); err != nil {
		return err
	}
	key := courseAttemptKey{c.ID, p.ID, l.Number}
	known, err := markSeen(m.attempts, key, m.line)
	if err != nil || known != nil {
		return m.countUnchanged(l.Kind, err)
	}
	s := attempt.State{ID: id, Person: p.ID, Course: c.ID, Number: l.Number, StartedAt: l.StartedAt.Or(m.now)}
	learner := m.learner(p, c, s.StartedAt)
	if err := m.rules.BeginAttempt.Check(policy.BeginningAttempt{Learner: learner, Number: l.Number}); err != nil {
		return registerVerdict(m.attempts, key, id, m.line, err)
	}
	work := policy.Work{Learner: learner, Attempt: s}
	if done, activities, err = m.mayComplete(work, done, activities); err != nil {
		return err
	}
	a := attempt.Restore(s)
	a.UpdateProgress(tallyOf(done, activities, m.visible[c.ID]))
	register(m.attempts, key, id, m.line)
	m.startedCourses[c.ID] = true
	m.batch.Attempts = append(m.batch.Attempts, a)
	m.batch.Completions = append(m.batch.Completions, done...)
	m.created(l.Kind, 1+len(done))
	return nil
}

// tallyOf returns the tally of the completions of activities, in a course with the given number of
// visible activities.
func tallyOf(done []attempt.Completion, activities []activity.State, visible int) attempt.Tally {
	t := attempt.Tally{Activities: visible}
	for i, c := range done {
		if !activities[i].Archived() {
			t.Completed++
		}
		if t.LastCompletedAt == nil || c.At.After(*t.LastCompletedAt) {
			t.LastCompletedAt = &done[i].At
		}
	}
	return t
}

// attemptWork contains the records to which a line within a course attempt refers.
type attemptWork struct {
	attempt  *entry[attempt.ID]
	in       attempt.State
	activity activity.State
	person   person.State
	course   course.State
}

func (m *importer) findAttemptWork(permalink, email string, number int, name string, nth int) (attemptWork, error) {
	c, errCourse := m.courseByPermalink(permalink)
	p, errPerson := m.personByEmail(email)
	if err := fault.Join(errCourse, errPerson); err != nil {
		return attemptWork{}, err
	}
	started, ok := m.attempts[courseAttemptKey{c.ID, p.ID, number}]
	if ok && started.none {
		return attemptWork{}, policy.NoEffect
	}
	var errAttempt error
	if !ok {
		errAttempt = fault.Invalidf("attempt", "no attempt %d of %q exists in the course %q", number, email, permalink)
	}
	a, errActivity := m.activityOf("activity", permalink, name, nth)
	if err := fault.Join(errAttempt, errActivity); err != nil {
		return attemptWork{}, err
	}
	return attemptWork{started, attempt.State{ID: started.record, Person: p.ID, Course: c.ID, Number: number}, a, p, c}, nil
}

func (m *importer) importQuizAttempt(l *format.QuizAttempt) error {
	w, err := m.findAttemptWork(l.Course, l.Person, l.Attempt, l.Activity, l.ActivityNth)
	if err := fault.Join(err, checkAttemptNumber("number", l.Number)); err != nil {
		return err
	}
	if w.activity.Content.Kind != activity.Quiz {
		return fault.Invalidf("activity", "is not a quiz")
	}
	answers, err := m.answers(l.Answers, m.questionsOf(w.activity.Content.Quiz))
	if err != nil {
		return err
	}
	known, err := markSeen(m.quizAttempts, quizAttemptKey{w.in.ID, w.activity.ID, l.Number}, m.line)
	if err != nil || known != nil || w.attempt.existing {
		return m.countUnchanged(l.Kind, err)
	}
	begun := quizattempt.Begin(quizattempt.ID{UUID: m.id(l.Kind, l.ID)}, w.in, w.activity, nil, l.StartedAt.Or(m.now)).State()
	begun.Number = l.Number
	if begun.Answers, err = m.mayAnswer(w, begun, answers); err != nil {
		return err
	}
	register(m.quizAttempts, quizAttemptKey{w.in.ID, w.activity.ID, l.Number}, empty{}, m.line)
	started := quizattempt.Restore(begun)
	started.UpdateScore(quiz.Restore(m.quizByID(w.activity.Content.Quiz)).ActiveQuestions())
	m.batch.QuizAttempts = append(m.batch.QuizAttempts, started)
	m.created(l.Kind, 1+len(begun.Answers))
	return nil
}

func (m *importer) quizByID(id quiz.ID) quiz.State {
	if m.quizzesByID == nil {
		m.quizzesByID = map[quiz.ID]quiz.State{}
	}
	q, ok := m.quizzesByID[id]
	if !ok {
		for _, e := range m.quizzes {
			m.quizzesByID[e.record.ID] = e.record
		}
		q = m.quizzesByID[id]
	}
	return q
}

// questionsOf returns the questions of a quiz in the order of its line, or in the school's order if
// the file does not contain the quiz.
func (m *importer) questionsOf(id quiz.ID) quiz.State {
	if q, ok := m.questionOrder[id]; ok {
		return q
	}
	return m.quizByID(id)
}

// answers returns the answers of a line to questions of q.
func (m *importer) answers(lines []format.Answer, q quiz.State) ([]quizattempt.Answer, error) {
	if len(lines) == 0 {
		return nil, fault.Blank("answers")
	}
	var errs []error
	seen := map[int]bool{}
	questions := slices.Concat(q.Questions, q.Archived)
	answers := make([]quizattempt.Answer, 0, len(lines))
	for i, l := range lines {
		path := indexPath("answers", i)
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
			errs = append(errs, fault.Invalidf(path+".question", "must be between 1 and %d, the number of questions in the quiz", len(questions)))
			continue
		case number < 1 || total < number || total > quiz.MaxQuestions:
			errs = append(errs, fault.Invalidf(path+".of", "must be between %d and %d", max(number, 1), quiz.MaxQuestions))
		case seen[l.Question]:
			errs = append(errs, fault.Invalidf(path+".question", "is answered more than once"))
		case l.Response == "":
			errs = append(errs, fault.Blank(path+".response"))
		case l.At.IsZero():
			errs = append(errs, fault.Blank(path+".at"))
		}
		seen[l.Question] = true
		errs = append(errs, text.CheckText(path+".response", l.Response))
		answers = append(answers, quizattempt.Answer{
			Question: questions[l.Question-1].ID, Position: quiz.Position{Number: number, Total: total},
			Response: l.Response, Correct: l.Correct, At: l.At.Time,
		})
	}
	return answers, fault.Join(errs...)
}

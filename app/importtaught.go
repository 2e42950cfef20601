package app

import (
	"fmt"
	"reflect"
	"slices"

	"lyceum/app/transfer"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/text"
)

// leave counts a record that the school has: the same, or another that is left.
func (m *importing) leave(kind string, same bool) {
	if same {
		m.count(kind).Unchanged++
	} else {
		m.count(kind).Left++
	}
}

func (m *importing) partnership(l *transfer.Partnership) error {
	who, errWho := m.who(l.Person)
	role, errRole := person.ParseRole(l.Role)
	if err := fault.Join(errWho, errRole); err != nil {
		return err
	}
	key := transfer.Partner{Person: text.Key(l.Person), Role: l.Role}
	known, err := claim(m.partnerships, key, m.line)
	if err != nil {
		return err
	}
	if known != nil {
		m.leave(l.Kind, true)
		return nil
	}
	created, _ := m.times(l.CreatedAt, l.CreatedAt)
	p := person.Partnership{ID: person.PartnershipID{UUID: m.ids.New()}, Person: who.ID, Role: role, CreatedAt: created}
	bring(m.partnerships, key, p.ID, m.line)
	m.batch.Partnerships = append(m.batch.Partnerships, p)
	m.created(l.Kind, 1)
	return nil
}

func (m *importing) course(l *transfer.Course) error {
	created, updated := m.times(l.CreatedAt, l.UpdatedAt)
	token := l.EnrollToken
	if token == "" {
		token = m.newToken()
	}
	c, err := course.New(course.ID{UUID: m.ids.New()}, l.Name, l.Permalink, token, created)
	errs := []error{err}
	var under []category.ID
	for i, name := range l.Categories {
		is, err := find(m.categories, text.Key(name), element("categories", i), "category", name)
		under, errs = append(under, is.ID), append(errs, err)
	}
	var by []person.PartnershipID
	for i, p := range l.Instructors {
		id, err := find(m.partnerships, transfer.Partner{Person: text.Key(p.Person), Role: p.Role},
			element("instructors", i), "partnership", p.Person+" "+p.Role)
		by, errs = append(by, id), append(errs, err)
	}
	if err := fault.Join(errs...); err != nil {
		return err
	}
	c.File(under...)
	c.Staff(by...)
	s := c.State()
	known, err := claim(m.courses, s.Permalink, m.line)
	if err != nil {
		return err
	}
	if known != nil {
		m.leave(l.Kind, known.is.Name == s.Name &&
			reflect.DeepEqual(known.is.Categories, s.Categories) && reflect.DeepEqual(known.is.Instructors, s.Instructors))
		return nil
	}
	s.UpdatedAt = updated
	bring(m.courses, s.Permalink, s, m.line)
	m.batch.Courses = append(m.batch.Courses, course.Restore(s))
	m.created(l.Kind, 1+len(under)+len(by))
	return nil
}

// called returns what a line calls a thing, or why it cannot.
func called(name string, nth int) (title, error) {
	if nth < 0 {
		return title{}, fault.Invalidf("nth", "must be 1 or more")
	}
	return shown(title{name, nth}), nil
}

// before refuses the third of a name where there is no second.
func before(t title, known func(title) bool) error {
	if t.nth > 1 && !known(shown(title{t.name, t.nth - 1})) {
		return fault.Invalidf("nth", "is %d, but there is no number %d of the name %q", t.nth, t.nth-1, t.name)
	}
	return nil
}

func (m *importing) quiz(l *transfer.Quiz) error {
	created, updated := m.times(l.CreatedAt, l.UpdatedAt)
	questions, asked, err := m.questions(l.Questions)
	if err != nil {
		return err
	}
	q, err := quiz.New(quiz.ID{UUID: m.ids.New()}, l.Name, questions, created)
	if err != nil {
		return err
	}
	s := q.State()
	s.Questions, s.Archived = s.Questions[:asked:asked], slices.Clone(s.Questions[asked:])
	if asked == 0 {
		return fault.Invalidf("questions", "are all archived")
	}
	key, err := called(s.Name, l.Nth)
	if err != nil {
		return err
	}
	known, err := claim(m.quizzes, key, m.line)
	if err != nil {
		return err
	}
	if known != nil {
		m.leave(l.Kind, alike(known.is.Questions, s.Questions))
		return nil
	}
	if err := before(key, func(t title) bool { return m.quizzes[t] != nil }); err != nil {
		return err
	}
	s.UpdatedAt = updated
	bring(m.quizzes, key, s, m.line)
	m.batch.Quizzes = append(m.batch.Quizzes, quiz.Restore(s))
	m.created(l.Kind, 1+len(questions))
	return nil
}

// questions returns the questions of a line, and how many of them are asked: those
// that are archived stand behind.
func (m *importing) questions(lines []transfer.Question) (all []quiz.Question, asked int, err error) {
	var errs []error
	for i, l := range lines {
		switch {
		case !l.Archived && asked < i:
			errs = append(errs, fault.Invalidf(element("questions", i), "stands behind an archived one"))
		case !l.Archived:
			asked++
		}
		q := quiz.Question{ID: quiz.QuestionID{UUID: m.ids.New()}, Key: l.Key, Text: l.Text}
		for _, c := range l.Choices {
			q.Choices = append(q.Choices, quiz.Choice{Text: c.Text, Correct: c.Correct})
		}
		all = append(all, q)
	}
	return all, asked, fault.Join(errs...)
}

// alike tells whether questions are the same but for their ids.
func alike(a, b []quiz.Question) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Text != b[i].Text || !reflect.DeepEqual(a[i].Choices, b[i].Choices) {
			return false
		}
	}
	return true
}

func (m *importing) assignment(l *transfer.Assignment) error {
	created, updated := m.times(l.CreatedAt, l.UpdatedAt)
	a, err := assignment.New(assignment.ID{UUID: m.ids.New()}, l.Title, created)
	if err != nil {
		return err
	}
	s := a.State()
	key, err := called(s.Title, l.Nth)
	if err != nil {
		return err
	}
	known, err := claim(m.assignments, key, m.line)
	if err != nil {
		return err
	}
	if known != nil {
		m.leave(l.Kind, true)
		return nil
	}
	if err := before(key, func(t title) bool { return m.assignments[t] != nil }); err != nil {
		return err
	}
	s.UpdatedAt = updated
	bring(m.assignments, key, s.ID, m.line)
	m.batch.Assignments = append(m.batch.Assignments, assignment.Restore(s))
	m.created(l.Kind, 1)
	return nil
}

// numbered returns a name with its number, when that is not the first.
func numbered(name string, nth int) string {
	if nth < 2 {
		return name
	}
	return fmt.Sprintf("%s (%d)", name, nth)
}

// who returns the person with the address that the member person of a line is.
func (m *importing) who(email string) (person.State, error) {
	return find(m.people, text.Key(email), "person", "person", email)
}

// taught returns the course with the permalink that the member course of a line is.
func (m *importing) taught(permalink string) (course.State, error) {
	return find(m.courses, permalink, "course", "course", permalink)
}

// stepOf returns the activity that a line names.
func (m *importing) stepOf(field, in, name string, nth int) (activity.State, error) {
	return find(m.activities, step{in, shown(title{name, nth})}, field, "activity in the course "+in, numbered(name, nth))
}

package transfer

import (
	"fmt"

	"lyceum/app/transfer/format"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/text"
)

func (m *importing) partnership(l *format.Partnership) error {
	who, errWho := m.who(l.Person)
	role, errRole := person.ParseRole(l.Role)
	if err := fault.Join(errWho, errRole); err != nil {
		return err
	}
	key := format.Partner{Person: text.Key(l.Person), Role: l.Role}
	known, err := claim(m.partnerships, key, m.line)
	if err != nil {
		return err
	}
	if known != nil {
		return m.known(l.Kind, nil)
	}
	created, _ := m.times(l.CreatedAt, l.CreatedAt)
	p := person.Partnership{ID: person.PartnershipID{UUID: m.id(l.Kind, l.ID)}, Person: who.ID, Role: role, CreatedAt: created}
	bring(m.partnerships, key, p.ID, m.line)
	m.batch.Partnerships = append(m.batch.Partnerships, p)
	m.created(l.Kind, 1)
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

func (m *importing) assignment(l *format.Assignment) error {
	created, updated := m.times(l.CreatedAt, l.UpdatedAt)
	a, err := assignment.New(assignment.ID{UUID: m.id(l.Kind, l.ID)}, l.Title, created)
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
	if known != nil { // its title is all that there is of it
		return m.known(l.Kind, nil)
	}
	if err := before(key, func(t title) bool { return m.assignments[t] != nil }); err != nil {
		return err
	}
	s.UpdatedAt = updated
	bring(m.assignments, key, s, m.line)
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

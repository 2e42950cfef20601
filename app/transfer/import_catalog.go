package transfer

import (
	"context"
	"fmt"

	"lyceum/app/admission"
	"lyceum/app/transfer/format"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/text"
)

func (m *importer) importPartnership(ctx context.Context, l *format.Partnership) error {
	who, errWho := m.personByEmail(l.Person)
	role, errRole := person.ParseRole(l.Role)
	if err := fault.Join(errWho, errRole); err != nil {
		return err
	}
	key := format.Partner{Person: text.UniqueKey(l.Person), Role: l.Role}
	known, err := markSeen(m.partnerships, key, m.line)
	if err != nil {
		return err
	}
	if known != nil {
		return m.countUnchanged(l.Kind, nil)
	}
	if m.load != nil && m.people[key.Person].existing {
		holder, err := m.load.Tx().People.GetForUpdate(ctx, who.ID)
		if err != nil {
			return err
		}
		if err := admission.EndSignIns(ctx, m.load.Tx(), m.actor.School(), holder.State(), m.now); err != nil {
			return err
		}
	}
	created, _ := m.timestamps(l.CreatedAt, l.CreatedAt)
	p := person.Partnership{ID: person.PartnershipID{UUID: m.id(l.Kind, l.ID)}, Person: who.ID, Role: role, CreatedAt: created}
	register(m.partnerships, key, p.ID, m.line)
	m.batch.Partnerships = append(m.batch.Partnerships, p)
	m.created(l.Kind, 1)
	return nil
}

// ordinalNameOf returns the name in a line, or a fault if the number is invalid.
func ordinalNameOf(name string, nth int) (ordinalName, error) {
	if nth < 0 {
		return ordinalName{}, fault.Invalidf("nth", "must be at least 1")
	}
	return omitFirst(ordinalName{name, nth}), nil
}

// checkPrecedingOrdinal returns a fault if the name has number n > 1 but no record with number n-1
// is known.
func checkPrecedingOrdinal(t ordinalName, known func(ordinalName) bool) error {
	if t.nth > 1 && !known(omitFirst(ordinalName{t.name, t.nth - 1})) {
		return fault.Invalidf("nth", "is %d, but there is no %q with nth %d", t.nth, t.name, t.nth-1)
	}
	return nil
}

func (m *importer) importAssignment(l *format.Assignment) error {
	created, updated := m.timestamps(l.CreatedAt, l.UpdatedAt)
	a, err := assignment.New(assignment.ID{UUID: m.id(l.Kind, l.ID)}, l.Title, created)
	if err != nil {
		return err
	}
	s := a.State()
	key, err := ordinalNameOf(s.Title, l.Nth)
	if err != nil {
		return err
	}
	known, err := markSeen(m.assignments, key, m.line)
	if err != nil {
		return err
	}
	if known != nil { // an assignment has no attributes except its title
		return m.countUnchanged(l.Kind, nil)
	}
	if err := checkPrecedingOrdinal(key, func(t ordinalName) bool { return m.assignments[t] != nil }); err != nil {
		return err
	}
	s.UpdatedAt = updated
	register(m.assignments, key, s, m.line)
	m.batch.Assignments = append(m.batch.Assignments, assignment.Restore(s))
	m.created(l.Kind, 1)
	return nil
}

// withOrdinal returns a name followed by its number, unless that is 1.
func withOrdinal(name string, nth int) string {
	if nth < 2 {
		return name
	}
	return fmt.Sprintf("%s (%d)", name, nth)
}

func (m *importer) personByEmail(email string) (person.State, error) {
	return find(m.people, text.UniqueKey(email), "person", "person", email)
}

func (m *importer) courseByPermalink(permalink string) (course.State, error) {
	return find(m.courses, permalink, "course", "course", permalink)
}

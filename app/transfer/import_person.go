package transfer

import (
	"context"

	"lyceum/app/transfer/format"
	"lyceum/app/usecase"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/signin"
	"lyceum/domain/text"
	"lyceum/ports"
)

func (m *importer) importPerson(ctx context.Context, l *format.Person) error {
	created, updated := m.timestamps(l.CreatedAt, l.UpdatedAt)
	properties, err := m.sentProperties(property.People, l.Properties)
	if err != nil {
		return err
	}
	p, err := person.New(person.ID{UUID: m.id(l.Kind, l.ID)}, person.Profile{
		Email: l.Email, FirstName: orZero(l.FirstName), LastName: orZero(l.LastName), AvatarURL: orZero(l.AvatarURL),
		Unsubscribed: orZero(l.Unsubscribed), Properties: properties,
	}, created)
	if err != nil {
		return err
	}
	s := p.State()
	known, err := markSeen(m.people, text.UniqueKey(s.Email), m.line)
	switch {
	case err != nil:
		return err
	case known != nil:
		now := person.Restore(known.record)
		differs, err := m.updatePerson(&now, l, properties)
		if err != nil {
			return err
		}
		if differs {
			if err := m.creations.DecideChange(known.record, now.State()); err != nil {
				return err
			}
		}
		known.record = now.State()
		return m.saveIfChanged(l.Kind, differs, func() error {
			_, err := usecase.Update(ctx, m.load.Tx().People, known.record.ID, func(p *person.Person) (bool, error) {
				if !signin.SameAddress(p.State().Email, s.Email) { // another request has changed the address
					return false, ports.ErrChanged
				}
				_, err := m.updatePerson(p, l, properties)
				return true, err
			})
			return err
		})
	}
	s.UpdatedAt = updated
	if !l.ActivatedAt.IsZero() {
		s.ActivatedAt = &l.ActivatedAt.Time
	}
	if err := m.creations.Decide(s); err != nil {
		return registerVerdict(m.people, text.UniqueKey(s.Email), s, m.line, err)
	}
	register(m.people, text.UniqueKey(s.Email), s, m.line)
	m.batch.People = append(m.batch.People, person.Restore(s))
	m.created(l.Kind, 1)
	return nil
}

// updatePerson updates p from a line and reports whether anything changed. An activated person
// stays activated.
func (m *importer) updatePerson(p *person.Person, l *format.Person, properties property.Changes) (bool, error) {
	differs, err := p.Update(person.Changes{
		Email: &l.Email, FirstName: l.FirstName, LastName: l.LastName, AvatarURL: l.AvatarURL, Unsubscribed: l.Unsubscribed,
		Properties: properties,
	}, m.now)
	if s := p.State(); err == nil && s.ActivatedAt == nil && !l.ActivatedAt.IsZero() {
		s.ActivatedAt, s.UpdatedAt = &l.ActivatedAt.Time, m.now
		*p, differs = person.Restore(s), true
	}
	return differs, err
}

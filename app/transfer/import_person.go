package transfer

import (
	"context"

	"lyceum/app/transfer/format"
	"lyceum/domain/person"
	"lyceum/domain/text"
)

func (m *importing) person(ctx context.Context, l *format.Person) error {
	created, updated := m.times(l.CreatedAt, l.UpdatedAt)
	p, err := person.New(person.ID{UUID: m.id(l.Kind, l.ID)}, person.Profile{
		Email: l.Email, FirstName: orZero(l.FirstName), LastName: orZero(l.LastName), AvatarURL: orZero(l.AvatarURL),
		Unsubscribed: orZero(l.Unsubscribed),
	}, created)
	if err != nil {
		return err
	}
	s := p.State()
	known, err := claim(m.people, text.Key(s.Email), m.line)
	switch {
	case err != nil:
		return err
	case known != nil:
		now := person.Restore(known.is)
		differs, err := m.edit(&now, l)
		if err != nil {
			return err
		}
		return m.change(l.Kind, differs, func() error {
			tx := m.load.Tx()
			was, err := tx.People.Find(ctx, known.is.ID)
			if err == nil {
				_, err = m.edit(&was, l)
			}
			if err != nil {
				return err
			}
			return tx.People.Save(ctx, was)
		})
	}
	s.UpdatedAt = updated
	if !l.ActivatedAt.IsZero() {
		s.ActivatedAt = &l.ActivatedAt.Time
	}
	if err := m.creations.Decide(s); err != nil {
		return err
	}
	bring(m.people, text.Key(s.Email), s, m.line)
	m.batch.People = append(m.batch.People, person.Restore(s))
	m.created(l.Kind, 1)
	return nil
}

// edit makes a person as the line says and tells whether anything is different
// then. Who is activated stays it.
func (m *importing) edit(p *person.Person, l *format.Person) (bool, error) {
	differs, err := p.Edit(person.Edit{
		Email: &l.Email, FirstName: l.FirstName, LastName: l.LastName, AvatarURL: l.AvatarURL, Unsubscribed: l.Unsubscribed,
	}, m.now)
	if s := p.State(); err == nil && s.ActivatedAt == nil && !l.ActivatedAt.IsZero() {
		s.ActivatedAt, s.UpdatedAt = &l.ActivatedAt.Time, m.now
		*p, differs = person.Restore(s), true
	}
	return differs, err
}

package transfer

import (
	"context"
	"errors"
	"io"

	"github.com/google/uuid"
	"lyceum/app/transfer/format"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/domain/text"
)

// newSchool returns the school of the file's first line, which nobody has yet.
func (u *Transfers) newSchool(ctx context.Context, im Import) (school.School, error) {
	file, err := im.Open()
	if err != nil {
		return school.School{}, err
	}
	defer func() { _ = file.Close() }() // it was only read
	line, err := format.NewReader(file).Next()
	if err != nil && !errors.Is(err, io.EOF) {
		return school.School{}, err
	}
	head, err := headOf(line)
	if err != nil {
		return school.School{}, ImportErrors{{line.Number, line.Kind, err}}
	}
	auth, errAuth := school.Preregistration, error(nil)
	if head.Authentication != "" {
		auth, errAuth = school.ParseAuthMethod(head.Authentication)
	}
	created := head.CreatedAt.Or(u.deps.Clock.Now())
	id := school.ID{UUID: head.ID.UUID}
	if id.UUID == uuid.Nil {
		id.UUID = u.deps.IDs.New()
	}
	made, errName := school.New(id, head.Name, auth, created)
	if err := fault.Join(errName, errAuth); err != nil {
		return school.School{}, ImportErrors{{line.Number, line.Kind, err}}
	}
	if err := u.checkNew(ctx, made); err != nil {
		if fault.All(err) != nil && fault.All(err)[0].Field == "id" {
			return school.School{}, ImportErrors{{line.Number, line.Kind, err}}
		}
		return school.School{}, err
	}
	s := made.State()
	s.UpdatedAt = head.UpdatedAt.Or(created)
	return school.Restore(s), nil
}

// checkNew returns a fault if another school has the id or the name of made.
func (u *Transfers) checkNew(ctx context.Context, made school.School) error {
	all, err := u.deps.Schools.List(ctx)
	if err != nil {
		return err
	}
	s := made.State()
	for _, other := range all {
		if other.State().ID == s.ID {
			return fault.Invalidf("id", "is that of another school")
		}
		if other.State().Name == s.Name {
			return fault.Invalidf("school", "there is a school %q already", s.Name)
		}
	}
	return nil
}

// headOf returns the school of a file's first line.
func headOf(line format.Line) (*format.School, error) {
	head, ok := line.Record.(*format.School)
	switch {
	case line.Wrong != nil:
		return nil, line.Wrong
	case !ok:
		return nil, fault.Invalidf("kind", "the first line must be of the kind %s", format.SchoolKind)
	case head.Format != format.Format:
		return nil, fault.Invalidf("format", "must be %d, which is all that this version knows", format.Format)
	}
	return head, nil
}

// lineID is an id that a line gives a record of a kind.
type lineID struct {
	kind string
	id   uuid.UUID
}

// id returns the id of a record: that of its line in a file of a new school, else
// another one. Two lines of a kind with one id are refused.
func (m *importing) id(kind string, of format.ID) uuid.UUID {
	if of.UUID == uuid.Nil || m.made == nil {
		return m.deps.IDs.New()
	}
	key := lineID{kind, of.UUID}
	if line, ok := m.lineIDs[key]; ok {
		m.refuse(m.line, kind, fault.Invalidf("id", "is that of line %d", line))
	}
	m.lineIDs[key] = m.line
	return of.UUID
}

// apiKey takes an API key of a new school; a school that exists gets none from a file.
func (m *importing) apiKey(ctx context.Context, l *format.APIKey) error {
	if m.made == nil {
		return m.known(l.Kind, nil)
	}
	terms, errScope := school.KeyTerms{Name: l.Name, Scope: school.Admin}, error(nil)
	if l.Scope != "" {
		terms.Scope, errScope = school.ParseScope(l.Scope)
	}
	if errScope != nil {
		errScope = fault.At("scope", errScope)
		terms.Scope = school.Admin // so that the rest is checked
	}
	k, err := school.RestoreKey(school.KeyID{UUID: m.id(l.Kind, l.ID)}, m.made.State().ID, terms, l.Secret, m.now)
	if err := fault.Join(err, errScope); err != nil {
		return err
	}
	if line, ok := m.secrets[k.Hash]; ok {
		return fault.Invalidf("secret", "is that of line %d", line)
	}
	if m.load == nil {
		switch _, _, err := m.deps.Schools.FindKey(ctx, k.Hash); {
		case err == nil:
			return fault.Invalidf("secret", "is that of another key")
		case !fault.Is(err, fault.NotFound):
			return err
		}
	}
	m.secrets[k.Hash] = m.line
	m.apiKeys = append(m.apiKeys, k)
	m.created(l.Kind, 1)
	return nil
}

// invitation takes an invitation of a new school; a school that exists gets none
// from a file.
func (m *importing) invitation(ctx context.Context, l *format.Invitation) error {
	who, err := m.who(l.Person)
	if err != nil || m.made == nil {
		return m.known(l.Kind, err)
	}
	asked := l.CreatedAt.Or(m.now)
	link := invitation.Link{
		School: m.made.State().ID, Hash: invitation.HashToken(l.Token), Person: who.ID, Letter: job.ID{UUID: m.deps.IDs.New()},
		CreatedAt: asked, ExpiresAt: l.ExpiresAt.Or(asked.Add(invitation.Lifetime)),
	}
	var errUntil error
	if !link.ExpiresAt.After(asked) {
		errUntil = fault.Invalidf("expires_at", "must be after created_at")
	}
	if err := fault.Join(text.Token("token", l.Token), errUntil); err != nil {
		return err
	}
	for _, other := range m.links {
		switch {
		case other.Person == link.Person:
			return fault.Invalidf("person", "has an invitation already")
		case other.Hash == link.Hash:
			return fault.Invalidf("token", "is that of another invitation")
		}
	}
	if m.load == nil {
		switch _, err := m.deps.Schools.FindLink(ctx, link.Hash); {
		case err == nil:
			return fault.Invalidf("token", "is that of another invitation")
		case !fault.Is(err, fault.NotFound):
			return err
		}
	}
	m.links = append(m.links, link)
	m.created(l.Kind, 1)
	return nil
}

// addInvitations adds the invitations of a new school, whose people are added.
func (m *importing) addInvitations(ctx context.Context) error {
	if len(m.links) == 0 {
		return nil
	}
	repo := m.load.Tx().Invitations
	for _, l := range m.links {
		i := invitation.Invitation{Person: l.Person, Letter: l.Letter, AskedAt: l.CreatedAt}
		if err := repo.Put(ctx, []invitation.Invitation{i}); err != nil {
			return err
		}
		if err := repo.AddLink(ctx, l); err != nil {
			return err
		}
	}
	return nil
}

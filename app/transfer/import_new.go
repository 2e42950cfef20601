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

// newSchool returns the school described by the file's first line.
func (u *Transfers) newSchool(ctx context.Context, im Import) (school.School, error) {
	file, err := im.Open()
	if err != nil {
		return school.School{}, err
	}
	defer func() { _ = file.Close() }() // the file was only read, so the error does not matter
	line, err := format.NewReader(file).Next()
	if err != nil && !errors.Is(err, io.EOF) {
		return school.School{}, err
	}
	head, err := schoolRecord(line)
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
	if errName == nil {
		changes := school.Changes{PublicCovers: &head.PublicCovers}
		if head.Slug != "" {
			changes.Slug = &head.Slug
		}
		_, errName = made.Update(changes, created)
	}
	if err := fault.Join(errName, errAuth); err != nil {
		return school.School{}, ImportErrors{{line.Number, line.Kind, err}}
	}
	if err := u.deps.SetFreeSlug(ctx, &made, head.Slug); err != nil {
		return school.School{}, err
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

// checkNew returns a fault if an existing school has the ID or the same name as made.
func (u *Transfers) checkNew(ctx context.Context, made school.School) error {
	all, err := u.deps.Schools.List(ctx)
	if err != nil {
		return err
	}
	s := made.State()
	for _, other := range all {
		if other.State().ID == s.ID {
			return fault.Invalidf("id", "is already used by another school")
		}
		if school.SameName(other.State().Name, s.Name) {
			return fault.Invalidf("school", "a school named %q already exists", other.State().Name)
		}
	}
	return nil
}

// schoolRecord returns the record of a file's first line.
func schoolRecord(line format.Line) (*format.School, error) {
	head, ok := line.Record.(*format.School)
	switch {
	case line.Err != nil:
		return nil, line.Err
	case !ok:
		return nil, fault.Invalidf("kind", "the first line must have the kind %s", format.SchoolKind)
	case head.Format != format.Format:
		return nil, fault.Invalidf("format", "unsupported version (this release supports %d)", format.Format)
	}
	return head, nil
}

type lineID struct {
	kind string
	id   uuid.UUID
}

// id returns the ID of a record: the ID in its line if the school is new, otherwise a new ID. If an
// earlier line of the same kind has the same ID, it refuses the line.
func (m *importer) id(kind string, of format.ID) uuid.UUID {
	if of.UUID == uuid.Nil || m.made == nil {
		return m.deps.IDs.New()
	}
	key := lineID{kind, of.UUID}
	if line, ok := m.lineIDs[key]; ok {
		m.refuse(m.line, kind, fault.Invalidf("id", "is already used in line %d", line))
	}
	m.lineIDs[key] = m.line
	return of.UUID
}

// importAPIKey imports an API key of a new school. For an existing school the line is ignored.
func (m *importer) importAPIKey(ctx context.Context, l *format.APIKey) error {
	if m.made == nil {
		return m.countUnchanged(l.Kind, nil)
	}
	params, errScope := school.KeyParams{Name: l.Name, Scope: school.Admin}, error(nil)
	if l.Scope != "" {
		params.Scope, errScope = school.ParseScope(l.Scope)
	}
	if errScope != nil {
		errScope = fault.OnField("scope", errScope)
		params.Scope = school.Admin // so that the other fields are checked
	}
	k, err := school.RestoreKey(school.KeyID{UUID: m.id(l.Kind, l.ID)}, m.made.State().ID, params, l.Secret, m.now)
	if err := fault.Join(err, errScope); err != nil {
		return err
	}
	if line, ok := m.secrets[k.Hash]; ok {
		return fault.Invalidf("secret", "is already used in line %d", line)
	}
	if m.load == nil {
		if err := m.checkNewKey(ctx, k); err != nil {
			return err
		}
	}
	m.secrets[k.Hash] = m.line
	m.apiKeys = append(m.apiKeys, k)
	m.created(l.Kind, 1)
	return nil
}

// checkNewKey refuses an API key whose secret or ID belongs to another key of any school.
func (m *importer) checkNewKey(ctx context.Context, k school.Key) error {
	_, _, errSecret := m.deps.Schools.KeyByHash(ctx, k.Hash)
	_, errID := m.deps.Schools.OwnerOfKey(ctx, k.ID)
	for _, found := range []struct {
		field string
		err   error
	}{{"secret", errSecret}, {"id", errID}} {
		switch {
		case found.err == nil:
			return fault.Invalidf(found.field, "is already used by another key")
		case !fault.Is(found.err, fault.NotFound):
			return found.err
		}
	}
	return nil
}

// importInvitation imports an invitation of a new school. For an existing school the line is
// ignored.
func (m *importer) importInvitation(ctx context.Context, l *format.Invitation) error {
	p, err := m.personByEmail(l.Person)
	if err != nil || m.made == nil {
		return m.countUnchanged(l.Kind, err)
	}
	requested := l.CreatedAt.Or(m.now)
	link := invitation.Link{
		School: m.made.State().ID, Hash: invitation.HashToken(l.Token), Person: p.ID, MessageID: job.ID{UUID: m.deps.IDs.New()},
		CreatedAt: requested, ExpiresAt: l.ExpiresAt.Or(requested.Add(invitation.LinkLifetime)),
	}
	var errUntil error
	if !link.ExpiresAt.After(requested) {
		errUntil = fault.Invalidf("expires_at", "must be after created_at")
	}
	if err := fault.Join(text.Token("token", l.Token), errUntil); err != nil {
		return err
	}
	for _, other := range m.links {
		switch {
		case other.Person == link.Person:
			return fault.Invalidf("person", "already has an invitation")
		case other.Hash == link.Hash:
			return fault.Invalidf("token", "is already used by another invitation")
		}
	}
	if m.load == nil {
		switch _, err := m.deps.Schools.InvitationLinkByHash(ctx, link.Hash); {
		case err == nil:
			return fault.Invalidf("token", "is already used by another invitation")
		case !fault.Is(err, fault.NotFound):
			return err
		}
	}
	m.links = append(m.links, link)
	m.created(l.Kind, 1)
	return nil
}

func (m *importer) addInvitations(ctx context.Context) error {
	if len(m.links) == 0 {
		return nil
	}
	repo := m.load.Tx().Invitations
	for _, l := range m.links {
		i := invitation.Invitation{Person: l.Person, MessageID: l.MessageID, RequestedAt: l.CreatedAt}
		if err := repo.Upsert(ctx, []invitation.Invitation{i}); err != nil {
			return err
		}
		if err := repo.AddLink(ctx, l); err != nil {
			return err
		}
	}
	return nil
}

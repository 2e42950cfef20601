package memory

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/adapters/memory/tables"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"lyceum/ports"
)

var (
	_ ports.PersonReader = peopleReader{}
	_ ports.PersonRepo   = people{}
)

var personKind = ordered.Kind[person.Summary]{
	Name:   person.Type,
	Schema: person.Schema,
	ID:     func(p *person.Summary) uuid.UUID { return p.ID.UUID },
	Clone: func(p person.Summary) person.Summary {
		p.AvatarURL, p.ActivatedAt = tables.ClonePointer(p.AvatarURL), tables.ClonePointer(p.ActivatedAt)
		p.Partnerships = slices.Clone(p.Partnerships)
		return p
	},
	Unique: []ordered.Unique[person.Summary]{
		{Field: "email", Text: func(p *person.Summary) string { return p.Email }, Key: text.UniqueKey},
	},
}

var personEntity = entity[person.ID, person.Summary, person.Person]{
	table:   func(s *state) *versioned[*ordered.Table[person.Summary]] { return &s.people },
	restore: restorePerson,
	write:   func(row *person.Summary, p person.Person) { row.State = p.State() },
	properties: &rowProperties[person.Summary]{property.People, func(row *person.Summary) (*property.Values, *[]string) {
		return &row.Properties, &row.Defined
	}},
}

func restorePerson(p person.Summary) person.Person { return person.Restore(p.State) }

type peopleReader struct {
	tableReader[person.ID, person.Summary]
}

// ListAudience implements ports.PersonReader.
func (r peopleReader) ListAudience(ctx context.Context, in ports.Audience, q query.Query) (query.Result[person.Summary], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[person.Summary]{}, err
	}
	if in.Courses != nil {
		found := map[uuid.UUID]bool{}
		for _, id := range in.Courses {
			for e := range s.enrollments.table.Rows.Within("course.id", id.UUID).From(0) {
				found[e.Person.UUID] = true
			}
		}
		q = q.And(anyOf(person.Schema.Attr("uuid"), found))
	}
	if in.Groups != nil {
		found := map[uuid.UUID]bool{}
		for _, id := range in.Groups {
			for m := range s.membershipsIn(id).From(0) {
				found[m.Person.UUID] = true
			}
		}
		q = q.And(anyOf(person.Schema.Attr("uuid"), found))
	}
	return r.List(ctx, q)
}

// anyOf returns the condition that an attribute is in ids.
func anyOf(attr query.Attr, ids map[uuid.UUID]bool) query.Expr {
	c := query.Cond{Attr: attr, Op: query.Eq}
	for id := range ids {
		c.Values = append(c.Values, query.Value{ID: id})
	}
	return c
}

type people struct {
	entityRepo[person.ID, person.Summary, person.Person]
}

// ListAudience implements ports.PersonReader.
func (r people) ListAudience(ctx context.Context, in ports.Audience, q query.Query) (query.Result[person.Summary], error) {
	return peopleReader{r.tableReader}.ListAudience(ctx, in, q)
}

// AddPerson implements ports.Store.
func (s *store) AddPerson(ctx context.Context, id school.ID, n ports.NewPerson) (*person.Summary, error) {
	var added *person.Summary
	err := s.InTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		found, err := tx.School.Get(ctx)
		if err != nil || !slices.Contains(n.Admitting, found.State().Auth) {
			return err
		}
		ids, err := tx.People.AddIfAbsent(ctx, []person.Person{n.Person})
		if err != nil || len(ids) == 0 {
			return err
		}
		made, err := tx.People.Get(ctx, ids[0])
		added = &made
		if err != nil || !slices.Contains(n.Inviting, found.State().Auth) {
			return err
		}
		if err := tx.Invitations.Upsert(ctx, []invitation.Invitation{n.Invitation}); err != nil {
			return err
		}
		return tx.Jobs.Add(ctx, n.Job)
	})
	if err != nil {
		return nil, err
	}
	return added, nil
}

// ByEmail implements ports.PersonRepo.
func (r people) ByEmail(ctx context.Context, emails []string) (map[string]person.Person, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	return ordered.Holders(s.people.table, "email", emails, restorePerson), nil
}

// AddIfAbsent implements ports.PersonRepo.
func (r people) AddIfAbsent(ctx context.Context, ps []person.Person) ([]person.ID, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	fresh, ids, kept := map[string]person.State{}, map[person.ID]bool{}, []person.ID{}
	for _, p := range ps {
		row := p.State()
		key := text.UniqueKey(row.Email)
		_, held := s.people.table.Holder("email", row.Email)
		if _, alike := fresh[key]; held || alike {
			continue
		}
		if s.people.table.Has(row.ID.UUID) || ids[row.ID] {
			return nil, fmt.Errorf("memory: people: %w: %s", ports.ErrExists, row.ID)
		}
		fresh[key], ids[row.ID] = row, true
		kept = append(kept, row.ID)
	}
	for _, row := range fresh {
		if err := s.people.writable(s.version).Insert(person.Summary{State: row}); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

// Delete implements ports.PersonRepo.
func (r people) Delete(ctx context.Context, id person.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	p, err := s.people.table.Get(id.UUID)
	if err != nil {
		return err
	}
	if len(p.Partnerships) > 0 {
		return fmt.Errorf("memory: the person %s has partnerships", id)
	}
	if noun, ok := s.firstDependent(id); ok {
		return fmt.Errorf("memory: the person %s has %s", id, noun)
	}
	s.eraseAddresses(id, math.MaxInt)
	return s.people.writable(s.version).Remove(id.UUID)
}

// firstDependent returns the plural noun of the first kind of records, other than partnerships,
// that belong to the person. ok reports whether there are such records.
func (s *state) firstDependent(id person.ID) (noun string, ok bool) {
	_, invited := s.invitations.table.Get(id.UUID)
	_, hasTokens := s.personTokens.table.Get(id.UUID)
	attempted := false
	for range s.attempts.table.OfPerson(id) {
		attempted = true
		break
	}
	for _, kind := range []struct {
		noun   string
		exists bool
	}{
		{"enrollments", s.enrollmentsOf(id).Length() > 0},
		{"memberships", s.membershipsOf(id).Length() > 0},
		{"course attempts", attempted},
		{"quiz attempts", s.quizAttempts.table.OfPerson(id).Length() > 0},
		{"submissions", s.submissions.table.Rows.Within("person.id", id.UUID).Length() > 0},
		{"events", s.feed.table.rows.Within("person.id", id.UUID).Length() > 0},
		{"redemptions", s.redemptions.table.Rows.Within("person.id", id.UUID).Length() > 0},
		{"an invitation", invited},
		{"sessions", len(s.signIns.table.sessionsOf(id.UUID)) > 0},
		{"tokens", hasTokens},
	} {
		if kind.exists {
			return kind.noun, true
		}
	}
	return "", false
}

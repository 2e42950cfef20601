package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"lyceum/ports"
)

var (
	_ ports.PersonReader = personReader{}
	_ ports.PersonRepo   = people{}
)

var personKind = ordered.Kind[person.Summary]{
	Name:   person.Type,
	Schema: person.Schema,
	ID:     func(p *person.Summary) uuid.UUID { return p.ID.UUID },
	Clone: func(p person.Summary) person.Summary {
		p.State = clonePerson(p.State)
		p.Partnerships = slices.Clone(p.Partnerships)
		return p
	},
	Unique: []ordered.Unique[person.Summary]{
		{Field: "email", Text: func(p *person.Summary) string { return p.Email }, Key: text.Key},
	},
}

func clonePerson(p person.State) person.State {
	p.AvatarURL = clonePointer(p.AvatarURL)
	p.ActivatedAt = clonePointer(p.ActivatedAt)
	return p
}

func clonePointer[V any](p *V) *V {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

type personReader struct{ view view }

func (r personReader) List(ctx context.Context, q query.Query) (query.Result[person.Summary], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[person.Summary]{}, err
	}
	return s.people.table.List(ctx, q)
}

func (r personReader) Get(ctx context.Context, id person.ID) (person.Summary, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return person.Summary{}, err
	}
	return s.people.table.Get(id.UUID)
}

type people struct {
	personReader
	tx *tx
}

func (r people) Find(ctx context.Context, id person.ID) (person.Person, error) {
	p, err := r.Get(ctx, id)
	return person.Restore(p.State), err
}

func (r people) Load(ctx context.Context, ids []person.ID) (map[person.ID]person.Person, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	return ordered.GetMany(s.people.table, ids, func(p person.Summary) person.Person { return person.Restore(p.State) }), nil
}

func (r people) Add(ctx context.Context, p person.Person) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	return s.people.own(s.version).Insert(person.Summary{State: p.State()})
}

// AddPerson adds a person, if the school allows.
func (s *Store) AddPerson(ctx context.Context, id school.ID, n ports.NewPerson) (added bool, err error) {
	err = s.InTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		found, err := tx.School.Get(ctx)
		if err != nil || !slices.Contains(n.Admitting, found.State().Auth) {
			return err
		}
		if kept, err := tx.People.AddIfAbsent(ctx, []person.Person{n.Person}); err != nil || len(kept) == 0 {
			return err
		}
		added = true
		if !slices.Contains(n.Inviting, found.State().Auth) {
			return nil
		}
		if err := tx.Invitations.Put(ctx, []invitation.Invitation{n.Invitation}); err != nil {
			return err
		}
		return tx.Jobs.Add(ctx, n.Job)
	})
	return added && err == nil, err
}

func (r people) ByEmail(ctx context.Context, emails []string) (map[string]person.Person, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	found := make(map[string]person.Person, len(emails))
	for _, email := range emails {
		if p, ok := s.people.table.Holder("email", email); ok {
			found[text.Key(email)] = person.Restore(clonePerson(p.Row.State))
		}
	}
	return found, nil
}

func (r people) AddIfAbsent(ctx context.Context, ps []person.Person) ([]person.ID, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	fresh, ids, kept := map[string]person.State{}, map[person.ID]bool{}, []person.ID{}
	for _, p := range ps {
		row := p.State()
		key := text.Key(row.Email)
		_, held := s.people.table.Holder("email", row.Email)
		if _, alike := fresh[key]; held || alike {
			continue
		}
		if s.people.table.Has(row.ID.UUID) || ids[row.ID] {
			return nil, fmt.Errorf("memory: people: %w: %s", ports.ErrKnown, row.ID)
		}
		fresh[key], ids[row.ID] = row, true
		kept = append(kept, row.ID)
	}
	for _, row := range fresh {
		if err := s.people.own(s.version).Insert(person.Summary{State: row}); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

func (r people) Save(ctx context.Context, p person.Person) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	next := p.State()
	return s.people.own(s.version).Update(next.ID.UUID, func(row *person.Summary) { row.State = next })
}

func (r people) Remove(ctx context.Context, id person.ID) error {
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
	if noun, ok := s.holding(id); ok {
		return fmt.Errorf("memory: the person %s has %s", id, noun)
	}
	return s.people.own(s.version).Remove(id.UUID)
}

// holding returns what there is of a person's beside the partnerships: the
// plural noun of the first kind.
func (s *state) holding(id person.ID) (noun string, ok bool) {
	for range s.enrollments.table.of(id) {
		return "enrollments", true
	}
	for range membershipsOf(s, id) {
		return "memberships", true
	}
	for range s.attempts.table.of(id) {
		return "course attempts", true
	}
	for range s.quizAttempts.table.of(id) {
		return "quiz attempts", true
	}
	for range s.submissions.table.rows.Within("person.id", id.UUID).From(0) {
		return "submissions", true
	}
	for range s.feed.table.rows.Within("person.id", id.UUID).From(0) {
		return "events", true
	}
	for range s.redemptions.table.rows.Within("person.id", id.UUID).From(0) {
		return "redemptions", true
	}
	if _, ok := s.invited.table.Get(id.UUID); ok {
		return "an invitation", true
	}
	return "", false
}

package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

// Learners is what can be done with the learners among the people; nobody else
// exists for it.
type Learners struct{ deps usecase.Deps }

// learnersOnly is the condition that keeps others out of a list.
var learnersOnly = query.Cond{
	Attr: person.Schema.Attr("learner"), Op: query.Eq, Values: []query.Value{{Bool: true}},
}

// List returns a page of learners.
func (u *Learners) List(ctx context.Context, a Actor, q query.Query) (query.Result[person.Summary], error) {
	return u.deps.Store.Read(a.School()).People.List(ctx, q.And(learnersOnly))
}

// Get returns one learner.
func (u *Learners) Get(ctx context.Context, a Actor, id person.ID) (person.Summary, error) {
	s, err := u.deps.Store.Read(a.School()).People.Get(ctx, id)
	if err != nil {
		return person.Summary{}, err
	}
	return s, person.CheckLearner(s)
}

// Create adds a learner and invites them, as People.Create does.
func (u *Learners) Create(ctx context.Context, a Actor, profile person.Profile) (person.Summary, error) {
	return admit(ctx, u.deps, a, profile)
}

// Delete removes a learner and all that is theirs for good. Who has a part in
// running the school is refused.
func (u *Learners) Delete(ctx context.Context, a Actor, id person.ID) error {
	return u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		return remove(ctx, u.deps, tx, id, person.CheckLearner, person.CheckDeletion)
	})
}

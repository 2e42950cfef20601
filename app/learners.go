package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/person"
	"lyceum/domain/query"
)

// Learners manages the people who are learners. It treats all other people as missing.
type Learners struct{ deps usecase.Deps }

// learnersOnly selects learners.
var learnersOnly = query.Cond{
	Attr: person.Schema.Attr("learner"), Op: query.Eq, Values: []query.Value{{Bool: true}},
}

// List returns a page of learners.
func (u *Learners) List(ctx context.Context, a Actor, q query.Query) (query.Result[person.Summary], error) {
	return listPeople(ctx, u.deps, a, q.And(learnersOnly))
}

// Get returns the learner with the given id, or NotFound if it does not exist.
func (u *Learners) Get(ctx context.Context, a Actor, id person.ID) (person.Summary, error) {
	s, err := getPerson(ctx, u.deps, a, id)
	if err != nil {
		return person.Summary{}, err
	}
	return s, person.CheckLearner(s)
}

// Create adds and invites a learner, like People.Create.
func (u *Learners) Create(ctx context.Context, a Actor, profile person.Profile) (person.Summary, error) {
	return createPerson(ctx, u.deps, a, profile)
}

// Delete deletes a learner and their data. A person with a partnership cannot be deleted.
func (u *Learners) Delete(ctx context.Context, a Actor, id person.ID) error {
	return deletePerson(ctx, u.deps, a, id, person.CheckLearner)
}

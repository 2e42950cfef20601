package app

import (
	"context"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/query"
	"lyceum/ports"
)

// markDeletable sets the field Deletable of each person: whether the rules allow a to delete the
// person. It reads nothing but the school's record.
func markDeletable(ctx context.Context, d usecase.Deps, a Actor, r ports.SchoolReader, people ...*person.Summary) error {
	by, err := d.Request(ctx, r, a, d.Clock.Now())
	for _, p := range people {
		_, refusal := policy.Effect(admission.CheckDeletingPerson(d.Policies.Living, by, *p))
		if refusal != nil && !fault.IsRefusal(refusal) {
			return refusal
		}
		p.Deletable = refusal == nil
	}
	return err
}

// listPeople returns a page of people. A learner sees only themselves.
func listPeople(ctx context.Context, d usecase.Deps, a Actor, q query.Query) (query.Result[person.Summary], error) {
	return listAudience(ctx, d, a, ports.Audience{}, q)
}

// listAudience is like listPeople, but restricted to the people of an audience.
func listAudience(ctx context.Context, d usecase.Deps, a Actor, in ports.Audience, q query.Query) (query.Result[person.Summary], error) {
	a, q = a.Own(q, person.Schema.Attr("uuid"))
	r := d.Read(a)
	page, err := r.People.ListAudience(ctx, in, q)
	if err != nil {
		return page, err
	}
	people := make([]*person.Summary, len(page.Items))
	for i := range page.Items {
		people[i] = &page.Items[i]
	}
	return page, markDeletable(ctx, d, a, r.School, people...)
}

// getPerson returns one person. For a learner, it returns NotFound for any other person.
func getPerson(ctx context.Context, d usecase.Deps, a Actor, id person.ID) (person.Summary, error) {
	if err := a.OnRecordOf(id); err != nil {
		return person.Summary{}, err
	}
	r := d.Read(a.Permit())
	p, err := r.People.Get(ctx, id)
	if err != nil {
		return p, err
	}
	err = markDeletable(ctx, d, a, r.School, &p)
	return p, err
}

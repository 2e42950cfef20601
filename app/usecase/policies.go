package usecase

import (
	"context"
	"time"

	"lyceum/domain/fault"
	"lyceum/domain/policy"
	"lyceum/ports"
)

// Quotas limit the records of each school; 0: no limit.
type Quotas struct {
	People int64 // learners and staff
	Bytes  int64 // of all submitted files
}

// Policies are the rules of all schools of an installation. All use cases share one value.
type Policies struct {
	Living   policy.Set // rules on what happens in a school
	Restored policy.Set // rules on an import that asks no policies: only the quotas
	MaxBytes int64      // of all submitted files; 0: no bound

	loadsSchool   bool // whether a rule needs the school
	loadsLearners bool // whether an added rule is about what learners do
}

// NewPolicies returns the policies with the quotas q, the standard rules and the added rules.
func NewPolicies(q Quotas, added policy.Set) Policies {
	var quotas policy.Set
	if q.People != 0 {
		quotas.CreatePerson = policy.Rules[policy.CreatingPerson]{policy.MaxPeople(q.People)}
	}
	return Policies{
		Living: quotas.With(policy.Standard()).With(added), Restored: quotas, MaxBytes: q.Bytes,
		loadsSchool: added.Needs().Has(policy.School), loadsLearners: added.AsksLearners(),
	}
}

// LoadsLearners reports whether the records of learners and courses are loaded for the rules on
// what learners do. The standard rules need only the attempts.
func (p Policies) LoadsLearners() bool { return p.loadsLearners }

// RequestOf returns a request of a at now, without the school.
func RequestOf(a Actor, now time.Time) policy.Request {
	return policy.Request{By: policy.Actor{Key: a.key, Scope: a.scope}, At: now}
}

// Request returns what rules get about a request of a at now.
func (d Deps) Request(ctx context.Context, r ports.SchoolReader, a Actor, now time.Time) (policy.Request, error) {
	by := RequestOf(a, now)
	if !d.Policies.loadsSchool {
		return by, nil
	}
	s, err := r.Get(ctx)
	by.School = s.State()
	return by, err
}

// AtData returns err with its Invalid faults that have no field on the data of the document as a
// whole. It is for verdicts on requests about one record.
func AtData(err error) error {
	if !fault.IsRefusal(err) {
		return err
	}
	var all []error
	for _, f := range fault.All(err) {
		if f.Kind == fault.Invalid {
			all = append(all, fault.AtBlank("data", f))
		} else {
			all = append(all, f)
		}
	}
	return fault.Join(all...)
}

package usecase

import (
	"context"
	"time"

	"lyceum/domain/fault"
	"lyceum/domain/policy"
	"lyceum/domain/school"
	"lyceum/ports"
)

// Quotas limit what each school can store. For each field, 0 means no limit.
type Quotas struct {
	People int64 // learners and staff
	Bytes  int64 // total size of a school's submitted files, in bytes
}

// Policies contains the rules for all schools of an installation. All use cases share one Policies.
type Policies struct {
	Living   policy.Set // rules for use cases: the quotas, the standard rules and the added rules
	Restored policy.Set // rules for an import without policy checks: only the quotas
	MaxBytes int64      // total size of a school's submitted files, in bytes; 0: no limit

	loadsSchool   bool // whether an added rule needs the school
	loadsLearners bool // whether an added rule is about learning
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

// LoadsLearners reports whether records of learners and courses must be loaded for rules on
// learning. The standard rules need only attempts.
func (p Policies) LoadsLearners() bool { return p.loadsLearners }

// RequestOf returns the policy.Request for a request that the actor a makes at time now. Its School
// is not set.
func RequestOf(a Actor, now time.Time) policy.Request {
	return policy.Request{By: policy.Actor{Key: a.key, Scope: a.scope, Learner: a.learner, Staff: a.staff}, At: now}
}

// Request returns the policy.Request for a request that the actor a makes at time now. It sets the
// school if a rule needs it.
func (d Deps) Request(ctx context.Context, r ports.SchoolReader, a Actor, now time.Time) (policy.Request, error) {
	by := RequestOf(a, now)
	if !d.Policies.loadsSchool {
		return by, nil
	}
	s, err := r.Get(ctx)
	d.SetSchool(&by, s)
	return by, err
}

// SetSchool sets the school of a request to s if a rule needs it.
func (d Deps) SetSchool(by *policy.Request, s school.School) {
	if d.Policies.loadsSchool {
		by.School = s.State()
	}
}

// AtData returns err, with "data" as the field of Invalid faults that have none. Use it for the
// verdict on a request about a single record.
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

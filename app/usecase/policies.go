package usecase

import "lyceum/domain/policy"

// Quotas bound what a school may hold. 0 means no bound.
type Quotas struct {
	People int64 // people, of every kind
	Bytes  int64 // bytes of the files of all submissions
}

// Policies is what the schools of an installation allow. All use cases share it.
type Policies struct {
	Living   policy.Set // the rules on what happens in a school
	Restored policy.Set // the rules on a school that is restored as it was: the quotas alone
	MaxBytes int64      // bytes of the files of all submissions; 0: no bound
}

// NewPolicies returns what schools with the quotas q allow, with the rules of added
// in addition to the standard ones.
func NewPolicies(q Quotas, added policy.Set) Policies {
	var quotas policy.Set
	if q.People != 0 {
		quotas.Create = policy.Rules[policy.Creating]{policy.MaxPeople(q.People)}
	}
	return Policies{Living: quotas.With(policy.Standard()).With(added), Restored: quotas, MaxBytes: q.Bytes}
}

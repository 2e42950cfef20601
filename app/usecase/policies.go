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
	Restored policy.Set // the rules on a school that is restored as it was: none is added to them
	MaxBytes int64      // bytes of the files of all submissions; 0: no bound
}

// NewPolicies returns what schools with the quotas q allow, with the rules of added
// besides the standard ones.
func NewPolicies(q Quotas, added policy.Set) Policies {
	standard := policy.Standard()
	if q.People != 0 {
		standard.Create = append(policy.Rules[policy.Creating]{policy.MaxPeople(q.People)}, standard.Create...)
	}
	return Policies{Living: standard.With(added), Restored: standard, MaxBytes: q.Bytes}
}

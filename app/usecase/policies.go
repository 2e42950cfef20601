package usecase

import "lyceum/domain/policy"

// Quotas limit the records of each school; 0: no limit.
type Quotas struct {
	People int64 // learners and staff
	Bytes  int64 // of all submitted files
}

// Policies are the rules of all schools of an installation. All use cases share one value.
type Policies struct {
	Living   policy.Set // rules for requests
	Restored policy.Set // rules for importing a backup: only the quotas
	MaxBytes int64      // of all submitted files; 0: no limit
}

// NewPolicies returns the policies with the quotas q, the standard rules and the added rules.
func NewPolicies(q Quotas, added policy.Set) Policies {
	var quotas policy.Set
	if q.People != 0 {
		quotas.Create = policy.Rules[policy.Creating]{policy.MaxPeople(q.People)}
	}
	return Policies{Living: quotas.With(policy.Standard()).With(added), Restored: quotas, MaxBytes: q.Bytes}
}

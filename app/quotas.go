package app

import (
	"lyceum/app/usecase"
	"lyceum/domain/policy"
)

// SetQuotas sets the quotas of each school. It must be called before any use case.
func (a *App) SetQuotas(q Quotas) {
	a.quotas = q
	*a.policies = usecase.NewPolicies(a.quotas, a.added)
}

// SetPolicies adds rules to the standard ones, for each school. It must be called before any use
// case.
func (a *App) SetPolicies(added policy.Set) {
	a.added = added
	*a.policies = usecase.NewPolicies(a.quotas, a.added)
}

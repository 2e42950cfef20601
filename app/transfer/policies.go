package transfer

// Policies determines whether an import checks the rules of package policy. Quotas always apply.
type Policies uint8

const (
	// DefaultPolicies checks the rules for an import into an existing school, but not for a new
	// school, so that a backup can be restored even if the rules have changed.
	DefaultPolicies Policies = iota
	// AskPolicies checks the rules in every import.
	AskPolicies
	// SkipPolicies checks only the quotas, in every import.
	SkipPolicies
)

// asks reports whether the import checks the rules. isNew is true if the import creates the school.
func (p Policies) asks(isNew bool) bool { return p == AskPolicies || p == DefaultPolicies && !isNew }

// without returns a copy of u whose use cases check no rules except the quotas.
func (u *Transfers) without() *Transfers {
	rules, other := *u.deps.Policies, *u
	rules.Living = rules.Restored
	other.deps.Policies = &rules
	return &other
}

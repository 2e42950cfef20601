package transfer

// Policies says whether an import asks the rules of package policy. The quotas always apply.
type Policies uint8

const (
	// DefaultPolicies asks the rules about an import into an existing school, but not about a new
	// one: a backup can be restored after the rules have changed.
	DefaultPolicies Policies = iota
	// AskPolicies asks the rules about each line.
	AskPolicies
	// SkipPolicies asks no rule.
	SkipPolicies
)

// asks reports whether the rules are asked; isNew means that the import creates the school.
func (p Policies) asks(isNew bool) bool { return p == AskPolicies || p == DefaultPolicies && !isNew }

// without returns the use cases without rules but the quotas.
func (u *Transfers) without() *Transfers {
	rules, other := *u.deps.Policies, *u
	rules.Living = rules.Restored
	other.deps.Policies = &rules
	return &other
}

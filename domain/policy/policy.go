// Package policy defines what a school allows: for each decision the rules that are asked before
// anything is saved. The functions that ask them are in app/admission and app/learning, one for
// each decision. docs/adding-a-rule.md shows how to add a rule.
package policy

import "lyceum/domain/fault"

// Need is what must be loaded and locked before rules are asked. A greater Need includes the
// smaller ones.
type Need uint8

const (
	// Nothing needs no record: only the IDs of the decision's records are set.
	Nothing Need = iota
	// Records needs the records of the decision, locked against deletion.
	Records
	// Count needs the exact number in the decision: the record whose number it is, is locked until
	// the end of the transaction against other decisions that change the number.
	Count
)

// Rule is a rule on a decision T.
type Rule[T any] struct {
	Needs Need
	// Check returns a fault if the rule forbids the decision. It depends only on the decision and
	// may be called more than once.
	Check func(T) error
}

// Rules is the rules on a decision, in the order in which they are asked.
type Rules[T any] []Rule[T]

// Need returns the greatest need of the rules.
func (r Rules[T]) Need() Need {
	greatest := Nothing
	for _, rule := range r {
		greatest = max(greatest, rule.Needs)
	}
	return greatest
}

// Check returns the faults of all rules that forbid the decision d.
func (r Rules[T]) Check(d T) error {
	if len(r) == 0 {
		return nil
	}
	errs := make([]error, len(r))
	for i, rule := range r {
		errs[i] = rule.Check(d)
	}
	return fault.Join(errs...)
}

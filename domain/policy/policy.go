// Package policy defines the rules that a request must satisfy before anything is saved, grouped by
// decision. The functions that apply the rules, one for each decision, are in app/admission and
// app/learning. To add a rule, see docs/adding-a-rule.md and docs/extending.md.
package policy

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"lyceum/domain/fault"
)

// Need is data or a lock that a decision has only if one of its rules asks for it. Needs are
// combined with |. The records that a decision contains need not be requested: they are always
// loaded, and locked against deletion.
type Need uint8

const (
	// Count makes the number in the decision exact. Until the end of the transaction, the record
	// that the number belongs to is locked against other decisions that would change the number.
	Count Need = 1 << iota
	// Progress loads the progress in the decision and locks it against change.
	Progress
	// School loads the record of the school (Request.School).
	School
)

// Has reports whether n includes all of needed.
func (n Need) Has(needed Need) bool { return n&needed == needed }

// NoEffect is the verdict of a rule that accepts a request but prevents its effect: the response is
// the same as on success, but the change that the decision is about is not saved. A fault from
// another rule takes precedence.
var NoEffect = errors.New("policy: accepted without effect")

// Rule is a rule on decisions of the type T.
type Rule[T any] struct {
	Needs Need
	// Check returns a fault if the rule forbids the decision, NoEffect, or nil. Its result must
	// depend only on the decision. It must not change the decision, and it may be called more than
	// once for the same decision.
	Check func(T) error
}

// ask returns the verdict of the rule. If the rule panics, ask returns an error, so that only this
// request fails: a rule may be code of a product that embeds the server.
func (r Rule[T]) ask(d T) (verdict error) {
	defer func() {
		if cause := recover(); cause != nil {
			verdict = fmt.Errorf("policy: a rule panicked: %v\n%s", cause, debug.Stack())
		}
	}()
	return r.Check(d)
}

// Rules contains the rules on a decision, in the order in which they are checked.
type Rules[T any] []Rule[T]

// Needs returns the needs of all rules.
func (r Rules[T]) Needs() Need {
	var all Need
	for _, rule := range r {
		all |= rule.Needs
	}
	return all
}

// Check returns the faults of all rules that forbid the decision d. If there are none, it returns
// NoEffect if a rule does, and otherwise nil.
func (r Rules[T]) Check(d T) error {
	if len(r) == 0 {
		return nil
	}
	verdicts := make([]error, len(r))
	for i, rule := range r {
		verdicts[i] = rule.ask(d)
	}
	return Combine(verdicts...)
}

// Combine returns the verdict on a request from the verdicts on its decisions. If there are faults,
// it returns all of them without duplicates. Otherwise it returns NoEffect if one of the verdicts
// is NoEffect, and nil if none is.
func Combine(verdicts ...error) error {
	var noEffect error
	var refused []error
	for _, v := range verdicts {
		switch {
		case v == nil: // most verdicts
		case errors.Is(v, NoEffect):
			noEffect = NoEffect
		default:
			refused = append(refused, v)
		}
	}
	if err := distinct(fault.Join(refused...)); err != nil {
		return err
	}
	return noEffect
}

// distinct returns err without duplicate faults. A request can cause several decisions to which the
// same rule applies.
func distinct(err error) error {
	if !fault.IsRefusal(err) {
		return err
	}
	var kept []error
	for _, f := range fault.All(err) {
		if !slices.ContainsFunc(kept, func(k error) bool { return k.Error() == f.Error() }) {
			kept = append(kept, f)
		}
	}
	return fault.Join(kept...)
}

// Effect splits a verdict: it returns the faults, and whether the request has an effect.
func Effect(verdict error) (effect bool, err error) {
	if errors.Is(verdict, NoEffect) {
		return false, nil
	}
	return verdict == nil, verdict
}

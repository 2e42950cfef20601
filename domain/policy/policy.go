// Package policy defines what a school allows: for each decision the rules that are asked before
// anything is saved. The functions that ask them, one for each decision, are in app/admission and
// app/learning; docs/adding-a-rule.md and docs/extending.md show how to add a rule.
package policy

import (
	"errors"
	"fmt"
	"runtime/debug"

	"lyceum/domain/fault"
)

// Need is what is loaded or locked only if a rule needs it. Needs are combined with |. The records
// of a decision need not be named: they are always loaded, and locked against deletion.
type Need uint8

const (
	// Count needs the number in the decision to be exact: the record that the number belongs to is
	// locked against other decisions that change it, until the end of the transaction.
	Count Need = 1 << iota
	// Progress needs the progress in the decision: it is loaded, and locked against change.
	Progress
	// School needs the record of the school (Request.School).
	School
)

// Has reports whether n includes all of needed.
func (n Need) Has(needed Need) bool { return n&needed == needed }

// NoEffect is returned by a rule that accepts a request without effect: the response is the usual
// one of success, and nothing is saved. If another rule refuses, the request is refused.
//
//lint:ignore ST1012 it reports no failure
var NoEffect = errors.New("policy: accepted without effect")

// Rule is a rule on a decision T.
type Rule[T any] struct {
	Needs Need
	// Check returns a fault if the rule forbids the decision, NoEffect, or nil. It depends only on
	// the decision, does not change it, and may be called more than once for the same one.
	Check func(T) error
}

// ask returns the verdict of the rule. A panic of the rule, which may be code of a product, is a
// defect of this request and does not end the server.
func (r Rule[T]) ask(d T) (verdict error) {
	defer func() {
		if cause := recover(); cause != nil {
			verdict = fmt.Errorf("policy: a rule panicked: %v\n%s", cause, debug.Stack())
		}
	}()
	return r.Check(d)
}

// Rules is the rules on a decision, in the order in which they are asked.
type Rules[T any] []Rule[T]

// Needs returns the needs of all rules.
func (r Rules[T]) Needs() Need {
	var all Need
	for _, rule := range r {
		all |= rule.Needs
	}
	return all
}

// Check returns the faults of all rules that forbid the decision d. If none does, it returns
// NoEffect if a rule does.
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

// Combine returns the verdict on a request about which several verdicts were given: all faults
// together; without faults NoEffect, if it is one of them; otherwise nil.
func Combine(verdicts ...error) error {
	var noEffect error
	refused := make([]error, 0, len(verdicts))
	for _, v := range verdicts {
		if errors.Is(v, NoEffect) {
			noEffect = NoEffect
		} else {
			refused = append(refused, v)
		}
	}
	if err := fault.Join(refused...); err != nil {
		return err
	}
	return noEffect
}

// Effect separates the two verdicts that save nothing: it returns the faults, and whether the
// request has an effect.
func Effect(verdict error) (effect bool, err error) {
	if errors.Is(verdict, NoEffect) {
		return false, nil
	}
	return verdict == nil, verdict
}

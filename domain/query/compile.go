package query

import (
	"slices"
	"strings"
)

// Compile returns e as a predicate over records; a nil e selects every record. It looks up the
// attributes of e once, by their Source, and panics if the schema lacks one of them.
func (s Schema[T]) Compile(e Expr) func(*Record[T]) bool {
	selected := s.attributes.Compile(e)
	return func(r *Record[T]) bool { return selected(r.Entry()) }
}

// Compile is like Schema.Compile.
func (s *Attributes) Compile(e Expr) func(Entry) bool {
	switch e := e.(type) {
	case nil:
		return func(Entry) bool { return true }
	case And:
		return joinPredicates(s.compileAll(e), false)
	case Or:
		return joinPredicates(s.compileAll(e), true)
	case Cond:
		return s.compileCond(e)
	}
	panic("query: a node that is neither And, Or nor Cond")
}

func (s *Attributes) compileAll(parts []Expr) []func(Entry) bool {
	preds := make([]func(Entry) bool, len(parts))
	for i, p := range parts {
		preds[i] = s.Compile(p)
	}
	return preds
}

// joinPredicates combines predicates: with "or" if decisive is true, and with "and" if it is false.
// The first predicate that returns decisive decides the result.
func joinPredicates[R any](preds []func(R) bool, decisive bool) func(R) bool {
	return func(r R) bool {
		for _, holds := range preds {
			if holds(r) == decisive {
				return decisive
			}
		}
		return !decisive
	}
}

func (s *Attributes) compileCond(c Cond) func(Entry) bool {
	if c.Attr.Kind != Text || c.Op == Null || c.Op == Eq || c.Op == NotEq {
		holds := s.testCond(c)
		return func(e Entry) bool { return holds(e.row) }
	}
	col := s.column(c.Attr)
	match, wanted := matchFold(c.Op, c.Values), c.Op != NotCont
	return func(e Entry) bool {
		return !col.null(e.row) && match(col.fold(e)) == wanted
	}
}

// testCond returns the predicate over rows for a condition that does not compare folds.
func (s *Attributes) testCond(c Cond) func(row any) bool {
	col := s.column(c.Attr)
	switch c.Op {
	case Null:
		return func(row any) bool {
			null := col.null(row)
			return slices.ContainsFunc(c.Values, func(v Value) bool { return v.Bool == null })
		}
	case Eq, NotEq:
		equal, wanted := col.equals(c.Values), c.Op == Eq
		return func(row any) bool {
			v := col.get(row)
			return !v.Null && equal(v) == wanted
		}
	}
	match := matchOrder(c.Attr.Kind, c.Op, c.Values)
	return func(row any) bool {
		v := col.get(row)
		return !v.Null && match(v)
	}
}

// matchFold returns a predicate that compares a fold with values by op, and reports whether one of
// the comparisons holds. For NotCont, the caller negates the result.
func matchFold(op Op, values []Value) func(fold string) bool {
	var holds func(fold, operand string) bool
	switch op {
	case Cont, NotCont:
		holds = strings.Contains
	case Start:
		holds = strings.HasPrefix
	case End:
		holds = strings.HasSuffix
	case Lt:
		holds = func(fold, operand string) bool { return fold < operand }
	case Lteq:
		holds = func(fold, operand string) bool { return fold <= operand }
	case Gt:
		holds = func(fold, operand string) bool { return fold > operand }
	case Gteq:
		holds = func(fold, operand string) bool { return fold >= operand }
	default:
		panic("query: no comparison of folds")
	}
	return func(fold string) bool {
		for i := range values {
			if holds(fold, values[i].Fold) {
				return true
			}
		}
		return false
	}
}

// matchOrder returns a predicate that compares a non-null value with values by op, and reports
// whether one of the comparisons holds.
func matchOrder(kind Kind, op Op, values []Value) func(Value) bool {
	compare := comparison(kind)
	var holds func(v, operand Value) bool
	switch op {
	case Lt:
		holds = func(v, operand Value) bool { return compare(v, operand) < 0 }
	case Gteq:
		holds = func(v, operand Value) bool { return compare(v, operand) >= 0 }
	case Lteq:
		holds = func(v, operand Value) bool { return !greaterThanAll(kind, v, operand) }
	case Gt:
		holds = func(v, operand Value) bool { return greaterThanAll(kind, v, operand) }
	default:
		panic("query: no comparison of this kind of attribute")
	}
	return func(v Value) bool {
		for i := range values {
			if holds(v, values[i]) {
				return true
			}
		}
		return false
	}
}

package query

import "strings"

// Compile returns the predicate over records that e stands for; nil selects
// every record. The attributes of e are resolved here, once, by their Source;
// it panics when the schema has no such field.
func (s Schema[T]) Compile(e Expr) func(*Record[T]) bool {
	switch e := e.(type) {
	case nil:
		return func(*Record[T]) bool { return true }
	case And:
		return s.compileGroup(e, false)
	case Or:
		return s.compileGroup(e, true)
	case Cond:
		return s.compileCond(e)
	}
	panic("query: a node that is neither And, Or nor Cond")
}

// compileGroup joins parts: the group has the value decisive as soon as one of
// the parts has it, and the opposite when none has.
func (s Schema[T]) compileGroup(parts []Expr, decisive bool) func(*Record[T]) bool {
	preds := make([]func(*Record[T]) bool, len(parts))
	for i, p := range parts {
		preds[i] = s.Compile(p)
	}
	return func(r *Record[T]) bool {
		for _, holds := range preds {
			if holds(r) == decisive {
				return decisive
			}
		}
		return !decisive
	}
}

func (s Schema[T]) compileCond(c Cond) func(*Record[T]) bool {
	col := s.column(c.Attr)
	switch {
	case c.Op == Null:
		return func(r *Record[T]) bool {
			null := col.null(r)
			for _, v := range c.Values {
				if v.Bool == null {
					return true
				}
			}
			return false
		}
	case c.Op == Eq || c.Op == NotEq:
		equal, wanted := col.equals(c.Values), c.Op == Eq
		return func(r *Record[T]) bool {
			v := col.get(&r.Row)
			return !v.Null && equal(v) == wanted
		}
	case c.Attr.Kind == Text:
		match, wanted := matchFold(c.Op, c.Values), c.Op != NotCont
		return func(r *Record[T]) bool {
			return !col.null(r) && match(col.fold(r)) == wanted
		}
	}
	match := matchOrder(c.Attr.Kind, c.Op, c.Values)
	return func(r *Record[T]) bool {
		v := col.get(&r.Row)
		return !v.Null && match(v)
	}
}

// matchFold tells whether a fold stands in the relation op to one of values;
// the caller turns NotCont round.
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

// matchOrder tells whether a value that is not null stands in the relation op
// to one of values.
func matchOrder(kind Kind, op Op, values []Value) func(Value) bool {
	compare := comparison(kind)
	var holds func(v, operand Value) bool
	switch op {
	case Lt:
		holds = func(v, operand Value) bool { return compare(v, operand) < 0 }
	case Gteq:
		holds = func(v, operand Value) bool { return compare(v, operand) >= 0 }
	case Lteq:
		holds = func(v, operand Value) bool { return !beyond(kind, v, operand) }
	case Gt:
		holds = func(v, operand Value) bool { return beyond(kind, v, operand) }
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

package query

// Derivation defines an attribute by a condition on other attributes of the same schema, so that
// all stores compute, filter and sort the attribute in the same way.
type Derivation struct {
	Where      Expr   // a condition on attributes that are not derived
	Then, Else string // values of a text attribute if Where holds, and if it does not
}

// Where returns a condition for use in derived fields: the comparison of the attribute with the
// given name and value by op. Define looks up the name.
func Where(name string, op Op, value Value) Cond {
	return Cond{Attr: Attr{Name: name}, Op: op, Values: []Value{value}}
}

// DerivedBoolean returns a field of kind Boolean that is true if the condition holds.
func DerivedBoolean[T any](name string, where Expr) Field[T] {
	f := newField(name, Boolean, false, nil)
	f.attr.Derived = &Derivation{Where: where}
	return Field[T]{f}
}

// DerivedText returns a field of kind Text. Its value is then if the condition holds, and other if
// it does not.
func DerivedText[T any](name string, where Expr, then, other string) Field[T] {
	f := newField(name, Text, false, nil)
	f.attr.Derived = &Derivation{Where: where, Then: then, Else: other}
	return Field[T]{f}
}

// resolved returns f with the attributes of its condition looked up in s and a function that reads
// its value.
func (s *Attributes) resolved(f field) field {
	d := *f.attr.Derived
	d.Where = s.resolve(d.Where)
	f.attr.Derived = &d
	holds := s.test(d.Where)
	f.get = func(row any) Value {
		switch {
		case f.attr.Kind == Boolean:
			return Value{Bool: holds(row)}
		case holds(row):
			return Value{Text: d.Then}
		}
		return Value{Text: d.Else}
	}
	return f
}

// resolve returns e with its attributes looked up by name. It panics if an attribute does not exist
// or is derived, or if a comparison needs a fold.
func (s *Attributes) resolve(e Expr) Expr {
	switch e := e.(type) {
	case And:
		return And(s.resolveAll(e))
	case Or:
		return Or(s.resolveAll(e))
	case Cond:
		e.Attr = s.attr(e.Attr.Name)
		if e.Attr.Derived != nil || e.Attr.Kind == Text && e.Op != Null && e.Op != Eq && e.Op != NotEq {
			panic("query: nothing to derive an attribute from: " + e.Attr.Name)
		}
		return e
	}
	panic("query: a node that is neither And, Or nor Cond")
}

func (s *Attributes) resolveAll(parts []Expr) []Expr {
	resolved := make([]Expr, len(parts))
	for i, p := range parts {
		resolved[i] = s.resolve(p)
	}
	return resolved
}

// test returns e as a predicate over rows. e must not compare folds.
func (s *Attributes) test(e Expr) func(row any) bool {
	switch e := e.(type) {
	case And:
		return joinPredicates(s.testAll(e), false)
	case Or:
		return joinPredicates(s.testAll(e), true)
	}
	return s.testCond(e.(Cond))
}

func (s *Attributes) testAll(parts []Expr) []func(row any) bool {
	tests := make([]func(row any) bool, len(parts))
	for i, p := range parts {
		tests[i] = s.test(p)
	}
	return tests
}

// Boolean returns the function that reads the attribute of kind Boolean with the given name. It
// panics if there is none.
func (s Schema[T]) Boolean(name string) func(*T) bool {
	get := s.attributes.reader(name, Boolean)
	return func(row *T) bool { return get(row).Bool }
}

// Text returns the function that reads the attribute of kind Text with the given name. It panics if
// there is none.
func (s Schema[T]) Text(name string) func(*T) string {
	get := s.attributes.reader(name, Text)
	return func(row *T) string { return get(row).Text }
}

func (s *Attributes) reader(name string, kind Kind) func(row any) Value {
	f, ok := s.lookup(name)
	if !ok || f.attr.Kind != kind {
		panic("query: no attribute of this kind: " + name)
	}
	return f.get
}

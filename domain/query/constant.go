package query

// foldConstants returns e with each condition on a constant attribute replaced by its result: an
// empty And, which holds, or an empty Or, which does not.
func foldConstants[T any](s Schema[T], e Expr) Expr {
	switch e := e.(type) {
	case And:
		for i := range e {
			e[i] = foldConstants(s, e[i])
		}
	case Or:
		for i := range e {
			e[i] = foldConstants(s, e[i])
		}
	case Cond:
		if f, ok := s.lookup(e.Attr.Name); !ok || !f.constant {
			return e
		}
		var zero T // any record has the same result
		if s.Compile(e)(s.Record(zero)) {
			return And{}
		}
		return Or{}
	}
	return e
}

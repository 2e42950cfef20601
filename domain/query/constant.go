package query

// foldConstants replaces each condition in e on a constant attribute with its result: an empty And,
// which always holds, or an empty Or, which never holds.
func foldConstants(s *Attributes, e Expr) Expr {
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
		if s.Compile(e)(Entry{}) { // the value is the same in every record, so that none is read
			return And{}
		}
		return Or{}
	}
	return e
}

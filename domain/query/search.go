package query

import (
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// buildSearch returns a condition for each word of q: it must stand in one of
// the searched fields, each word in any of them.
func buildSearch[T any](s Schema[T], q string) ([]Expr, error) {
	var fields []Attr
	for _, f := range s.fields {
		if f.searched {
			fields = append(fields, f.attr)
		}
	}
	if len(fields) == 0 {
		return nil, nil
	}
	if !isText(q) {
		return nil, fault.Parameterf("q", "a search must not hold invalid UTF-8 or NUL")
	}
	words := strings.Fields(text.Fold(q))
	if len(words) > MaxWords {
		return nil, fault.Parameterf("q", "a search takes at most %d words", MaxWords)
	}
	found := make([]Expr, len(words))
	for i, word := range words {
		var anywhere Or
		for _, a := range fields {
			anywhere = append(anywhere, Cond{Attr: a, Op: Cont, Values: []Value{{Text: word, Fold: word}}})
		}
		found[i] = collapse(anywhere)
	}
	return found, nil
}

package query

import (
	"slices"
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// buildSearch returns a condition for each word of q: it must be in one of the
// searched fields, each word in any of them.
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
	words := different(strings.Fields(text.Fold(q)))
	if len(words) > MaxWords {
		return nil, fault.Parameterf("q", "a search takes at most %d different words", MaxWords)
	}
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return isImplied(w, words) })
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

// different returns the words without repetitions, in the order of their first
// mention. It stops after one more than a search may have.
func different(words []string) []string {
	var all []string
	for _, w := range words {
		if len(all) > MaxWords {
			break
		}
		if !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return all
}

// isImplied reports whether a field that holds all of words holds word because it
// is a part of another one.
func isImplied(word string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return w != word && strings.Contains(w, word) })
}

package query

import (
	"slices"
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// buildSearch returns a condition for each word of q: at least one of the searched fields contains
// the word.
func buildSearch(s *Attributes, q string) ([]Expr, error) {
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
		return nil, fault.Malformedf("q", "must be valid UTF-8 without NUL")
	}
	words := distinctWords(strings.Fields(text.Fold(q)))
	if len(words) > MaxWords {
		return nil, fault.Malformedf("q", "has too many different words (maximum is %d)", MaxWords)
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

// distinctWords returns the words without duplicates, in the order of their first occurrence. It
// stops after MaxWords+1 words.
func distinctWords(words []string) []string {
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

// isImplied reports whether word is part of another element of words. A field that contains that
// element also contains word.
func isImplied(word string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return w != word && strings.Contains(w, word) })
}

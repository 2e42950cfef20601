// Package text defines how texts are compared, searched and ordered, and which texts are valid
// names, email addresses or slugs. It is the only package of the domain that imports
// golang.org/x/text. No result depends on a locale. Stores search and order texts by Fold and
// decide uniqueness by UniqueKey; they save both next to the text.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/runes"
	"golang.org/x/text/unicode/norm"
)

// Fold returns the form of s for order, search and the filter predicates cont, start and end: it
// applies compatibility decomposition (NFKD), removes nonspacing marks, and applies full case
// folding and canonical composition (NFC). "Éa" and "ea" have the same fold. Fold is idempotent.
func Fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	if folded, ok := byCharacter(s, func(c *character) string { return c.fold }); ok {
		return folded
	}
	return fixpoint(s, foldOnce)
}

// UniqueKey returns the form of s that decides uniqueness. It is like Fold, but keeps marks: Café
// and Cafe are different, while café and CAFÉ are equal.
func UniqueKey(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	if key, ok := byCharacter(s, func(c *character) string { return c.key }); ok {
		return key
	}
	return fixpoint(s, keyOnce)
}

func foldOnce(s string) string {
	return norm.NFC.String(fullCaseFold(withoutMarks(norm.NFKD.String(s))))
}

func keyOnce(s string) string { return norm.NFC.String(fullCaseFold(norm.NFKD.String(s))) }

func withoutMarks(s string) string { return runes.Remove(runes.In(unicode.Mn)).String(s) }

// fullCaseFold is full case folding. It corrects cases.Fold for Cherokee: cases.Fold swaps small
// and capital letters there, instead of mapping both to capitals.
func fullCaseFold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cherokee, r) {
			return unicode.ToUpper(r)
		}
		return r
	}, cases.Fold().String(s))
}

// fixpoint applies f until the result no longer changes, but at most four times. The folds of a few
// letters can be folded again (Unicode Standard, section 3.13, D145-D146).
func fixpoint(s string, f func(string) string) string {
	for range 4 {
		next := f(s)
		if next == s {
			break
		}
		s = next
	}
	return s
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

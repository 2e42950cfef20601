// Package text is what Lyceum means by a piece of text: how texts are compared,
// searched and ordered, and which texts are a name, an e-mail address or a slug.
//
// It is the only package of the domain that imports golang.org/x/text. Nothing
// here depends on a locale, and no store compares text in any other way: stores
// keep what Fold and Key return beside the text itself.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/runes"
	"golang.org/x/text/unicode/norm"
)

// Fold returns the form of s that order, search and the filter predicates cont,
// start and end use: compatibility decomposition (NFKD), nonspacing marks
// dropped, full case folding, canonical composition (NFC). "Éa" and "ea" fold
// alike. The result of folding a fold is itself.
func Fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return settle(s, func(s string) string {
		s = runes.Remove(runes.In(unicode.Mn)).String(norm.NFKD.String(s))
		return norm.NFC.String(foldCase(s))
	})
}

// Key returns the form of s that uniqueness uses: as Fold, but marks are kept,
// so that Café and Cafe may stand side by side while café and CAFÉ may not.
func Key(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return settle(s, func(s string) string {
		return norm.NFC.String(foldCase(norm.NFKD.String(s)))
	})
}

// foldCase is full case folding. It corrects cases.Fold, which exchanges the
// small and the capital letters of Cherokee, where the Unicode Standard folds
// both to capitals.
func foldCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cherokee, r) {
			return unicode.ToUpper(r)
		}
		return r
	}, cases.Fold().String(s))
}

// settle applies f until nothing changes: a few letters fold to a form that
// itself can be folded once more (Unicode Standard, section 3.13, D145-D146).
func settle(s string, f func(string) string) string {
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

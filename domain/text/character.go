package text

import (
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// character is one code point with its own Fold and UniqueKey. They are kept because normalization is
// slow: a text of 100 letters U+FDFA takes a third of a millisecond, and a request can contain 20,000.
type character struct {
	fold, key string
	apart     bool // whether characters before it cannot change the fold and the key, nor it theirs
}

// characters contains the characters of the first two planes of Unicode that were used before. Those
// of the other planes are ideographs, whose normalization is fast.
var characters [0x20000]atomic.Pointer[character]

func characterOf(r rune) *character {
	if known := characters[r].Load(); known != nil {
		return known
	}
	s := string(r)
	c := &character{fixpoint(s, foldOnce), fixpoint(s, keyOnce), isApart(s)}
	characters[r].Store(c)
	return c
}

// byCharacter returns the results of the characters of s, one after another, and reports whether that
// is the result of s: whether s is valid UTF-8 and each character is apart from those before it. The
// fold and the key of a text are those of its composition (NFC), in which more characters are apart.
func byCharacter(s string, result func(*character) string) (string, bool) {
	all, ok := resultsOf(s, result)
	if !ok {
		if composed := norm.NFC.String(s); composed != s {
			return resultsOf(composed, result)
		}
	}
	return all, ok
}

func resultsOf(s string, result func(*character) string) (string, bool) {
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s {
		if int(r) >= len(characters) || r == utf8.RuneError {
			return "", false
		}
		c := characterOf(r)
		if i > 0 && !c.apart {
			return "", false
		}
		b.WriteString(result(c))
	}
	return b.String(), true
}

// isApart reports whether the character s begins a new segment for normalization, and so do all texts
// that it becomes on the way to its fold and its key: a character combines with those before it, or
// changes places with them, only if it begins no segment (Unicode Standard Annex #15, section 9).
func isApart(s string) bool {
	for _, once := range []func(string) string{foldOnce, keyOnce} {
		step := s
		for range 4 { // like fixpoint
			parts := norm.NFKD.String(step)
			bare := withoutMarks(parts)
			for _, text := range []string{step, parts, fullCaseFold(parts), bare, fullCaseFold(bare)} {
				if text != "" && !norm.NFC.PropertiesString(text).BoundaryBefore() {
					return false
				}
			}
			step = once(step)
		}
	}
	return true
}

package text_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/matryer/is"
	"lyceum/domain/text"
)

func TestFoldAndKey(t *testing.T) {
	for _, tc := range []struct{ name, in, fold, key string }{
		{"nothing", "", "", ""},
		{"ASCII", "Ada LOVELACE 1_%", "ada lovelace 1_%", "ada lovelace 1_%"},
		{"a composed accent", "CAFÉ", "cafe", "café"},
		{"a decomposed accent", "cafe\u0301", "cafe", "café"},
		{"sharp s", "Straße", "strasse", "strasse"},
		{"capital sharp s", "STRAẞE", "strasse", "strasse"},
		{"dotted capital i", "İ", "i", "i\u0307"},
		{"dotless i stays", "ı", "ı", "ı"},
		{"final sigma", "ΟΔΟΣ οδος", "οδοσ οδοσ", "οδοσ οδοσ"},
		{"iota below", "ᾼ", "α", "αι"},
		{"a ligature", "ﬁn", "fin", "fin"},
		{"full width", "ＡＢＣ１", "abc1", "abc1"},
		{"superscript", "m²", "m2", "m2"},
		{"no-break space", "a\u00a0b", "a b", "a b"},
		{"Hangul stays composed", "한국", "한국", "한국"},
		{"a letter with a stroke has no mark", "Ø", "ø", "ø"},
		{"marks alone", "\u0301\u0302", "", "\u0301\u0302"},
		{"marks in another order", "a\u0323\u0301 a\u0301\u0323", "a a", "ạ\u0301 ạ\u0301"},
		{"Kelvin", "K", "k", "k"},
		{"Cherokee", "Ꭰꭰ", "ᎠᎠ", "ᎠᎠ"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(text.Fold(tc.in), tc.fold)
			is.Equal(text.UniqueKey(tc.in), tc.key)
		})
	}
}

// Letters of any script that differ only in case have equal folds. U+0345 is an exception for Fold,
// which removes marks: it is a mark, but its capital is a letter.
func TestFoldAndKeyIgnoreCase(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		other := unicode.SimpleFold(r)
		if other == r {
			continue
		}
		a, b := string(r), string(other)
		if text.Fold(a) != text.Fold(b) && r != '\u0345' && other != '\u0345' {
			t.Errorf("%U folds to %+q, %U to %+q", r, text.Fold(a), other, text.Fold(b))
		}
		if text.UniqueKey(a) != text.UniqueKey(b) {
			t.Errorf("%U has the key %+q, %U %+q", r, text.UniqueKey(a), other, text.UniqueKey(b))
		}
	}
}

// The test covers every code point that may have case, marks or compositions, alone and between a
// letter and marks. It folds many of them in one call to save time. The fuzz test covers the other
// code points.
func TestFoldAndKeyAreIdempotent(t *testing.T) {
	const block = 0x100
	for first := rune(0); first < 0x20000; first += block {
		if unicode.In(first, unicode.Han, unicode.Hangul, unicode.Tangut, unicode.Co) {
			continue
		}
		var b strings.Builder
		for r := first; r < first+block; r++ {
			b.WriteString(string(r) + "A\u0345" + string(r) + "\u0301 ")
		}
		s := b.String()
		if f := text.Fold(s); text.Fold(f) != f {
			t.Errorf("from %U: folding a fold changes it", first)
		}
		if k := text.UniqueKey(s); text.UniqueKey(k) != k {
			t.Errorf("from %U: the key of a key differs from the key", first)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"", "Ada", "É", "e\u0301", "ΐ", "\u0345ᾼ", "ﬃ", "\ufdfa", "\xff\xc3", "한", "\u1100\u1161\u11a8", "İı", "ẞ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		fold, key := text.Fold(s), text.UniqueKey(s)
		if again := text.Fold(fold); again != fold {
			t.Errorf("Fold(%+q) = %+q, which folds to %+q", s, fold, again)
		}
		if again := text.UniqueKey(key); again != key {
			t.Errorf("Key(%+q) = %+q, whose key is %+q", s, key, again)
		}
		if strings.ContainsFunc(fold, func(r rune) bool { return unicode.Is(unicode.Mn, r) }) {
			t.Errorf("Fold(%+q) = %+q keeps a mark", s, fold)
		}
		if utf8.ValidString(s) && !utf8.ValidString(fold+key) {
			t.Errorf("%+q is no longer valid UTF-8: %+q, %+q", s, fold, key)
		}
	})
}

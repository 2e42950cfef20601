package text

import (
	"testing"

	"pgregory.net/rapid"
)

// checkByCharacter compares the results of the characters of s with those of the whole text.
func checkByCharacter(t interface{ Errorf(string, ...any) }, s string) {
	for name, f := range map[string]struct {
		result func(*character) string
		once   func(string) string
	}{
		"fold": {func(c *character) string { return c.fold }, foldOnce},
		"key":  {func(c *character) string { return c.key }, keyOnce},
	} {
		if got, ok := byCharacter(s, f.result); ok && got != fixpoint(s, f.once) {
			t.Errorf("%s of %+q: %+q by character, want %+q", name, s, got, fixpoint(s, f.once))
		}
	}
}

// Every character of the first two planes, between characters that combine with others.
func TestResultsByCharacter(t *testing.T) {
	for r := rune(0x80); int(r) < len(characters); r++ {
		if 0x3400 <= r && r < 0xA000 || 0xAC80 <= r && r < 0xFA00 { // ideographs, Hangul, private use
			continue
		}
		c := string(r)
		checkByCharacter(t, "A"+c+"b")
		checkByCharacter(t, "\u1100"+c+"\u1161"+c+"\u11a8")
		checkByCharacter(t, "e\u0323"+c+"\u0301"+c+"\u0345"+c)
	}
}

// Characters that interact with others are more frequent here than in texts of people.
func TestResultsByCharacterOfTexts(t *testing.T) {
	drawn := rapid.OneOf(
		rapid.RuneFrom([]rune("aÉẞıİςΣᾼﬁ한각\u0301\u0323\u0345\u0327\ufdfa\u0c46\u0c56\u09c7\u09be\u1025\u102e\u0e33\u0f71\u0f72Ꭰ\u1e9b\u3099か")),
		rapid.Rune(),
	)
	rapid.Check(t, func(t *rapid.T) { checkByCharacter(t, rapid.StringOfN(drawn, 0, 12, -1).Draw(t, "text")) })
}

// Texts of these characters, of which a request can contain many, are folded by character.
func TestCharactersThatAreApart(t *testing.T) {
	for _, s := range []string{"José Ñandú", "Привет, мир", "\ufdfa\ufdfa", "한국어", "日本語", "Straße", "العربية", "\U0001f600 \U0001d49c"} {
		if _, ok := byCharacter(s, func(c *character) string { return c.fold }); !ok {
			t.Errorf("%+q is not folded by character", s)
		}
	}
}

package lists

import (
	"math/rand/v2"
	"strings"

	"lyceum/domain/text"
	"lyceum/test/conformance/storetest/fixture"
)

// HostileTexts contains names that stores often sort, search or save incorrectly.
var HostileTexts = []string{
	"a", "A", "b", "B", "Z", "z", "ab", "a b", "e", "é", "É", "e\u0301", "E\u0301a", "Émile Zola", "emile zola",
	"I", "i", "İ", "ı", "İstanbul", "istanbul", "ß", "ẞ", "ss", "SS", "Straße", "STRASSE",
	"σ", "ς", "Σ", "Σίσυφος", "ΣΙΣΥΦΟΣ", "ﷺ", "ﬁ", "fi", "Ａ", "Å", "\u212b", "K", "k", "ǅ", "Ω", "\u2126",
	"%", "_", `\`, "%%", "100%", "a_b", "a%b", `a\b`, `\%`, `\\`, "a'b", "''", `"`, "a\u00a0b", "a\u200bb", "--", ";", "$1",
	"?", ":name", "(a|b)*", "[a-z]", "{}", "NULL", "null", "0", "-1", "\ufeffa", "\ufffd", "\U0010fffd",
	"שלום", "مرحبا", "a \u202eb", "🎓", "🎓 Graduation", "👩‍👩‍👧‍👦", "日本語", "한국어", "\u1112\u1161\u11ab", "ไทย",
	strings.Repeat("y", text.MaxName), strings.Repeat("y", text.MaxName-1) + "z", strings.Repeat("é", text.MaxName),
	strings.Repeat("ﷺ", 28),
}

// alphabet contains the characters of random texts. It is small, so that texts share parts. Some of
// its characters change, combine or expand when they are folded.
var alphabet = []rune("aAbBeéÉ\u0301iIİıſsSßσΣςﷺKk\u212bﬁ%_\\' -.🎓אم日")

// randomText returns a name of one to six characters of alphabet. In one of eight names, half of
// the characters are arbitrary.
func randomText(rnd *rand.Rand) string {
	for {
		runes := make([]rune, 1+rnd.IntN(6))
		anything := rnd.IntN(8) == 0
		for i := range runes {
			runes[i] = fixture.Pick(rnd, alphabet)
			if anything && rnd.IntN(2) == 0 {
				runes[i] = rune(rnd.IntN(0x20000))
			}
		}
		if name, err := text.Name("name", string(runes)); err == nil {
			return name
		}
	}
}

// fragment returns one to four successive characters of one of the texts.
func fragment(rnd *rand.Rand, texts []string) string {
	runes := []rune(fixture.Pick(rnd, texts))
	from := rnd.IntN(len(runes))
	return string(runes[from : from+1+rnd.IntN(min(4, len(runes)-from))])
}

package text_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/text"
)

// A name with an invisible character looks like the name without it.
func TestNamesWithoutInvisibleCharacters(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		refused    bool
	}{
		{"zero width space", "A\u200Bda", true},
		{"zero width no-break space", "A\uFEFFda", true},
		{"word joiner", "A\u2060da", true},
		{"soft hyphen", "A\u00ADda", true},
		{"Hangul filler", "A\u3164da", true},
		{"invisible times", "A\u2062da", true},
		{"a joiner at the start", "\u200DAda", true},
		{"a joiner at the end", "Ada\u200D", true},
		{"a joiner after a space", "Ada \u200Dda", true},
		{"a joiner before a digit", "Ada\u200C1", true},
		{"two joiners", "A\u200D\u200Dda", true},
		{"a variation selector after a letter", "A\uFE00da", true},
		{"a supplementary variation selector after a letter", "A\U000E0100da", true},
		{"a Mongolian variation selector after a letter", "A\u180Bda", true},
		{"a variation selector at the start", "\uFE0FAda", true},
		{"two variation selectors", "❤\uFE0F\uFE0F", true},
		{"tag characters", "Ada\U000E0043\U000E0061", true},
		{"Braille without dots", "A\u2800da", true},
		{"a musical format control", "A\U0001D173da", true},
		{"a null notehead", "A\U0001D159da", true},
		{"a Khitan filler", "A\U00016FE4da", true},
		{"an object replacement character", "A\uFFFCda", true},
		{"a noncharacter", "A\uFFFEda", true},
		{"a noncharacter of the next plane", "A\U0001FFFFda", true},
		{"the last noncharacter", "A\U0010FFFFda", true},
		{"a digit as an emoji", "1\uFE0F\u20E3", false},
		{"an ideographic variant", "辻\U000E0100", false},
		{"a Mongolian variant", "ᠠ\u180B", false},
		{"a non-joiner in Persian", "نام\u200Cه", false},
		{"a joiner after a mark", "क्\u200Dष", false},
		{"a combined emoji", "👩\u200D🎓", false},
		{"a combined emoji with a variation selector", "❤\uFE0F\u200D🔥", false},
		{"an emoji with a skin tone", "👩🏽\u200D🎓", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got, err := text.OptionalName("name", tt.text)
			if tt.refused {
				is.True(err != nil)
				is.Equal(err.Error(), "invalid: name: contains an invisible character")
				return
			}
			is.NoErr(err)
			is.Equal(got, tt.text)
		})
	}
}

package text_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/text"
)

func TestSlug(t *testing.T) {
	const form = "must consist of lowercase letters, digits and single hyphens"
	for _, tc := range []struct{ name, in, fault string }{
		{"a word", "go", ""},
		{"words", "go-for-101-beginners", ""},
		{"a digit", "1", ""},
		{"longest", strings.Repeat("a", 80), ""},
		{"absent", "", "can't be blank"},
		{"too long", strings.Repeat("a", 81), "is too long (maximum is 80 characters)"},
		{"capitals", "Go", form},
		{"an accent", "café", form},
		{"a space", "go for", form},
		{"leading hyphen", "-go", form},
		{"final hyphen", "go-", form},
		{"two hyphens", "go--for", form},
		{"a dot", "go.for", form},
		{"a slash", "go/for", form},
		{"a line end", "go\n", form},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			got, err := text.Slug("permalink", tc.in)
			is.Equal(detail(err), tc.fault)
			if err == nil {
				is.Equal(got, tc.in)
			}
		})
	}
}

func TestSlugify(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"Go for Beginners", "go-for-beginners"},
		{"  C++ & Café № 1! ", "c-cafe-no-1"},
		{"Straße", "strasse"},
		{"日本語", ""},
		{"", ""},
		{strings.Repeat("abc ", 40), strings.Repeat("abc-", 20)[:79]},
		{strings.Repeat("a", 100), strings.Repeat("a", 80)},
	} {
		t.Run(tc.in, func(t *testing.T) {
			is := is.New(t)
			is.Equal(text.Slugify(tc.in), tc.want)
		})
	}
}

func TestToken(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		ok       bool
	}{
		{"40 hex digits", strings.Repeat("0a", 20), true},
		{"absent", "", false},
		{"one short", strings.Repeat("0a", 20)[1:], false},
		{"one long", strings.Repeat("0a", 20) + "0", false},
		{"capitals", strings.Repeat("0A", 20), false},
		{"no hex digit", strings.Repeat("0g", 20), false},
		{"no hex digit inside", "00" + strings.Repeat("0/", 18) + "00", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(text.Token("enroll_token", tc.in) == nil, tc.ok)
		})
	}
}

// For any text, Slugify returns a valid slug or "".
func FuzzSlugify(f *testing.F) {
	for _, s := range []string{"Go", "--", "é\u0301", "ⅷ ½", "\xff", strings.Repeat("a-", 80)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		slug := text.Slugify(s)
		if slug == "" {
			return
		}
		if again, err := text.Slug("permalink", slug); err != nil || again != slug {
			t.Errorf("%+q became %q: %v", s, slug, err)
		}
		if text.Slugify(slug) != slug {
			t.Errorf("%q is a slug and became %q", slug, text.Slugify(slug))
		}
	})
}

package text_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

func TestName(t *testing.T) {
	for _, tc := range []struct{ name, in, want, fault string }{
		{"plain", "Ada", "Ada", ""},
		{"kept as written", "É ß 日本", "É ß 日本", ""},
		{"trimmed", " \u00a0Ada  B \u2003", "Ada  B", ""},
		{"absent", "", "", "can't be blank"},
		{"blank", " \u3000", "", "can't be blank"},
		{"longest", strings.Repeat("é", 255), strings.Repeat("é", 255), ""},
		{"longest once trimmed", " " + strings.Repeat("x", 255) + " ", strings.Repeat("x", 255), ""},
		{"longest of four bytes each", strings.Repeat("😀", 255), strings.Repeat("😀", 255), ""},
		{"too long", strings.Repeat("é", 256), "", "is too long (maximum is 255 characters)"},
		{"too long unfolded", strings.Repeat("\ufdfa", 85), "", "is too long after Unicode normalization"},
		{"too long with its marks", strings.Repeat("\u1faf", 255), "", "is too long after Unicode normalization"},
		{"nothing to be seen", "\u200b\u0301\u00ad", "", "can't be blank"},
		{"an emoji is a name", "🦉", "🦉", ""},
		{"NUL", "a\x00b", "", "contains a control character"},
		{"a line end", "a\nb", "", "contains a control character"},
		{"delete", "a\x7f", "", "contains a control character"},
		{"a control character beyond ASCII", "a\u0085b", "", "contains a control character"},
		{"invalid UTF-8", "a\xff", "", "is not valid UTF-8"},
		{"a surrogate", "\xed\xa0\x80", "", "is not valid UTF-8"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			got, err := text.Name("name", tc.in)
			is.Equal(got, tc.want)
			is.Equal(detail(err), tc.fault)
		})
	}
}

// OptionalName accepts blank text.
func TestOptionalName(t *testing.T) {
	for _, tc := range []struct{ name, in, want, fault string }{
		{"plain", " Ada ", "Ada", ""},
		{"absent", "", "", ""},
		{"blank", " \t ", "", ""},
		{"too long", strings.Repeat("x", 256), "", "is too long (maximum is 255 characters)"},
		{"tabs are space", "\tAda\n", "Ada", ""},
		{"a control character", "A\tda", "", "contains a control character"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			got, err := text.OptionalName("first_name", tc.in)
			is.Equal(got, tc.want)
			is.Equal(detail(err), tc.fault)
		})
	}
}

func TestFaultsNameTheField(t *testing.T) {
	_, blank := text.Name("title", "")
	_, control := text.OptionalName("title", "\x00")
	_, email := text.Email("title", "x")
	_, slug := text.Slug("title", "X")
	for _, err := range []error{blank, control, email, slug, text.CheckText("title", "\xff"), text.Token("title", "x")} {
		t.Run(detail(err), func(t *testing.T) {
			is := is.New(t)
			is.True(fault.Is(err, fault.Invalid))
			is.Equal(fault.All(err)[0].Field, "title")
		})
	}
}

// Name returns an accepted name unchanged, and its fold is short enough for an index.
func FuzzName(f *testing.F) {
	for _, s := range []string{"Ada", " x ", "\u0085", "\ufdfa", "\xff", strings.Repeat("é", 256), "a\u2028"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		name, err := text.Name("name", s)
		if err != nil {
			return
		}
		if again, err := text.Name("name", name); err != nil || again != name {
			t.Errorf("%+q was accepted as %+q, which became %+q, %v", s, name, again, err)
		}
		if len(text.Fold(name)) > text.MaxFold || len(text.UniqueKey(name)) > text.MaxFold {
			t.Errorf("%+q is too long to be indexed", name)
		}
	})
}

// detail returns the detail of the only fault, or "" if there is none.
func detail(err error) string {
	if err == nil {
		return ""
	}
	return fault.All(err)[0].Detail
}

package text_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/text"
)

func TestLongText(t *testing.T) {
	for _, tc := range []struct{ name, in, want, fault string }{
		{"plain", "What?", "What?", ""},
		{"several lines", "\n One\r\n\tTwo\n", "One\r\n\tTwo", ""},
		{"absent", "", "", "can't be blank"},
		{"blank", " \n\t ", "", "can't be blank"},
		{"nothing to be seen", "\u200b\u0301", "", "can't be blank"},
		{"longest", strings.Repeat("é", 4000), strings.Repeat("é", 4000), ""},
		{"longest once trimmed", " " + strings.Repeat("x", 4000) + "\n", strings.Repeat("x", 4000), ""},
		{"too long", strings.Repeat("é", 4001), "", "is too long (maximum is 4000 characters)"},
		{"NUL", "a\x00b", "", "contains a control character"},
		{"a vertical tab", "a\vb", "", "contains a control character"},
		{"a control character beyond ASCII", "a\u0085b", "", "contains a control character"},
		{"invalid UTF-8", "a\xff", "", "is not valid UTF-8"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			got, err := text.LongText("text", tc.in)
			is.Equal(got, tc.want)
			is.Equal(detail(err), tc.fault)
		})
	}
}

package property_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/property"
)

// Stores create a value for each text that they read, so creating a value does not fold the text.
func TestTextValueDoesNotFold(t *testing.T) {
	is := is.New(t)
	long := strings.Repeat("É", 500)
	var v property.Value
	is.Equal(testing.AllocsPerRun(10, func() { v = property.TextValue(long) }), 0.0)
	fold, ok := v.Fold()
	is.True(ok)
	is.Equal(fold, strings.Repeat("e", 500))
}

func TestValueJSON(t *testing.T) {
	for in, want := range map[string]string{
		"plain":             `"plain"`,
		`"quoted" \ back`:   `"\"quoted\" \\ back"`,
		"\ttab\nline\x00É€": `"\u0009tab\u000aline\u0000É€"`,
		`"`:                 `"\""`,
		"日本\"語":             `"日本\"語"`,
	} {
		is.New(t).Equal(property.TextValue(in).JSON(), want)
	}
}

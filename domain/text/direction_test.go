package text_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/text"
)

// A bidirectional control makes a name look like another: a file named
// invoice\u202Efdp.exe is shown as invoiceexe.pdf.
func TestNamesWithoutBidirectionalControls(t *testing.T) {
	for _, r := range "\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069\u200E\u200F\u061C" {
		is := is.New(t)
		for _, name := range []func(field, s string) (string, error){text.Name, text.OptionalName} {
			_, err := name("name", "invoice"+string(r)+"fdp.exe")
			is.True(err != nil)
			is.Equal(err.Error(), "invalid: name: contains a character that changes the text direction")
		}
	}
	for _, plain := range []string{"שרה לוי", "عمر", "Zoë 👩\u200D🎓", "نام\u200Cه"} { // joiners are allowed
		is := is.New(t)
		got, err := text.Name("name", plain)
		is.NoErr(err)
		is.Equal(got, plain)
	}
}

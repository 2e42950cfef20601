package upload

import (
	"io"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// A part with too many headers is refused before most of them are read.
func TestPartsWithLongHeaders(t *testing.T) {
	const part = "--b\r\nContent-Disposition: form-data; name=other\r\n"
	long := func(n int) string { return strings.Repeat("X: y\r\n", n/6) }
	tests := map[string]struct {
		form    string
		refused bool
	}{
		"short headers":            {part + long(3<<10) + "\r\n1\r\n--b--", false},
		"one long header":          {part + "X: " + strings.Repeat("y", 8<<20) + "\r\n\r\n1\r\n--b--", true},
		"many headers":             {part + long(8<<20) + "\r\n1\r\n--b--", true},
		"before the first part":    {strings.Repeat("x\r\n", 2<<20) + part + "\r\n1\r\n--b--", true},
		"after a long part":        {part + "\r\n" + strings.Repeat("x", 100<<10) + "\r\n" + part + long(8<<20), true},
		"many parts, many headers": {strings.Repeat(part+long(3<<10)+"\r\n1\r\n", 7) + "--b--", false},
		"a long part that is skipped": {
			part + "\r\n" + strings.Repeat("x", 8<<20) + "\r\n" + strings.Repeat(part+"\r\n1\r\n", 3) + "--b--", false,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			body := strings.NewReader(tt.form)
			f := newForm(struct{ io.Reader }{body}, "b", 1<<30)
			_, err := f.Upload()
			is.Equal(err != nil, tt.refused)
			if tt.refused {
				is.True(strings.HasSuffix(err.Error(), "400: The headers of a part of the form exceed 4096 bytes"))
				is.True(len(tt.form)-body.Len() < 256<<10) // bytes that were read
			} else {
				is.True(f.ended)
			}
		})
	}
}

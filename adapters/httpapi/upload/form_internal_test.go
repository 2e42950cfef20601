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

// A part whose lines begin with the boundary is refused at the first of them.
func TestPartsWithBoundaries(t *testing.T) {
	const part = "--b\r\nContent-Disposition: form-data; name="
	content := "\r\n\r\n1" + strings.Repeat("\r\n--bX", 1<<20) + "\r\n--b--"
	tests := map[string]struct {
		form    string
		refused bool
	}{
		"in the file":       {part + "file" + content, true},
		"in a field":        {part + "person" + content, true},
		"in a skipped part": {part + "other" + content, true},
		"within a line":     {part + "file" + strings.ReplaceAll(content, "\r\n--bX", "\r\n --bX"), false},
		"another boundary":  {part + "file" + strings.ReplaceAll(content, "\r\n--bX", "\r\n--c"), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			body := strings.NewReader(tt.form)
			f := newForm(struct{ io.Reader }{body}, "b", 1<<30)
			file, err := f.Upload()
			if err == nil {
				_, err = io.Copy(io.Discard, file.Bytes)
			}
			is.Equal(err != nil, tt.refused)
			if tt.refused {
				is.True(strings.HasSuffix(err.Error(), "400: A line of a part of the form begins with the boundary of the form"))
				is.True(len(tt.form)-body.Len() < 64<<10) // bytes that were read
			}
		})
	}
}

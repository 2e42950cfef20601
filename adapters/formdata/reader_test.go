package formdata_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/matryer/is"
	"lyceum/adapters/formdata"
)

const part = "--b\r\nContent-Disposition: form-data; name=other\r\n"

// readAll reads all parts of a form with the boundary b. It returns the number of bytes of the form
// that were read.
func readAll(form string) (read int, err error) {
	body := strings.NewReader(form)
	r := formdata.NewReader(struct{ io.Reader }{body}, "b")
	for err == nil {
		_, err = r.Next() // skips the rest of the part before
	}
	return len(form) - body.Len(), err
}

// refusal returns the detail of a refusal, or an empty string.
func refusal(err error) string {
	if r, ok := errors.AsType[*formdata.MalformedError](err); ok {
		return r.Detail
	}
	return ""
}

// A part with too many headers is refused before most of them are read.
func TestPartsWithLongHeaders(t *testing.T) {
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
			read, err := readAll(tt.form)
			if tt.refused {
				is.Equal(refusal(err), "The headers of a part of the form exceed 4096 bytes")
				is.True(read < 256<<10)
			} else {
				is.Equal(err, io.EOF)
			}
		})
	}
}

// A form whose lines end with a bare LF is refused. White space may follow a boundary.
func TestBareLF(t *testing.T) {
	const rest = "Content-Disposition: form-data; name=other\r\n\r\n1\r\n--b--"
	for _, tt := range []struct {
		begin   string
		refused bool
	}{
		{"--b\r\n", false},
		{"--b \t\r\n", false},
		{"a line before the form\n--b\r\n", false},
		{"--b\n", true},
		{"--b \t\n", true},
		{"a line before the form\r\n--b\n", true},
	} {
		t.Run(tt.begin, func(t *testing.T) {
			is := is.New(t)
			form := tt.begin + rest
			if tt.refused {
				form = strings.ReplaceAll(form, "\r\n", "\n")
			}
			_, err := readAll(form)
			if tt.refused {
				is.Equal(refusal(err), "The lines of the form must end with CRLF")
			} else {
				is.Equal(err, io.EOF)
			}
		})
	}
}

// The error about a form that is malformed or ends too early contains nothing of the form.
func TestMalformedForms(t *testing.T) {
	for _, form := range []string{
		"", "--b", part + "\r\n", part + "\r\n1", part + "\r\n1\r\n--b",
		part + "secret.pdf\r\n\r\n1\r\n--b--", "--b\r\nsecret.pdf\r\n\r\n",
	} {
		t.Run(form, func(t *testing.T) {
			is := is.New(t)
			_, err := readAll(form)
			is.Equal(refusal(err), "Could not read the whole form")
		})
	}
	is := is.New(t)
	outage := errors.New("no connection")
	r := formdata.NewReader(io.MultiReader(strings.NewReader(part+"\r\n1"), iotest.ErrReader(outage)), "b")
	p, err := r.Next()
	is.NoErr(err)
	_, err = io.ReadAll(p)
	is.Equal(err, outage)
}

// A part whose lines begin with the boundary is refused at the first of them.
func TestPartsWithBoundaries(t *testing.T) {
	for _, tt := range []struct {
		line    string
		refused bool
	}{
		{"\r\n--bX", true},
		{"\r\n --bX", false},
		{"\n--bX", false},
		{"\r\n--c", false},
		{"\r\n-b", false},
	} {
		t.Run(tt.line, func(t *testing.T) {
			is := is.New(t)
			read, err := readAll(part + "\r\n1" + strings.Repeat(tt.line, 1<<20) + "\r\n--b--")
			if tt.refused {
				is.Equal(refusal(err), "A line of a part of the form begins with the boundary of the form")
				is.True(read < 64<<10)
			} else {
				is.Equal(err, io.EOF)
			}
		})
	}
}

// The content of a part is not decoded, because the encodings of emails are not for forms: their
// reader would make parts of very short pieces.
func TestEncodedParts(t *testing.T) {
	is := is.New(t)
	const encoded = "a=3D\r\n=\r\n"
	r := formdata.NewReader(strings.NewReader(part+"Content-Transfer-Encoding: quoted-printable\r\n\r\n"+encoded+"\r\n--b--"), "b")
	p, err := r.Next()
	is.NoErr(err)
	content, err := io.ReadAll(p)
	is.NoErr(err)
	is.Equal(string(content), encoded)
}

func TestBoundary(t *testing.T) {
	for _, tt := range []struct {
		mediaType, want string
		ok              bool
	}{
		{"multipart/form-data; boundary=b", "b", true},
		{`Multipart/Form-Data; boundary="b c"`, "b c", true},
		{"multipart/form-data", "", false},
		{"multipart/form-data; boundary=", "", false},
		{"multipart/mixed; boundary=b", "b", false},
		{"application/json", "", false},
		{"", "", false},
	} {
		t.Run(tt.mediaType, func(t *testing.T) {
			is := is.New(t)
			boundary, ok := formdata.Boundary(map[string][]string{"Content-Type": {tt.mediaType}})
			is.Equal(boundary, tt.want)
			is.Equal(ok, tt.ok)
		})
	}
}

package compress_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/compress"
)

func unzip(t *testing.T, zipped []byte) string {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

// The size of a compressed body hides small differences in its content. The same body always has
// the same size.
func TestResponsePadding(t *testing.T) {
	is := is.New(t)
	sizes := map[int]bool{}
	for i := range 200 {
		body := []byte(fmt.Sprintf("%03d", i) + strings.Repeat("a", compress.MinSize))
		var once, twice bytes.Buffer
		compress.Response(&once, body)
		compress.Response(&twice, body)
		is.Equal(unzip(t, once.Bytes()), string(body))
		is.Equal(once.Len(), twice.Len())
		sizes[once.Len()] = true
	}
	is.True(len(sizes) > 16)
}

func TestStream(t *testing.T) {
	is := is.New(t)
	for range 3 { // compressors are reused
		var b bytes.Buffer
		s := compress.NewStream(&b)
		is.Equal(b.Len(), 0)
		_, err := io.WriteString(s, "one ")
		is.NoErr(err)
		_, err = io.WriteString(s, "two")
		is.NoErr(err)
		is.NoErr(s.Close())
		is.Equal(unzip(t, b.Bytes()), "one two")

		b.Reset()
		aborted := compress.NewStream(&b)
		_, err = io.WriteString(aborted, "one")
		is.NoErr(err)
		aborted.Abort()
		r, err := gzip.NewReader(&b)
		is.NoErr(err)
		_, err = io.ReadAll(r)
		is.Equal(err, io.ErrUnexpectedEOF)
	}
}

func TestSmall(t *testing.T) {
	is := is.New(t)
	body := strings.Repeat("some text ", 1000)
	is.Equal(unzip(t, compress.Small([]byte(body))), body)
}

func TestAccepted(t *testing.T) {
	for headers, want := range map[string]bool{
		"": false, "gzip": true, "GZIP": true, "br, gzip;q=0.5": true, "*": true, "*;q=0, gzip": true, "gzip;q=x": true,
		"br": false, "gzip;q=0": false, "gzip;q=0, *": false, "*;q=0": false, "gzip;q=0.000": false, "identity": false,
	} {
		t.Run(headers, func(t *testing.T) {
			is := is.New(t)
			is.Equal(compress.Accepted([]string{headers}), want)
		})
	}
}

package format_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/app/transfer/format"
	"lyceum/domain/fault"
)

// FuzzReader checks that reading terminates for any text, that each line has a record or faults,
// and that writing a record and reading it again does not change it.
func FuzzReader(f *testing.F) {
	golden, err := os.ReadFile("../../../test/api/apitest/testdata/export.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for line := range bytes.SplitSeq(golden, []byte("\n")) {
		f.Add(line)
	}
	f.Add([]byte("\uFEFF{\"kind\":\"end\",\"end\":1}\r\n\r\n{}\nnull\n[]\n\"x\"\n{\"kind\":null}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, line := range all(t, text) {
			if line.Err != nil {
				if fault.All(line.Err) == nil || line.Record != nil {
					t.Fatalf("line %d: %v", line.Number, line.Err)
				}
				continue
			}
			written := write(t, line.Record)
			again := all(t, []byte(written))
			if again[0].Err != nil || write(t, again[0].Record) != written {
				t.Fatalf("%s is %v", written, again[0].Err)
			}
		}
	})
}

// write returns the line of a record, without the end line.
func write(t *testing.T, record any) string {
	t.Helper()
	var b strings.Builder
	w := format.NewWriter(&b)
	if err := errors.Join(w.Write(record), w.Close()); err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(b.String(), "\n")
	return line
}

func all(t *testing.T, text []byte) []format.Line {
	t.Helper()
	r := format.NewReader(bytes.NewReader(text))
	var lines []format.Line
	for {
		line, err := r.Next()
		if errors.Is(err, io.EOF) {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
}

func TestBytesRoundTrip(t *testing.T) {
	for _, size := range []int{0, 1, format.ChunkSize, format.ChunkSize + 1, 3 * format.ChunkSize} {
		is := is.New(t)
		var b bytes.Buffer
		w := format.NewWriter(&b)
		sent := bytes.Repeat([]byte("abc"), size)[:size]
		is.NoErr(w.Bytes(bytes.NewReader(sent)))
		is.NoErr(w.Close())
		var got []byte
		parts := 0
		for _, line := range all(t, b.Bytes()) {
			if p, ok := line.Record.(*format.Chunk); ok {
				got = append(got, p.Data...)
				parts++
			}
		}
		is.True(bytes.Equal(got, sent))
		is.Equal(parts, (size+format.ChunkSize-1)/format.ChunkSize)
	}
}

// TestTooLongLine checks that a line that is too long is a fault, and that the reader continues
// with the next line.
func TestTooLongLine(t *testing.T) {
	is := is.New(t)
	lines := all(t, append(bytes.Repeat([]byte("x"), format.MaxLine+1), "\n{\"kind\":\"end\"}"...))
	is.Equal(len(lines), 2)
	is.Equal(lines[0].Err.Error(), "invalid: exceeds 67108864 bytes")
	is.Equal(lines[1].Kind, format.EndKind)
	is.Equal(lines[1].Number, 2)
}

// TestDocumentNamesEveryField checks that docs/transfer.md describes every kind of line and each of
// its fields.
func TestDocumentNamesEveryField(t *testing.T) {
	page, err := os.ReadFile("../../../docs/transfer.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range format.Kinds() {
		_, row, ok := strings.Cut(string(page), "\n| `"+kind+"` |")
		row, _, _ = strings.Cut(row, "\n")
		if !ok {
			t.Errorf("no row on %s", kind)
		}
		for _, member := range format.FieldNames(kind) {
			if member != "kind" && !strings.Contains(row, "`"+member+"`") {
				t.Errorf("%s: no word on %s", kind, member)
			}
		}
	}
}

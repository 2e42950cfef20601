package csvfile_test

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/app/transfer/csvfile"
)

const maxRow = 1 << 16

func TestReader(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		want       string // the line and the cells of each row, then the error
	}{
		{"rows", "a,b\r\n1\n,,\n", "1[a b] 2[1] 3[  ] EOF"},
		{"a byte order mark", "\uFEFFa\n1", "1[a] 2[1] EOF"},
		{"only a byte order mark", "\uFEFF", "EOF"},
		{"no rows", "", "EOF"},
		{"blank lines", "\na\n\n\n1\n", "2[a] 5[1] EOF"},
		{"a cell with several lines", "a\n\"1\n2\",\"3\n\"\n4\n", "1[a] 2[1\n2 3\n] 5[4] EOF"},
		{"a stray quotation mark", "a\n1\"\n", `1[a] line 2: invalid CSV at column 2: bare " in non-quoted-field`},
		{
			"a missing quotation mark", "a\n\"1\n2\n3\n",
			`1[a] line 2: invalid CSV at line 4, column 3: extraneous or missing " in quoted-field`,
		},
		{
			"a missing quotation mark before a large rest", "a\n\"1\n2\"\n\"" + strings.Repeat("3\n", maxRow),
			"1[a] 2[1\n2] line 4: is longer than 65536 bytes; a quotation mark may be missing",
		},
		{
			"a large first row", strings.Repeat(",", 2*maxRow),
			"line 1: is longer than 65536 bytes; a quotation mark may be missing",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			var got []string
			r := csvfile.NewReader(strings.NewReader(tt.file), maxRow)
			for {
				cells, err := r.Read()
				if err != nil {
					got = append(got, err.Error())
					break
				}
				got = append(got, fmt.Sprint(r.Line(), cells))
			}
			is.Equal(strings.ReplaceAll(strings.Join(got, " "), " [", "["), tt.want)
		})
	}
}

// A file may have more rows than a row may have bytes.
func TestLargeFile(t *testing.T) {
	is := is.New(t)
	row := strings.Repeat("x", maxRow-1) + "\n"
	r := csvfile.NewReader(strings.NewReader(strings.Repeat(row, 5)), maxRow)
	for range 5 {
		_, err := r.Read()
		is.NoErr(err)
	}
	_, err := r.Read()
	is.True(errors.Is(err, io.EOF))
}

// The memory for a file with a missing quotation mark depends on the limit of a row, not on the size
// of the file.
func TestMemoryOfUnclosedQuotationMark(t *testing.T) {
	is := is.New(t)
	before := allocated()
	_, err := csvfile.NewReader(io.MultiReader(strings.NewReader(`"`), endless{}), maxRow).Read()
	is.True(errors.As(err, new(*csvfile.RowError)))
	is.True(allocated()-before < 100*maxRow)
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// endless is a file of letters that has no end.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'z'
	}
	return len(b), nil
}

func TestErrorOfFile(t *testing.T) {
	is := is.New(t)
	broken := errors.New("broken")
	_, err := csvfile.NewReader(io.MultiReader(strings.NewReader("a"), failing{broken}), maxRow).Read()
	is.True(errors.Is(err, broken))
}

type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }

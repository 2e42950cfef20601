// Package csvfile reads the rows of CSV files that people have written with other programs. It knows
// no columns. Start with Reader.
package csvfile

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Reader reads the rows of a file. It skips a byte order mark and blank lines. The number of cells
// may differ between rows.
type Reader struct {
	limited *rowLimiter
	maxRow  int
	lines   *csv.Reader
	line    int // where the last row begins
	next    int // where the next row begins, unless blank lines precede it
}

// NewReader returns a reader of the file r, in which a row has at most maxRow bytes. A quoted cell ends
// at the next quotation mark, so without a limit one missing mark would make the rest of the file a
// cell. A row of commas uses about a hundred times its size.
func NewReader(r io.Reader, maxRow int) *Reader {
	limited := &rowLimiter{r, maxRow}
	b := bufio.NewReader(limited)
	if mark, err := b.Peek(len("\uFEFF")); err == nil && string(mark) == "\uFEFF" {
		_, _ = b.Discard(len(mark)) // cannot fail, because Peek has read these bytes
	}
	lines := csv.NewReader(b)
	lines.FieldsPerRecord = -1
	return &Reader{limited: limited, maxRow: maxRow, lines: lines, next: 1}
}

// SeparateBy sets the character between two cells, which is a comma otherwise. Call it before Read.
func (r *Reader) SeparateBy(separator rune) { r.lines.Comma = separator }

// Read returns the cells of the next row. It returns a RowError for a row that is not valid CSV or
// longer than maxRow, io.EOF at the end of the file, and the errors of the file. After an error, no
// further row can be read.
func (r *Reader) Read() ([]string, error) {
	r.limited.left = r.maxRow
	cells, err := r.lines.Read()
	var wrong *csv.ParseError
	switch {
	case errors.As(err, &wrong):
		at := fmt.Sprintf("column %d", wrong.Column)
		if wrong.Line != wrong.StartLine {
			at = fmt.Sprintf("line %d, column %d", wrong.Line, wrong.Column)
		}
		return nil, &RowError{wrong.StartLine, fmt.Sprintf("invalid CSV at %s: %v", at, wrong.Err)}
	case errors.Is(err, errLongRow):
		return nil, &RowError{r.next, fmt.Sprintf("is longer than %d bytes; a quotation mark may be missing", r.maxRow)}
	case err != nil:
		return nil, err
	}
	last := len(cells) - 1
	r.line, _ = r.lines.FieldPos(0)
	end, _ := r.lines.FieldPos(last)
	r.next = end + strings.Count(cells[last], "\n") + 1
	return cells, nil
}

// Line returns the number of the line at which the last row begins, from 1.
func (r *Reader) Line() int { return r.line }

// RowError is the reason why a row cannot be read.
type RowError struct {
	Line   int // where the row begins, from 1
	Reason string
}

func (e *RowError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

var errLongRow = errors.New("csvfile: a row is too long")

// rowLimiter reads at most left bytes. The reader of CSV reads ahead a few kilobytes, which do not
// count for the next row, so a row can have a few kilobytes more than the limit.
type rowLimiter struct {
	r    io.Reader
	left int
}

// Read implements io.Reader.
func (l *rowLimiter) Read(b []byte) (int, error) {
	if l.left <= 0 {
		return 0, errLongRow
	}
	n, err := l.r.Read(b[:min(len(b), l.left)])
	l.left -= n
	return n, err
}

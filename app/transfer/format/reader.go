package format

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"unicode/utf8"

	"lyceum/domain/fault"
)

// MaxLine is the longest line, in bytes. The longest that a school can have, a
// quiz attempt with 500 answers of 50 choices each, is a third of it.
const MaxLine = 64 << 20

// Line is a line that was read.
type Line struct {
	Number int    // from 1
	Kind   string // blank when even that is not to be made out
	Record any    // a pointer to the record of the kind; nil when Wrong is not
	Wrong  error  // faults, on the members
}

// Reader reads lines.
type Reader struct {
	source *bufio.Reader
	number int
	held   []byte
	again  bytes.Buffer // what a Writer writes of the record of a line
	writer *json.Encoder
}

// NewReader returns a reader of the lines of r.
func NewReader(r io.Reader) *Reader {
	in := &Reader{source: bufio.NewReaderSize(r, 256<<10)}
	in.writer = encoder(&in.again)
	return in
}

var byteOrderMark = []byte("\uFEFF")

// Next returns the next line that is not blank, io.EOF behind the last. Any other
// error says that the source cannot be read on; what is wrong with a line is in it.
func (r *Reader) Next() (Line, error) {
	for {
		text, tooLong, err := r.text()
		if err != nil {
			return Line{}, err
		}
		if r.number == 1 {
			text = bytes.TrimPrefix(text, byteOrderMark)
		}
		if tooLong {
			return Line{Number: r.number, Wrong: fault.Invalidf("", "is longer than %d bytes", MaxLine)}, nil
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			line, ok := r.written(text)
			if !ok {
				line = decode(text)
			}
			line.Number = r.number
			return line, nil
		}
	}
}

// text returns the bytes of the next line, which are good until the next call.
func (r *Reader) text() (text []byte, tooLong bool, err error) {
	r.held = r.held[:0]
	r.number++
	for {
		piece, err := r.source.ReadSlice('\n')
		if len(r.held)+len(piece) > MaxLine {
			tooLong = true
		} else {
			r.held = append(r.held, piece...)
		}
		switch {
		case err == nil:
			return r.held, tooLong, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && (len(r.held) > 0 || tooLong):
			return r.held, tooLong, nil
		default:
			return nil, false, err
		}
	}
}

// written returns the record of a line that is exactly what a Writer writes of it,
// so that nothing can be wrong with its members; false for any other line. It takes
// half the time of decode.
func (r *Reader) written(text []byte) (Line, bool) {
	rest, begins := bytes.CutPrefix(text, []byte(`{"kind":"`))
	kind, _, ends := bytes.Cut(rest, []byte(`"`))
	empty := kinds[string(kind)]
	if !begins || !ends || empty == nil {
		return Line{}, false
	}
	record := empty()
	r.again.Reset()
	if json.Unmarshal(text, record) != nil || r.writer.Encode(record) != nil {
		return Line{}, false
	}
	return Line{Kind: string(kind), Record: record}, bytes.Equal(bytes.TrimSpace(r.again.Bytes()), text)
}

// decode returns the record of a line.
func decode(text []byte) Line {
	if !utf8.Valid(text) {
		return Line{Wrong: fault.Invalidf("", "is not valid UTF-8")}
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil || members == nil {
		return Line{Wrong: fault.Invalidf("", "is not a JSON object: %s", reason(err))}
	}
	kind, err := kindOf(members["kind"])
	if err != nil {
		return Line{Wrong: err}
	}
	if err := strangers(members, kind); err != nil {
		return Line{Kind: kind, Wrong: err}
	}
	record := kinds[kind]()
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(record); err != nil {
		return Line{Kind: kind, Wrong: misfits(kind, members, err)}
	}
	return Line{Kind: kind, Record: record}
}

// kindOf returns the kind that the member names.
func kindOf(member json.RawMessage) (string, error) {
	if member == nil {
		return "", fault.Invalidf("kind", "is missing")
	}
	var kind string
	if err := json.Unmarshal(member, &kind); err != nil {
		return "", fault.Invalidf("kind", "is not a text")
	}
	if _, ok := kinds[kind]; !ok {
		return "", fault.Invalidf("kind", "%q is none%s", shortened(kind), hint(kind, Kinds()))
	}
	return kind, nil
}

// reason returns what the library has against a text, nil being an object that is
// null.
func reason(err error) string {
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return "it is null"
	case errors.As(err, &syntax):
		return fmt.Sprintf("at byte %d: %s", syntax.Offset, syntax.Error())
	}
	return "it is something else"
}

// misfits returns what is wrong with the members of a line of a kind, which
// together gave err.
func misfits(kind string, members map[string]json.RawMessage, err error) error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(members)) {
		one, _ := json.Marshal(map[string]json.RawMessage{name: members[name]}) // was read as JSON
		if err := json.Unmarshal(one, kinds[kind]()); err != nil {
			errs = append(errs, misfit(name, err))
		}
	}
	if len(errs) == 0 {
		return misfit("", err)
	}
	return fault.Join(errs...)
}

// misfit returns what is wrong with the member of that name in words for people.
func misfit(name string, err error) error {
	var mistyped *json.UnmarshalTypeError
	if errors.As(err, &mistyped) {
		return fault.Invalidf(mistyped.Field, "cannot be a JSON %s", mistyped.Value)
	}
	return fault.Invalidf(name, "%v", err)
}

package format

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"unicode/utf8"

	"lyceum/domain/fault"
)

// MaxLine is the maximum length of a line in bytes. The longest line of a valid school, a quiz
// attempt with 500 answers of 50 choices each, takes a third of it.
const MaxLine = 64 << 20

// Line is one line of a file.
type Line struct {
	Number int    // 1-based
	Kind   string // blank if it cannot be determined
	Record any    // pointer to the record; nil if Err is set
	Err    error  // faults of the line
}

// A Reader reads lines.
type Reader struct {
	source *bufio.Reader
	number int
	held   []byte
	again  bytes.Buffer // buffer for the line that a Writer would write for the record
	writer *json.Encoder
}

// NewReader returns a Reader of r.
func NewReader(r io.Reader) *Reader {
	in := &Reader{source: bufio.NewReaderSize(r, 256<<10)}
	in.writer = encoder(&in.again)
	return in
}

var byteOrderMark = []byte("\uFEFF")

// Next returns the next line that is not blank, or io.EOF. Any other error means that reading r
// failed; faults of a line are in Line.Err.
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
			return Line{Number: r.number, Err: fault.Invalidf("", "exceeds %d bytes", MaxLine)}, nil
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			line, ok := r.decodeWritten(text)
			if !ok {
				line = decode(text)
			}
			line.Number = r.number
			return line, nil
		}
	}
}

// text returns the bytes of the next line. They are valid until the next call.
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

// decodeWritten decodes text if it is exactly what a Writer would write, and reports whether it is.
// Such a line has no unknown fields. decodeWritten takes half as long as decode.
func (r *Reader) decodeWritten(text []byte) (Line, bool) {
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

// decode returns a line with its record or its faults.
func decode(text []byte) Line {
	if !utf8.Valid(text) {
		return Line{Err: fault.Invalidf("", "is not valid UTF-8")}
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil || members == nil {
		return Line{Err: fault.Invalidf("", "is not a JSON object: %s", jsonErrorText(err))}
	}
	kind, err := kindOf(members["kind"])
	if err != nil {
		return Line{Err: err}
	}
	if err := unknownFields(members, kind); err != nil {
		return Line{Kind: kind, Err: err}
	}
	record := kinds[kind]()
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(record); err != nil {
		return Line{Kind: kind, Err: fieldFaults(kind, members, err)}
	}
	return Line{Kind: kind, Record: record}
}

// kindOf returns the value of the field kind, or a fault if it is missing or unknown.
func kindOf(member json.RawMessage) (string, error) {
	if member == nil {
		return "", fault.Invalidf("kind", "can't be blank")
	}
	var kind string
	if err := json.Unmarshal(member, &kind); err != nil {
		return "", fault.Invalidf("kind", "must be a string")
	}
	if _, ok := kinds[kind]; !ok {
		return "", fault.Invalidf("kind", "unknown kind %q%s", truncate(kind), hint(kind, Kinds()))
	}
	return kind, nil
}

// jsonErrorText describes a JSON error. A nil err means that the line is null instead of an object.
func jsonErrorText(err error) string {
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return "it is null"
	case errors.As(err, &syntax):
		return fmt.Sprintf("at byte %d: %s", syntax.Offset, syntax.Error())
	}
	return "it is a different JSON value"
}

// fieldFaults returns the faults of the fields of a line that failed to decode with err.
func fieldFaults(kind string, members map[string]json.RawMessage, err error) error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(members)) {
		one, _ := json.Marshal(map[string]json.RawMessage{name: members[name]}) // the value is valid JSON
		if err := json.Unmarshal(one, kinds[kind]()); err != nil {
			errs = append(errs, jsonTypeError(name, err))
		}
	}
	if len(errs) == 0 {
		return jsonTypeError("", err)
	}
	return fault.Join(errs...)
}

// jsonTypeError returns the fault of a field whose value has the wrong JSON type.
func jsonTypeError(name string, err error) error {
	var mistyped *json.UnmarshalTypeError
	if errors.As(err, &mistyped) {
		return fault.Invalidf(mistyped.Field, "must be %s", jsonTypeOf(mistyped.Type))
	}
	return fault.Invalidf(name, "%v", err)
}

// jsonTypeOf returns the JSON type of values of the Go type t, with its article.
func jsonTypeOf(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[json.Number]():
		return "a number"
	case t == reflect.TypeFor[[]byte](), t.Kind() == reflect.String:
		return "a string"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.Slice:
		return "an array"
	case t.Kind() == reflect.Struct:
		return "an object"
	}
	return "a whole number (64-bit)"
}

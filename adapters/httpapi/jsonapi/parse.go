package jsonapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// MaxDepth is how many arrays and objects of a body may lie within each other.
const MaxDepth = 32

// SyntaxError says why a body is no JSON that this service reads. Its text is
// meant for clients.
type SyntaxError struct{ reason string }

// Error returns the reason, a sentence without a full stop.
func (e *SyntaxError) Error() string { return e.reason }

func syntaxErrorf(format string, args ...any) error {
	return &SyntaxError{reason: fmt.Sprintf(format, args...)}
}

// Parse returns the value that body is. Whatever is not exactly one JSON value
// is a *SyntaxError: rubbish behind it, a name that occurs twice in one object,
// nesting beyond MaxDepth.
func Parse(body []byte) (Value, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := checkValue(d, 0); err != nil {
		return Value{}, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Value{}, syntaxErrorf("The body holds more than one JSON value")
	}
	return Value{raw: bytes.TrimSpace(body)}, nil
}

// checkValue reads one value that lies in depth arrays and objects.
func checkValue(d *json.Decoder, depth int) error {
	token, err := next(d)
	if err != nil {
		return err
	}
	open, ok := token.(json.Delim)
	if !ok {
		return nil
	}
	if depth == MaxDepth {
		return syntaxErrorf("The body is nested deeper than %d levels", MaxDepth)
	}
	seen := map[string]bool{}
	for d.More() {
		if open == '{' {
			if err := checkName(d, seen); err != nil {
				return err
			}
		}
		if err := checkValue(d, depth+1); err != nil {
			return err
		}
	}
	_, err = next(d) // the closing bracket
	return err
}

// checkName reads the name of a member of an object whose other names are seen.
func checkName(d *json.Decoder, seen map[string]bool) error {
	token, err := next(d)
	if err != nil {
		return err
	}
	name, _ := token.(string) // the decoder refuses any other
	if seen[name] {
		return syntaxErrorf("The body names %.60q twice in one object", name)
	}
	seen[name] = true
	return nil
}

func next(d *json.Decoder) (json.Token, error) {
	token, err := d.Token()
	if err != nil {
		return nil, syntaxErrorf("The body is not valid JSON (near byte %d)", d.InputOffset())
	}
	return token, nil
}

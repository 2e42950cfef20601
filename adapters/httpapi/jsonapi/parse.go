package jsonapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// The bounds of what is read at all.
const (
	// MaxDepth is how many arrays and objects of a body may lie within each other.
	MaxDepth = 32
	// MaxMembers is how many members an object may have, many times what any object
	// has that this service reads: to decode one costs far more than its bytes.
	MaxMembers = 1000
)

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
// nesting beyond MaxDepth, an object of more than MaxMembers members. So is a body
// of more than most values, each element, member, array and object being one;
// what comes after them is not read.
func Parse(body []byte, most int) (Value, error) {
	p := parser{Decoder: json.NewDecoder(bytes.NewReader(body)), most: most}
	p.UseNumber()
	if err := p.checkValue(0); err != nil {
		return Value{}, err
	}
	if _, err := p.Token(); !errors.Is(err, io.EOF) {
		return Value{}, syntaxErrorf("The body holds more than one JSON value")
	}
	return Value{raw: bytes.TrimSpace(body)}, nil
}

// parser reads a body and counts its values.
type parser struct {
	*json.Decoder
	values, most int
}

// checkValue reads one value that lies in depth arrays and objects.
func (p *parser) checkValue(depth int) error {
	if p.values++; p.values > p.most {
		return syntaxErrorf("The body holds more than %d values", p.most)
	}
	token, err := p.next()
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
	var seen names
	for p.More() {
		if open == '{' {
			if err := p.checkName(&seen); err != nil {
				return err
			}
		}
		if err := p.checkValue(depth + 1); err != nil {
			return err
		}
	}
	_, err = p.next() // the closing bracket
	return err
}

// checkName reads the name of a member of an object whose other names are seen.
func (p *parser) checkName(seen *names) error {
	token, err := p.next()
	if err != nil {
		return err
	}
	name, _ := token.(string) // the decoder refuses any other
	if !seen.add(name) {
		return syntaxErrorf("The body names %.60q twice in one object", name)
	}
	if seen.count > MaxMembers {
		return syntaxErrorf("The body holds an object of more than %d members", MaxMembers)
	}
	return nil
}

func (p *parser) next() (json.Token, error) {
	token, err := p.Token()
	if err != nil {
		return nil, syntaxErrorf("The body is not valid JSON (near byte %d)", p.InputOffset())
	}
	return token, nil
}

package jsonapi

import (
	"bytes"
	"fmt"
	"unicode/utf8"
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
	p := parser{scanner: scanner{body: body}, most: most}
	if err := p.checkValue(0); err != nil {
		return Value{}, err
	}
	if _, ok := p.peek(); ok {
		return Value{}, syntaxErrorf("The body holds more than one JSON value")
	}
	return Value{raw: bytes.TrimSpace(body)}, nil
}

// parser checks a body and counts its values. It makes no values: the tokens of
// json.Decoder take twenty times as long.
type parser struct {
	scanner
	values, most int
	objects      []names // of the objects that are open, by depth
}

// checkValue reads one value that lies in depth arrays and objects.
func (p *parser) checkValue(depth int) error {
	if p.values++; p.values > p.most {
		return syntaxErrorf("The body holds more than %d values", p.most)
	}
	open, ok := p.peek()
	if open != '[' && open != '{' {
		if !ok || !p.scalar() {
			return p.invalid()
		}
		return nil
	}
	p.at++
	if depth == MaxDepth {
		return syntaxErrorf("The body is nested deeper than %d levels", MaxDepth)
	}
	if open == '{' {
		return p.checkMembers(depth)
	}
	return p.checkElements(depth)
}

// checkElements reads the elements of an array, and its end.
func (p *parser) checkElements(depth int) error {
	for first := true; ; first = false {
		if c, ok := p.peek(); !ok || c == ']' || c == '}' {
			return p.end(']')
		}
		if !first && !p.skip(',') { // counted before it is found to be wrong
			if p.values == p.most {
				return p.checkValue(depth + 1)
			}
			return p.invalid()
		}
		if err := p.checkValue(depth + 1); err != nil {
			return err
		}
	}
}

// checkMembers reads the members of an object, and its end.
func (p *parser) checkMembers(depth int) error {
	for len(p.objects) <= depth {
		p.objects = append(p.objects, names{})
	}
	p.objects[depth].clear()
	for first := true; ; first = false {
		if c, ok := p.peek(); !ok || c == ']' || c == '}' {
			return p.end('}')
		}
		if !first && !p.skip(',') {
			return p.invalid()
		}
		if err := p.checkName(&p.objects[depth]); err != nil {
			return err
		}
		if p.values < p.most && !p.skip(':') { // else checkValue refuses the value first
			return p.invalid()
		}
		if err := p.checkValue(depth + 1); err != nil {
			return err
		}
	}
}

// checkName reads the name of a member of an object whose other names are seen.
func (p *parser) checkName(seen *names) error {
	c, _ := p.peek()
	begin := p.at
	if c != '"' || !p.text() {
		return p.invalid()
	}
	name := p.body[begin+1 : p.at-1]
	if bytes.IndexByte(name, '\\') >= 0 || !utf8.Valid(name) {
		name = []byte(unquoted(p.body[begin:p.at]))
	}
	if !seen.add(name) {
		return syntaxErrorf("The body names %.60q twice in one object", name)
	}
	if seen.count > MaxMembers {
		return syntaxErrorf("The body holds an object of more than %d members", MaxMembers)
	}
	return nil
}

// end reads the bracket that ends an array or an object.
func (p *parser) end(bracket byte) error {
	if !p.skip(bracket) {
		return p.invalid()
	}
	return nil
}

func (p *parser) invalid() error {
	return syntaxErrorf("The body is not valid JSON (near byte %d)", p.at)
}

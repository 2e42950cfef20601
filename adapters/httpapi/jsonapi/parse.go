package jsonapi

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// The limits of Parse.
const (
	// MaxDepth is the maximum nesting depth of arrays and objects.
	MaxDepth = 32
	// MaxMembers is the maximum number of members of an object, far above what any known object
	// has. A member takes far more memory than its bytes.
	MaxMembers = 1000
)

// SyntaxError is the reason why a body is rejected. Its text is shown to clients.
type SyntaxError struct{ reason string }

// Error returns the reason, a sentence without a full stop.
func (e *SyntaxError) Error() string { return e.reason }

func syntaxErrorf(format string, args ...any) error {
	return &SyntaxError{reason: fmt.Sprintf(format, args...)}
}

// Parse parses a body that consists of exactly one JSON value. It returns a *SyntaxError for
// invalid JSON, a trailing token, a duplicate name in an object, nesting beyond MaxDepth, more than
// MaxMembers members in an object, or too many values: most is the maximum. Each element, member,
// array and object counts as a value; Parse stops at the first value beyond the limit.
func Parse(body []byte, most int) (Value, error) {
	p := parser{scanner: scanner{body: body}, most: most}
	if err := p.checkValue(0); err != nil {
		return Value{}, err
	}
	if _, ok := p.peek(); ok {
		return Value{}, syntaxErrorf("The body contains more than one JSON value")
	}
	return Value{raw: bytes.TrimSpace(body)}, nil
}

// parser checks a body and counts its values, without allocating them: reading tokens with
// json.Decoder takes twenty times as long.
type parser struct {
	scanner
	values, most int
	objects      []names // names of the open objects, by depth
}

// checkValue reads one value that is nested in depth arrays and objects.
func (p *parser) checkValue(depth int) error {
	if p.values++; p.values > p.most {
		return syntaxErrorf("The body contains more than %d values", p.most)
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
		return syntaxErrorf("The body has more than %d levels of nesting", MaxDepth)
	}
	if open == '{' {
		return p.checkMembers(depth)
	}
	return p.checkElements(depth)
}

// checkElements reads the elements of an array and its closing bracket.
func (p *parser) checkElements(depth int) error {
	for first := true; ; first = false {
		if c, ok := p.peek(); !ok || c == ']' || c == '}' {
			return p.end(']')
		}
		// At the limit, the number of values is reported instead of the syntax error.
		if !first && !p.skip(',') {
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

// checkMembers reads the members of an object and its closing brace.
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
		// At the limit, checkValue reports the number of values instead of a missing colon.
		if p.values < p.most && !p.skip(':') {
			return p.invalid()
		}
		if err := p.checkValue(depth + 1); err != nil {
			return err
		}
	}
}

// checkName reads the name of a member and adds it to the names of its object.
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
		return syntaxErrorf("The body contains the duplicate key %.60q", name)
	}
	if seen.count > MaxMembers {
		return syntaxErrorf("The body contains an object with more than %d members", MaxMembers)
	}
	return nil
}

// end reads the bracket that closes an array or an object.
func (p *parser) end(bracket byte) error {
	if !p.skip(bracket) {
		return p.invalid()
	}
	return nil
}

func (p *parser) invalid() error {
	return syntaxErrorf("The body is not valid JSON (near byte %d)", p.at)
}

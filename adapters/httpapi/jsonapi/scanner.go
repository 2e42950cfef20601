package jsonapi

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// scanner reads the tokens of a JSON text as package encoding/json does. After an error,
// at is the start of the invalid token.
type scanner struct {
	body []byte
	at   int // the index of the next byte
}

// peek skips white space and returns the next byte, if there is one. White space at the
// end of the text is not skipped.
func (s *scanner) peek() (c byte, ok bool) {
	for i := s.at; i < len(s.body); i++ {
		switch s.body[i] {
		case ' ', '\n', '\r', '\t':
		default:
			s.at = i
			return s.body[i], true
		}
	}
	return 0, false
}

// skip skips white space and then reads c. It reports whether c was the next byte.
func (s *scanner) skip(c byte) bool {
	next, ok := s.peek()
	if !ok || next != c {
		return false
	}
	s.at++
	return true
}

// scalar reads a value other than an array or an object and reports whether there is one.
func (s *scanner) scalar() bool {
	switch s.body[s.at] {
	case '"':
		return s.text()
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	}
	return s.number()
}

func (s *scanner) word(w string) bool {
	if len(s.body)-s.at < len(w) || string(s.body[s.at:s.at+len(w)]) != w {
		return false
	}
	s.at += len(w)
	return true
}

// text reads a string with its quotation marks and reports whether it is valid.
func (s *scanner) text() bool {
	for i := s.at + 1; i < len(s.body); i++ {
		switch c := s.body[i]; {
		case c == '"':
			s.at = i + 1
			return true
		case c < ' ':
			return false
		case c == '\\':
			n := escaped(s.body[i+1:])
			if n == 0 {
				return false
			}
			i += n
		}
	}
	return false
}

// escaped returns the length of the escape sequence after a backslash, or 0 if it is invalid.
func escaped(rest []byte) int {
	switch {
	case len(rest) > 0 && strings.IndexByte(`"\/bfnrt`, rest[0]) >= 0:
		return 1
	case len(rest) > 4 && rest[0] == 'u' && isHex(rest[1]) && isHex(rest[2]) && isHex(rest[3]) && isHex(rest[4]):
		return 5
	}
	return 0
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// number reads the longest number at the current position and reports whether there is
// one.
func (s *scanner) number() bool {
	i := s.at
	next := func(of string) bool {
		if i < len(s.body) && strings.IndexByte(of, s.body[i]) >= 0 {
			i++
			return true
		}
		return false
	}
	digits := func() bool {
		begin := i
		for i < len(s.body) && isDigit(s.body[i]) {
			i++
		}
		return i > begin
	}
	next("-")
	if !next("0") && !digits() {
		return false
	}
	if next(".") && !digits() {
		return false
	}
	if next("eE") {
		next("+-")
		if !digits() {
			return false
		}
	}
	s.at = i
	return true
}

// value reads the next value of a valid text and returns its bytes.
func (s *scanner) value() []byte {
	_, _ = s.peek()
	begin := s.at
	for depth := 0; ; {
		c, ok := s.peek()
		switch {
		case !ok:
		case c == '[' || c == '{':
			depth++
			s.at++
		case c == ']' || c == '}':
			depth--
			s.at++
		case c == ',' || c == ':':
			s.at++
		default:
			ok = s.scalar()
		}
		if depth == 0 || !ok {
			return s.body[begin:s.at:s.at]
		}
	}
}

// unquoted returns the text of a valid JSON string.
func unquoted(quoted []byte) string {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	var s string
	_ = json.Unmarshal(quoted, &s) // never fails for a valid string
	return s
}

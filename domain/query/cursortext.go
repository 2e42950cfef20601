package query

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// MaxCursor is the size of the longest text of a cursor, in bytes. Only sort
// values of several thousand characters make a longer one.
const MaxCursor = 24 << 10

// cursorVersion is the first byte of a cursor. A change of the format, or of what
// a Scope is made of, takes the next number.
const cursorVersion = 1

// The flags of a cursor.
const (
	backwardFlag = 1 << iota
	inclusiveFlag
)

// errCursor says that a text is not a cursor of this version and scope.
var errCursor = errors.New("query: not a cursor of this list")

// Text returns c as clients carry it from one page to the next, in characters that
// need no escape in an address. scope is what the cursor belongs to, and page the
// page that it is made for. It returns "" for a cursor whose text would be longer
// than MaxCursor.
//
// The text is not signed, since a cursor gives access to nothing that its reader
// may not read anyway; a checksum finds damage.
func (c Cursor) Text(scope Scope, page Page) string {
	b := []byte{cursorVersion, 0}
	if c.Backward {
		b[1] |= backwardFlag
	}
	if c.Inclusive {
		b[1] |= inclusiveFlag
	}
	b = append(b, scope[:]...)
	b = binary.AppendVarint(b, page.Number())
	b = binary.AppendVarint(b, int64(page.Limit()))
	for i, o := range c.Keys {
		b = appendEdge(b, o.Attr, c.Values[i])
	}
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	if base64.RawURLEncoding.EncodedLen(len(b)) > MaxCursor {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// ParseCursor returns the cursor that a client sent of a list sorted by sort, and
// the page that it was made for. A text that is damaged, of another version or of another scope is an error.
func (s Schema[T]) ParseCursor(text string, sort []Order, scope Scope) (Cursor, Page, error) {
	const head, tail = 2 + len(scope), crc32.Size
	if len(text) > MaxCursor {
		return Cursor{}, Page{}, errCursor
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) < head+tail {
		return Cursor{}, Page{}, errCursor
	}
	b, sum := b[:len(b)-tail], binary.BigEndian.Uint32(b[len(b)-tail:])
	if crc32.ChecksumIEEE(b) != sum || b[0] != cursorVersion || Scope(b[2:head]) != scope {
		return Cursor{}, Page{}, errCursor
	}
	r := edgeReader{rest: b[head:]}
	number, limit := r.number(), r.number()
	c := Cursor{Keys: s.edgeKeys(sort), Backward: b[1]&backwardFlag != 0, Inclusive: b[1]&inclusiveFlag != 0}
	for _, o := range c.Keys {
		c.Values = append(c.Values, r.value(o.Attr))
	}
	if r.err != nil || len(r.rest) > 0 || limit > MaxLimit {
		return Cursor{}, Page{}, errCursor
	}
	return c, NewPage(number, int(limit)), nil
}

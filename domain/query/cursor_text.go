package query

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"strings"
)

// MaxCursor is the maximum length of a cursor's text, in bytes. Only sort values of several
// thousand characters exceed it.
const MaxCursor = 24 << 10

// cursorVersion is the first byte of a cursor. Increment it whenever the format, or the content of
// a Scope, changes.
const cursorVersion = 1

// The flags of a cursor.
const (
	backwardFlag = 1 << iota
	inclusiveFlag
)

// ErrOtherStore means that a cursor belongs to the same list of another store (Scope.InStore).
var ErrOtherStore = errors.New("query: a cursor of another store")

// errCursor means that a text is not a cursor with this version and scope.
var errCursor = errors.New("query: not a cursor of this list")

// Text encodes c as text that needs no escaping in a URL. The text also contains the scope of the
// list and the page for which c was created. Text returns "" if the text would be longer than
// MaxCursor.
//
// The text is not signed, because a cursor gives no access to data that the client cannot read
// otherwise. A checksum detects damage.
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

// ParseCursor parses the text of a cursor in a list sorted by sort and returns the cursor and the
// page that it was created for. It returns an error if the text is damaged or has a different
// version or scope, and ErrOtherStore if the scope differs only in the store.
func (s Schema[T]) ParseCursor(text string, sort []Order, scope Scope) (Cursor, Page, error) {
	return s.attributes.parseCursor(text, sort, scope)
}

func (s *Attributes) parseCursor(text string, sort []Order, scope Scope) (Cursor, Page, error) {
	b, err := cursorBytes(text)
	if err != nil {
		return Cursor{}, Page{}, errCursor
	}
	if made := Scope(b[2:cursorHead]); made != scope {
		if made.sameList(scope) {
			return Cursor{}, Page{}, ErrOtherStore
		}
		return Cursor{}, Page{}, errCursor
	}
	r := edgeReader{rest: b[cursorHead:]}
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

// CursorPage returns the page for which a cursor was created. It does not check to which list the
// cursor belongs. It reports false if text is not a cursor of this version.
func CursorPage(text string) (Page, bool) {
	b, err := cursorBytes(text)
	if err != nil {
		return Page{}, false
	}
	r := edgeReader{rest: b[cursorHead:]}
	number, limit := r.number(), r.number()
	return NewPage(number, int(min(limit, MaxLimit))), r.err == nil
}

// cursorHead is the length of the version, the flags and the scope, which precede the page.
const cursorHead = 2 + len(Scope{})

// cursorBytes decodes the text of a cursor and checks the checksum and the version. It returns the
// bytes before the checksum, at least cursorHead of them.
func cursorBytes(text string) ([]byte, error) {
	if len(text) > MaxCursor || strings.ContainsAny(text, "\r\n") { // base64 decoding ignores line breaks
		return nil, errCursor
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) < cursorHead+crc32.Size {
		return nil, errCursor
	}
	b, sum := b[:len(b)-crc32.Size], binary.BigEndian.Uint32(b[len(b)-crc32.Size:])
	if crc32.ChecksumIEEE(b) != sum || b[0] != cursorVersion {
		return nil, errCursor
	}
	return b, nil
}

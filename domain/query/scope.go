package query

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/google/uuid"
)

// Scope identifies the list of a cursor: a list of a school with its conditions and its order.
// Equivalent requests have the same scope.
type Scope [8]byte

// NewScope returns the scope of q on a list of a school. list identifies the list within the
// school, including the record to which the list belongs, if any.
func NewScope(school uuid.UUID, list string, q Query) Scope {
	b := append([]byte{}, school[:]...)
	b = appendText(b, list)
	b = appendText(b, string(canonicalExpr(q.Where)))
	for _, o := range q.Sort {
		b = appendAttr(b, o.Attr)
		b = appendFlag(b, o.Desc)
	}
	sum := sha256.Sum256(b)
	return Scope(sum[:len(Scope{})])
}

// storeBytes is the number of bytes at the end of a scope that identify the store.
const storeBytes = 3

// InStore returns the scope for a list whose cursors are valid only in one store.
func (s Scope) InStore(store uuid.UUID) Scope {
	copy(s[len(s)-storeBytes:], store[:])
	return s
}

// sameList reports whether s and o are equal except for their stores.
func (s Scope) sameList(o Scope) bool {
	n := len(s) - storeBytes
	return bytes.Equal(s[:n], o[:n])
}

// canonicalExpr returns a canonical form of e. It is equal for expressions that differ only in the
// order of their parts and values.
func canonicalExpr(e Expr) []byte {
	switch e := e.(type) {
	case nil:
		return canonicalExpr(And{})
	case And:
		return canonicalGroup('&', e)
	case Or:
		return canonicalGroup('|', e)
	case Cond:
		b := append([]byte{'='}, byte(e.Op))
		b = appendAttr(b, e.Attr)
		values := make([][]byte, len(e.Values))
		for i, v := range e.Values {
			values[i] = canonicalValue(v)
		}
		return appendSorted(b, values)
	}
	panic("query: a node that is neither And, Or nor Cond")
}

func canonicalGroup(kind byte, parts []Expr) []byte {
	texts := make([][]byte, len(parts))
	for i, part := range parts {
		texts[i] = canonicalExpr(part)
	}
	return appendSorted([]byte{kind}, texts)
}

func canonicalValue(v Value) []byte {
	b := appendFlag(nil, v.Bool)
	b = appendText(b, v.Text)
	b = append(b, v.ID[:]...)
	b = binary.AppendVarint(b, v.Int)
	if v.Num != nil {
		b = appendText(b, v.Num.RatString())
	}
	for _, t := range []int64{v.From.UnixMilli(), v.To.UnixMilli()} {
		b = binary.AppendVarint(b, t)
	}
	return b
}

func appendAttr(b []byte, a Attr) []byte {
	for _, t := range []string{a.Source, a.Prefix, a.Suffix} {
		b = appendText(b, t)
	}
	if a.Property != "" { // the school can delete the property and define it with a different kind
		b = append(b, byte(a.Kind))
	}
	return b
}

func appendText(b []byte, t string) []byte {
	return append(binary.AppendVarint(b, int64(len(t))), t...)
}

func appendFlag(b []byte, flag bool) []byte {
	if flag {
		return append(b, 1)
	}
	return append(b, 0)
}

func appendSorted(b []byte, texts [][]byte) []byte {
	slices.SortFunc(texts, bytes.Compare)
	for _, t := range texts {
		b = appendText(b, string(t))
	}
	return b
}

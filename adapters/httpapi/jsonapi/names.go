package jsonapi

import "bytes"

// names is the set of member names of one object. The first few need no allocation, because a body
// can contain very many small objects.
type names struct {
	count int
	first [16][]byte
	rest  map[string]bool // the names after the first few; nil: none
}

// clear removes all names.
func (n *names) clear() {
	clear(n.rest)
	n.count = 0
}

// add adds a name and reports whether it is new.
func (n *names) add(name []byte) bool {
	for _, other := range n.first[:min(n.count, len(n.first))] {
		if bytes.Equal(name, other) {
			return false
		}
	}
	if n.rest[string(name)] {
		return false
	}
	if n.count < len(n.first) {
		n.first[n.count] = name
	} else {
		if n.rest == nil {
			n.rest = map[string]bool{}
		}
		n.rest[string(name)] = true
	}
	n.count++
	return true
}

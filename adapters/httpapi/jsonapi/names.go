package jsonapi

import "slices"

// names is the names of the members of one object. The first few need no memory
// of their own, for a body may have very many small objects.
type names struct {
	count int
	first [8]string
	rest  map[string]bool // those after the first, nil as long as there are none
}

// add adds a name; it tells whether it was not there.
func (n *names) add(name string) bool {
	if slices.Contains(n.first[:min(n.count, len(n.first))], name) || n.rest[name] {
		return false
	}
	if n.count < len(n.first) {
		n.first[n.count] = name
	} else {
		if n.rest == nil {
			n.rest = map[string]bool{}
		}
		n.rest[name] = true
	}
	n.count++
	return true
}

package contract

import (
	"maps"
	"slices"
	"strings"
)

// node is a value of the document with its location.
type node struct {
	value   any
	pointer string // RFC 6901
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")

// at returns the descendant of n at the path of names. Its value is nil if it does not exist.
func (n node) at(names ...string) node {
	for _, name := range names {
		members, _ := n.value.(map[string]any)
		n = node{value: members[name], pointer: n.pointer + "/" + escape.Replace(name)}
	}
	return n
}

func (n node) has(name string) bool { return n.at(name).value != nil }

// names returns the names of the members, sorted.
func (n node) names() []string {
	members, _ := n.value.(map[string]any)
	return slices.Sorted(maps.Keys(members))
}

// resolve returns the node to which n refers. If n is not a reference, it returns n.
func (n node) resolve(document node) node {
	ref, ok := n.at("$ref").value.(string)
	if !ok {
		return n
	}
	return document.at(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
}

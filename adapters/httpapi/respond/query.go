package respond

import (
	"net/url"
	"strings"
)

// Parameter is one parameter of a query as it was sent. The standard parser is not
// used because it drops what it does not like; here nothing is dropped.
type Parameter struct {
	Name, Value string // decoded; as sent where a percent escape is broken
	Broken      bool   // whether a percent escape is
}

// ParseQuery takes a raw query apart. Only & separates: a semicolon is a
// character like any other.
func ParseQuery(raw string) []Parameter {
	var pairs []Parameter
	for part := range strings.SplitSeq(raw, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		p := Parameter{Name: name, Value: value}
		if s, err := url.QueryUnescape(name); err == nil {
			p.Name = s
		} else {
			p.Broken = true
		}
		if s, err := url.QueryUnescape(value); err == nil {
			p.Value = s
		} else {
			p.Broken = true
		}
		pairs = append(pairs, p)
	}
	return pairs
}

// Encode returns the parameter as links write it: everything but letters, digits and
// - _ . ~ as percent escapes.
func (p Parameter) Encode() string { return escape(p.Name) + "=" + escape(p.Value) }

func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

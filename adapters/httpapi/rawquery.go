package httpapi

import (
	"net/url"
	"strings"
)

// pair is one parameter of a query as it was sent. The standard parser is not
// used because it drops what it does not like; here nothing is dropped.
type pair struct {
	name, value string // decoded; as sent where a percent escape is broken
	broken      bool   // whether a percent escape is
}

// splitQuery takes a raw query apart. Only & separates: a semicolon is a
// character like any other.
func splitQuery(raw string) []pair {
	var pairs []pair
	for part := range strings.SplitSeq(raw, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		p := pair{name: name, value: value}
		if s, err := url.QueryUnescape(name); err == nil {
			p.name = s
		} else {
			p.broken = true
		}
		if s, err := url.QueryUnescape(value); err == nil {
			p.value = s
		} else {
			p.broken = true
		}
		pairs = append(pairs, p)
	}
	return pairs
}

// encode returns the pair as links write it: everything but letters, digits and
// - _ . ~ as percent escapes.
func (p pair) encode() string { return escape(p.name) + "=" + escape(p.value) }

func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

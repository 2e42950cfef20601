package respond

import (
	"net/url"
	"strings"
)

// Parameter is one parameter of a query. Unlike package net/url, ParseQuery returns invalid
// parameters too.
type Parameter struct {
	Name, Value string // decoded; or as sent if the percent-encoding is invalid
	Broken      bool   // whether the percent-encoding is invalid
}

// ParseQuery splits a raw query. Only & separates parameters; a semicolon does not.
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

// Encode returns the parameter as it appears in links: all bytes except letters, digits and - _ . ~
// are percent-encoded.
func (p Parameter) Encode() string { return escape(p.Name) + "=" + escape(p.Value) }

func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

package query

import (
	"errors"
	"fmt"
	"strings"
)

// path is the parsed path of a term: any number of combinators, each with an optional index, then
// an attribute, an optional predicate and an optional [].
type path struct {
	steps     []step
	attr      string
	predicate string // "": none
	list      bool   // whether [] follows the predicate
}

// step is one combinator of a path.
type step struct {
	join  string // "and" or "or"
	index string // digits of the index without leading zeros; "": none
}

var (
	errNoAttribute = errors.New("must name an attribute and a value, as in filter[name][eq]=Acme")
	errNothing     = errors.New(`"and", "or" and their indexes must be followed by an attribute, as in filter[or][name][eq]=Acme`)
	errIndex       = errors.New(`an index is allowed only directly after "and" or "or"`)
	errBrackets    = errors.New("[] is allowed only after a predicate, as in filter[name][in][]=Acme")
	errRest        = errors.New("only [] may follow the predicate")
	errDepth       = fmt.Errorf("has too many nested combinators (maximum is %d)", MaxDepth)
)

// parsePath parses segments. It does not check whether the attribute and the predicate exist. Its
// errors are details for the client.
func parsePath(segments []string) (path, error) {
	var p path
	if len(segments) == 0 {
		return p, errNoAttribute
	}
	p.steps, segments = parseSteps(segments)
	switch {
	case len(segments) == 0:
		return p, errNothing
	case len(p.steps) > MaxDepth:
		return p, errDepth
	case segments[0] == "":
		return p, errBrackets
	case isDigits(segments[0]):
		return p, errIndex
	}
	p.attr, segments = segments[0], segments[1:]
	switch {
	case len(segments) == 0:
		return p, nil
	case segments[0] == "":
		return p, errBrackets
	}
	p.predicate, segments = segments[0], segments[1:]
	if len(segments) == 1 && segments[0] == "" {
		p.list, segments = true, nil
	}
	if len(segments) > 0 {
		return p, errRest
	}
	return p, nil
}

// parseSteps returns the leading combinators of segments and the remaining segments.
func parseSteps(segments []string) ([]step, []string) {
	var steps []step
	for len(segments) > 0 && (segments[0] == "and" || segments[0] == "or") {
		s := step{join: segments[0]}
		segments = segments[1:]
		if len(segments) > 0 && isDigits(segments[0]) {
			s.index = canonical(segments[0])
			segments = segments[1:]
		}
		steps = append(steps, s)
	}
	return steps, segments
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// canonical returns digits without leading zeros, so that 1 and 01 are the same index.
func canonical(digits string) string {
	if rest := strings.TrimLeft(digits, "0"); rest != "" {
		return rest
	}
	return "0"
}

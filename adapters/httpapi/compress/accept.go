package compress

import (
	"strconv"
	"strings"
)

// Accepted reports whether Accept-Encoding headers allow gzip. A value for gzip takes precedence
// over one for *.
func Accepted(headers []string) bool {
	accepted, named := false, false
	for coding := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		name, params, _ := strings.Cut(coding, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name != "gzip" && (name != "*" || named) {
			continue
		}
		_, q, weighted := strings.Cut(params, "q=")
		accepted, named = !weighted || !isZero(strings.TrimSpace(q)), name == "gzip"
	}
	return accepted
}

// isZero reports whether a weight is 0. An invalid weight counts as 1.
func isZero(weight string) bool {
	q, err := strconv.ParseFloat(weight, 64)
	return err == nil && q == 0
}

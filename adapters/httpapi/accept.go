package httpapi

import (
	"iter"
	"mime"
	"strings"
)

// maxAccept and maxRanges are how many bytes the Accept headers of a request may have,
// and how many media ranges. The longest ones of browsers have some 200 bytes.
const (
	maxAccept = 1 << 10
	maxRanges = 16
)

// mediaRanges returns the name and the parameters of each media range of Accept
// headers. Ranges that cannot be understood are passed over. Headers beyond the limits
// have none: anybody may send them, and to read a range takes long.
func mediaRanges(headers []string) iter.Seq2[string, map[string]string] {
	return func(yield func(string, map[string]string) bool) {
		size, ranges := 0, 0
		for _, h := range headers {
			size += len(h)
			ranges += 1 + strings.Count(h, ",")
		}
		if size > maxAccept || ranges > maxRanges {
			return
		}
		for r := range strings.SplitSeq(strings.Join(headers, ","), ",") {
			name, params, err := mime.ParseMediaType(r)
			if err == nil && strings.Contains(name, "/") && !yield(name, params) {
				return
			}
		}
	}
}

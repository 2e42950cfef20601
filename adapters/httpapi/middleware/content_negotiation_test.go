package middleware

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// Accept headers beyond the limits are ignored, at little cost.
func TestLongAcceptHeaders(t *testing.T) {
	tests := map[string]struct {
		headers []string
		ranges  int
	}{
		"16 ranges":              {[]string{strings.Repeat("a/b,", 15) + "a/b"}, 16},
		"17 ranges":              {[]string{strings.Repeat("a/b,", 16) + "a/b"}, 0},
		"17 headers":             {strings.Split(strings.Repeat("a/b,", 16)+"a/b", ","), 0},
		"1 KiB":                  {[]string{"a/" + strings.Repeat("b", 1022)}, 1},
		"more":                   {[]string{"a/" + strings.Repeat("b", 1023)}, 0},
		"a header sent 14 times": {strings.Split(strings.Repeat(strings.Repeat("a/b;c=d,", 500)+"\n", 14), "\n"), 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			read := 0
			is.True(allocated(func() {
				for range mediaRanges(tt.headers) {
					read++
				}
			}) < 32<<10)
			is.Equal(read, tt.ranges)
			if read == 0 {
				json, jsonAPI := preferences(tt.headers)
				is.Equal(json.q, 1.0)
				is.Equal(jsonAPI.q, 0.0)
				is.True(Accepts(tt.headers, "application/x-ndjson"))
			}
		})
	}
}

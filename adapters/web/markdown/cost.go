package markdown

import (
	"regexp"
	"strings"
)

// The time to render a text grows with the square of these numbers. Real texts stay far below them.
// A text that reaches both limits in every paragraph is rendered in less than half a second.
const (
	maxDepth      = 100  // quotations and lists that one line opens
	maxDelimiters = 1000 // brackets, asterisks, underscores and tildes of one paragraph
)

var containers = regexp.MustCompile(`^[ \t]*(?:>|(?:[-*+]|[0-9]{1,9}[.)])[ \t])`)

// costly reports whether the text exceeds one of the limits.
func costly(text string) bool {
	delimiters := 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			delimiters = 0
			continue
		}
		for _, c := range line {
			if strings.ContainsRune("[]*_~", c) {
				delimiters++
			}
		}
		if delimiters > maxDelimiters || depth(line) > maxDepth {
			return true
		}
	}
	return false
}

// depth returns the number of quotations and lists that a line opens, up to maxDepth+1.
func depth(line string) int {
	n := 0
	for ; n <= maxDepth; n++ {
		opened := containers.FindStringIndex(line)
		if opened == nil {
			break
		}
		line = line[opened[1]:]
	}
	return n
}

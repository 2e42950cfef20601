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

// maxCells is the maximum number of cells in the tables of a text. Each row gets as many cells as
// the header, so that a text of 64 KiB could have a hundred million of them.
const maxCells = 20_000

var containers = regexp.MustCompile(`^[ \t]*(?:>|(?:[-*+]|[0-9]{1,9}[.)])[ \t])`)

// costly reports whether the text exceeds one of the limits.
func costly(text string) bool {
	delimiters, cells := 0, 0
	var paragraph size
	for line := range strings.Lines(text) {
		if strings.Trim(line, " \t\r\n") == "" { // other spaces do not end a paragraph
			delimiters = 0
			cells += paragraph.cells()
			paragraph = size{}
			continue
		}
		paragraph.lines++
		paragraph.columns = max(paragraph.columns, strings.Count(line, "|"))
		for _, c := range line {
			if strings.ContainsRune("[]*_~", c) {
				delimiters++
			}
		}
		if delimiters > maxDelimiters || depth(line) > maxDepth {
			return true
		}
	}
	return cells+paragraph.cells() > maxCells
}

// size is the size of a paragraph if it is a table: its number of lines, and the maximum number of
// bars in a line.
type size struct{ lines, columns int }

func (s size) cells() int { return s.lines * s.columns }

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

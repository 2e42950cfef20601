package markdown

import (
	"regexp"
	"strings"
)

// The time to render a text grows with the square of the first two numbers, and with the product of
// depth and lines. Real texts stay far below them. A text that reaches these limits is rendered in
// about a twentieth of a second.
const (
	maxDepth      = 100     // quotations and lists that contain a line
	maxDelimiters = 1000    // brackets, asterisks, underscores, tildes and backticks of one paragraph
	maxNesting    = 100_000 // sum of the depths of all lines
	maxBlocks     = 5000    // blank lines, quotations, headings and items of lists
	maxLinks      = 2000    // addresses that become links
)

// maxCells is the maximum number of cells in the tables of a text. Each row gets as many cells as
// the header, so that a text of 64 KiB could have a hundred million of them.
const maxCells = 10_000

var containers = regexp.MustCompile(`^[ \t]*(?:>|(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$))`)

// costly reports whether the text exceeds one of the limits.
func costly(text string) bool {
	if strings.Count(text, "@")+strings.Count(text, "://")+strings.Count(text, "www.") > maxLinks {
		return true
	}
	delimiters, cells, nesting, blocks := 0, 0, 0, 0
	var paragraph size
	var open nested
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		depth, opened := open.add(line)
		nesting += depth
		blocks += opened
		if strings.HasPrefix(strings.TrimLeft(line, " "), "#") {
			blocks++
		}
		if depth > maxDepth || nesting > maxNesting || blocks > maxBlocks {
			return true
		}
		if strings.Trim(line, " \t") == "" { // other spaces do not end a paragraph
			delimiters = 0
			cells += paragraph.cells()
			paragraph = size{}
			continue
		}
		paragraph.lines++
		paragraph.columns = max(paragraph.columns, strings.Count(line, "|"))
		for _, c := range line {
			if strings.ContainsRune("[]*_~`", c) {
				delimiters++
			}
		}
		if delimiters > maxDelimiters {
			return true
		}
	}
	return cells+paragraph.cells() > maxCells
}

// size is the size of a paragraph if it is a table: its number of lines, and the maximum number of
// bars in a line.
type size struct{ lines, columns int }

func (s size) cells() int { return s.lines * s.columns }

// nested estimates how many quotations and lists are open. The estimate is never too low.
type nested struct {
	depth int
	ended bool // whether the last line was blank, so that the next one may close lists
}

// minIndent is the minimum number of columns by which a line is indented for each list that it
// continues.
const minIndent = 2

// add continues with a line. It returns the number of quotations and lists that contain the line,
// and the number of blocks that it begins.
func (n *nested) add(line string) (depth, opened int) {
	indent, rest := 0, line
	for opened <= maxDepth {
		marker := containers.FindStringIndex(rest)
		if marker == nil {
			break
		}
		indent += blankColumns(rest)
		rest = rest[marker[1]:]
		opened++
	}
	indent += blankColumns(rest)
	if strings.Trim(rest, " \t") == "" && strings.Trim(line, " \t>") == "" { // also a blank line in a quotation
		n.ended = true
		n.depth = max(n.depth, opened)
		return n.depth, opened + 1
	}
	depth = opened + min(n.depth, indent/minIndent)
	if n.ended {
		n.depth = depth
	} else { // a line that is not indented can continue a paragraph in a list
		n.depth = max(n.depth, depth)
	}
	n.ended = false
	return n.depth, opened
}

// blankColumns returns the width of the spaces and tabs at the start of s. A tab has at most four
// columns.
func blankColumns(s string) (columns int) {
	for _, c := range []byte(s) {
		switch c {
		case ' ':
			columns++
		case '\t':
			columns += 4
		default:
			return columns
		}
	}
	return columns
}

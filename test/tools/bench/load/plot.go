package main

import (
	"fmt"
	"html"
	"strings"
)

// svg draws the ratios to the bare handlers as bars. Each bar has a mark at the expected ratio.
func (r report) svg() string {
	const left, wide, high, unit = 260, 760, 22, 200 // pixels; unit is the length of the ratio 1
	var bars strings.Builder
	n := 0
	for _, one := range r.rows {
		if one.own != "" {
			continue
		}
		y := 40 + n*high
		length, goal := min(one.result().ratio*unit, wide-left-60), left+one.goal*unit
		fmt.Fprintf(&bars, `<text x="%d" y="%d" text-anchor="end">%s</text>`, left-8, y+13, html.EscapeString(one.name))
		fmt.Fprintf(&bars, `<rect x="%d" y="%d" width="%.0f" height="%d" fill="#3b7a9e"/>`, left, y, length, high-6)
		fmt.Fprintf(&bars, `<text x="%.0f" y="%d">%.2f</text>`, float64(left)+length+6, y+13, one.result().ratio)
		fmt.Fprintf(&bars, `<line x1="%.0f" x2="%.0f" y1="%d" y2="%d" stroke="#c0392b" stroke-width="2"/>`+"\n", goal, goal, y-2, y+high-4)
		n++
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">
<rect width="100%%" height="100%%" fill="white"/>
<text x="%d" y="22" font-size="14">Requests per second, as a ratio to the bare handler (red: the goal)</text>
%s</svg>
`, wide, 60+n*high, left, bars.String())
}

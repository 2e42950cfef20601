package main

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// colors are the colors of the lines of a panel.
var colors = []string{"#3b7a9e", "#c0392b", "#27ae60", "#8e44ad", "#d68910"}

// growthPlot returns an SVG image with a panel for each kind of operation. A panel shows the
// response time against the number of rows, both on logarithmic scales. A constant time is a
// horizontal line. A time that is proportional to the rows is parallel to the gray line.
func growthPlot(all []growthSchool) string {
	const wide, high, left, top, across = 420, 300, 60, 40, 2
	var b strings.Builder
	for i, kind := range kinds {
		x0, y0 := float64(i%across*wide+left), float64(i/across*high+top)
		w, h := float64(wide-left-130), float64(high-top-40)
		x := func(k int) float64 { return x0 + w*float64(k)/float64(len(all)-1) }
		y := func(ms float64) float64 { return y0 + h - h*(math.Log10(max(ms, 0.1))+1)/4 } // from 0.1 ms to 1 s
		fmt.Fprintf(&b, `<text x="%.0f" y="%.0f" font-size="14">%s</text>`, x0, y0-14, html.EscapeString(kind))
		fmt.Fprintf(&b, `<rect x="%.0f" y="%.0f" width="%.0f" height="%.0f" fill="none" stroke="#999"/>`, x0, y0, w, h)
		for e := -1; e <= 3; e++ {
			fmt.Fprintf(&b, `<text x="%.0f" y="%.0f" text-anchor="end">%g ms</text>`, x0-4, y(math.Pow10(e))+4, math.Pow10(e))
		}
		for k, s := range all {
			fmt.Fprintf(&b, `<text x="%.0f" y="%.0f" text-anchor="middle">%.0e</text>`, x(k), y0+h+16, float64(s.rows))
		}
		fmt.Fprintf(&b, `<line x1="%.0f" y1="%.0f" x2="%.0f" y2="%.0f" stroke="#ccc" stroke-dasharray="4"/>`, x(0), y(1), x(len(all)-1), y(100))
		n := 0
		for _, q := range measuredLists(all[len(all)-1].school) {
			if q.kind != kind {
				continue
			}
			points := make([]string, len(all))
			for k, s := range all {
				points[k] = fmt.Sprintf("%.1f,%.1f", x(k), y(float64(s.found[q.name])/1e6))
			}
			color := colors[n%len(colors)]
			fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`, strings.Join(points, " "), color)
			list, _, _ := strings.Cut(q.name, ":")
			fmt.Fprintf(&b, `<text x="%.0f" y="%.0f" fill="%s">%s</text>`+"\n", x(len(all)-1)+6, y0+12+float64(n)*15, color, html.EscapeString(list))
			n++
		}
	}
	rows := (len(kinds) + across - 1) / across
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">
<rect width="100%%" height="100%%" fill="white"/>
%s</svg>
`, across*wide, rows*high, b.String())
}

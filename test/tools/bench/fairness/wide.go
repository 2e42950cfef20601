package main

import (
	"fmt"
	"strings"
)

// wideSchool returns the lines of a school of 300 people with 16 KB of properties each.
func wideSchool() string {
	const people, properties, length = 300, 16, 995
	var lines strings.Builder
	values := make([]string, properties)
	for i := range values {
		_, _ = fmt.Fprintf(&lines, `{"kind":"property","resource":"people","name":"p%d","type":"text"}`+"\n", i)
		values[i] = fmt.Sprintf(`"p%d":%q`, i, strings.Repeat("x", length))
	}
	for i := range people {
		_, _ = fmt.Fprintf(&lines, `{"kind":"person","email":"p%d@example.test","properties":{%s}}`+"\n", i, strings.Join(values, ","))
	}
	return lines.String()
}

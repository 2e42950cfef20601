package teaching

import (
	"html/template"
	"strings"

	"lyceum/domain/activity"
)

// funcs contains the functions of the templates. They pass several values to a shared template.
var funcs = template.FuncMap{
	"section": func(v view, path, name string) any {
		return struct {
			View       view
			Path, Name string
		}{v, path, name}
	},
	"endpointFields": func(v view, f endpointForm) any {
		return struct {
			View view
			Form endpointForm
		}{v, f}
	},
	"basis": func(v view, b basis) any {
		return struct {
			View  view
			Basis basis
		}{v, b}
	},
	"propertyFields": func(v view, fields []propertyField) any {
		return struct {
			View   view
			Fields []propertyField
		}{v, fields}
	},
	"control": func(v view, name string, hint ...string) formControl { return v.control(name, strings.Join(hint, " ")) },
	"last":    func(i int, all []activity.State) bool { return i == len(all)-1 },
	"record": func(v view, r trailRecord) any {
		return struct {
			View   view
			Record trailRecord
		}{v, r}
	},
	"secret": func(v view, text string) any {
		return struct {
			View view
			Text string
		}{v, text}
	},
	"tools": func(v view, list any, choices []choice) any {
		return struct {
			View    view
			List    any
			Choices []choice
		}{v, list, choices}
	},
}

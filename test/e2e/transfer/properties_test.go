package transfer_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/app/transfer"
)

// officeSchool has a property with the value of a person, a property without values, and a property
// with the value of the school.
var officeSchool = []string{
	`{"kind":"school","format":1,"name":"Office"}`,
	`{"kind":"property","resource":"people","name":"department","type":"one_of","values":["Sales","Support"]}`,
	`{"kind":"property","resource":"groups","name":"room","type":"text"}`,
	`{"kind":"property","resource":"school","name":"region","type":"one_of","values":["EU","US"],"value":"EU"}`,
	`{"kind":"person","email":"ada@example.test","properties":{"department":"Sales"}}`,
	`{"kind":"end"}`,
}

// TestImportOfDefinitions imports a line with a definition into a school that has properties.
func TestImportOfDefinitions(t *testing.T) {
	const department = `{"kind":"property","resource":"people","name":"department","type":"one_of"`
	const region = `{"kind":"property","resource":"school","name":"region","type":"one_of","values":["EU","US"]`
	onEachStore(t, func(t *testing.T, h useCases) {
		for _, tt := range []struct {
			name, line string
			want       transfer.ImportCount // zero: the line is refused
			shown      string               // part of the school's file afterwards, or the fault
		}{
			{"unchanged", department + `,"values":["Sales","Support"]}`, transfer.ImportCount{Unchanged: 1}, `"values":["Sales","Support"],"created_at"`},
			{"another value", department + `,"values":["Finance","Support","Sales"]}`, transfer.ImportCount{Changed: 1}, `"values":["Finance","Support","Sales"]`},
			{"filterable", department + `,"values":["Sales","Support"],"filterable":true}`, transfer.ImportCount{Changed: 1}, `"filterable":true`},
			{"a value less", department + `,"values":["Sales"]}`, transfer.ImportCount{}, `line 2: property: values: must include the existing value "Support"; an import cannot remove it`},
			{
				"another type", `{"kind":"property","resource":"groups","name":"room","type":"number"}`,
				transfer.ImportCount{},
				`line 2: property: type: cannot be changed by an import: it is text`,
			},
			{"another definition", `{"kind":"property","resource":"courses","name":"level","type":"text"}`, transfer.ImportCount{Created: 1}, `"name":"level","type":"text"`},
			{"a value of the school", region + `,"value":"US"}`, transfer.ImportCount{Unchanged: 1}, `"values":["EU","US"],"value":"US"`},
			{"no value of the school", region + `,"value":null}`, transfer.ImportCount{Unchanged: 1}, `"name":"region","type":"one_of","values":["EU","US"],"created_at"`},
			{"the value of the school stays", region + `}`, transfer.ImportCount{Unchanged: 1}, `"value":"EU"`},
			{"a wrong value of the school", region + `,"value":"UK"}`, transfer.ImportCount{}, `line 2: property: value: must be one of: EU, US`},
			{"a value of people", department + `,"values":["Sales","Support"],"value":"Sales"}`, transfer.ImportCount{}, `line 2: property: value: is allowed only for the resource school`},
			{"a new value of the school", `{"kind":"property","resource":"school","name":"city","type":"text","value":"Bonn"}`, transfer.ImportCount{Created: 1}, `"name":"city","type":"text","value":"Bonn"`},
		} {
			t.Run(tt.name, func(t *testing.T) {
				is := is.New(t)
				id := h.importSchool(t, renamed(lines(officeSchool...), unique("Office")))
				before := h.export(t, id)
				done, err := h.Transfers.Import(t.Context(), app.SystemActor(id), reading(lines(officeSchool[0], tt.line, `{"kind":"end"}`)))
				if tt.want == (transfer.ImportCount{}) {
					is.True(err != nil)
					is.Equal(err.Error(), tt.shown)
					is.Equal(h.export(t, id), before)
					return
				}
				is.NoErr(err)
				tt.want.Kind = "property"
				is.Equal(done.Kinds, []transfer.ImportCount{tt.want})
				after := h.export(t, id)
				if !strings.Contains(after, tt.shown) {
					t.Errorf("%s\nhas no %s", after, tt.shown)
				}
				is.True(strings.Contains(after, `"properties":{"department":"Sales"}`))
			})
		}
	})
}

package transfer_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/app/transfer"
)

// propertySchool has a property of each kind for people, and a property of groups.
var propertySchool = slices.Concat(smallSchool[:1], []string{
	`{"kind":"property","resource":"people","name":"department","type":"one_of","values":["Sales","Support"]}`,
	`{"kind":"property","resource":"people","name":"hired_on","type":"date"}`,
	`{"kind":"property","resource":"people","name":"level","type":"number"}`,
	`{"kind":"property","resource":"people","name":"note","type":"text"}`,
	`{"kind":"property","resource":"people","name":"remote","type":"boolean"}`,
	`{"kind":"property","resource":"groups","name":"room","type":"text"}`,
	`{"kind":"person","email":"ada@example.test","properties":{"department":"Sales","level":-1.5,"note":"=1+1","remote":false}}`,
	`{"kind":"person","email":"bob@example.test"}`,
	`{"kind":"group","name":"Painters","properties":{"room":"12"}}`,
	`{"kind":"end"}`,
})

func TestPropertiesAsCSV(t *testing.T) {
	onEachStore(t, func(t *testing.T, h useCases) {
		is := is.New(t)
		id := h.importSchool(t, renamed(lines(propertySchool...), unique("Properties")))
		before := h.export(t, id)
		var b bytes.Buffer
		is.NoErr(h.Transfers.ExportPeople(t.Context(), app.SystemActor(id), &b))
		is.Equal(b.String(), "email,first_name,last_name,custom_avatar_url,unsubscribed,groups,"+
			"properties.department,properties.hired_on,properties.level,properties.note,properties.remote\n"+
			"ada@example.test,,,,false,,Sales,,'-1.5,'=1+1,false\n"+
			"bob@example.test,,,,false,,,,,,\n")
		again, err := h.Transfers.ImportPeople(t.Context(), app.SystemActor(id), reading(b.String()), false)
		is.NoErr(err)
		is.Equal(again.Kinds, []transfer.ImportCount{{Kind: "person", Unchanged: 2}})
		is.Equal(h.export(t, id), before)

		// A blank cell removes the value. Properties without a column do not change.
		text := "properties.hired_on,email,properties.department,properties.remote\n" +
			"2026-01-31,ADA@example.test,, TRUE \n,new@example.test,Support,\n"
		done, err := h.Transfers.ImportPeople(t.Context(), app.SystemActor(id), reading(text), false)
		is.NoErr(err)
		is.Equal(done.Kinds, []transfer.ImportCount{{Kind: "person", Created: 1, Changed: 1}})
		after := h.export(t, id)
		is.True(strings.Contains(after, `"properties":{"hired_on":"2026-01-31","level":-1.5,"note":"=1+1","remote":true}`)) // the properties of ada
		is.True(strings.Contains(after, `"properties":{"department":"Support"}`))                                           // the properties of the new person
	})
}

func TestInvalidPropertiesInCSV(t *testing.T) {
	onEachStore(t, func(t *testing.T, h useCases) {
		id := h.importSchool(t, renamed(lines(propertySchool...), unique("Properties")))
		before := h.export(t, id)
		for text, want := range map[string]string{
			"email,properties.room,properties.\n": "" +
				"line 1: unknown column \"properties.room\"; known columns: email, first_name, last_name, custom_avatar_url, unsubscribed, groups, " +
				"properties.department, properties.hired_on, properties.level, properties.note, properties.remote\n" +
				"line 1: unknown column \"properties.\"; known columns: email, first_name, last_name, custom_avatar_url, unsubscribed, groups, " +
				"properties.department, properties.hired_on, properties.level, properties.note, properties.remote",
			"email,properties.level,properties.level\n": "line 1: duplicate column \"properties.level\"",
			"email,properties.level,properties.department\nnew@example.test,1,Sales\nada@example.test,many,sales\nx@example.test,1e13,\n": "" +
				"line 3: properties.department: must be one of: Sales, Support\n" +
				"line 3: properties.level: is not a valid number, such as 12.5\n" +
				"line 4: properties.level: must be between -1000000000000 and 1000000000000",
		} {
			t.Run(text, func(t *testing.T) {
				is := is.New(t)
				_, err := h.Transfers.ImportPeople(t.Context(), app.SystemActor(id), reading(text), false)
				is.True(err != nil)
				is.Equal(err.Error(), want)
				is.Equal(h.export(t, id), before)
			})
		}
	})
}

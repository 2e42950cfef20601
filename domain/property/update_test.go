package property_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/property"
)

var (
	now       = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	laterTime = now.Add(time.Hour)
	id        = property.ID{UUID: uuid.UUID{15: 1}}
)

// defined contains a definition of each kind, named after the kind.
var defined = []property.State{
	{Name: "text", Kind: property.Text},
	{Name: "number", Kind: property.Number},
	{Name: "boolean", Kind: property.Boolean},
	{Name: "date", Kind: property.Date},
	{Name: "one_of", Kind: property.OneOf, Options: []string{"a", "B"}},
}

func TestValuesUpdate(t *testing.T) {
	for _, tc := range []struct {
		name  string
		sent  property.Raw
		want  string // the value as JSON
		fault string
	}{
		{"text", property.RawText(" É <b> "), `"É <b>"`, ""},
		{"text", property.RawCell("x"), `"x"`, ""},
		{"text", property.RawText(" "), "null", ""},
		{"text", property.Raw{}, "null", ""},
		{"text", property.RawText(strings.Repeat("é", 1000)), `"` + strings.Repeat("é", 1000) + `"`, ""},
		{"text", property.RawText(strings.Repeat("é", 1001)), "", "is too long (maximum is 1000 characters)"},
		{"text", property.RawText("a\x00"), "", "contains a control character"},
		{"text", property.RawText("\xff"), "", "is not valid UTF-8"},
		{"text", property.RawNumber("1"), "", "must be a string"},
		{"text", property.RawOther(), "", "must be a string"},
		{"number", property.RawNumber("1.50"), "1.5", ""},
		{"number", property.RawNumber("-1e12"), "-1000000000000", ""},
		{"number", property.RawCell(" 0.000001 "), "0.000001", ""},
		{"number", property.RawCell(" "), "null", ""},
		{"number", property.RawNumber("1000000000000.000001"), "", "must be between -1000000000000 and 1000000000000"},
		{"number", property.RawNumber("1e-7"), "", "has too many decimal places (maximum is 6)"},
		{"number", property.RawNumber("1e999999999"), "", "is not a valid number, such as 12.5"},
		{"number", property.RawCell("1,5"), "", "is not a valid number, such as 12.5"},
		{"number", property.RawText("1"), "", "must be a number"},
		{"boolean", property.RawBoolean(false), "false", ""},
		{"boolean", property.RawCell("TRUE"), "true", ""},
		{"boolean", property.RawText("true"), "", "must be true or false"},
		{"boolean", property.RawCell("1"), "", "must be true or false"},
		{"date", property.RawText("2024-02-29"), `"2024-02-29"`, ""},
		{"date", property.RawText("2026-02-29"), "", "is not a valid date, such as 2026-01-31"},
		{"date", property.RawText("0000-01-01"), "", "is not a valid date, such as 2026-01-31"},
		{"date", property.RawBoolean(true), "", "must be a string"},
		{"one_of", property.RawText(" B "), `"B"`, ""},
		{"one_of", property.RawText("b"), "", "must be one of: a, B"},
		{"other", property.Raw{}, "", "unknown property"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			got, err := property.Values{}.Update(property.Changes{Sent: map[string]property.Raw{tc.name: tc.sent}, Defined: defined})
			if tc.fault != "" {
				is.Equal(fault.All(err), []*fault.Fault{fault.Invalidf("properties."+tc.name, "%s", tc.fault)})
				return
			}
			is.NoErr(err)
			is.Equal(got.Document([]string{tc.name}), `{"`+tc.name+`":`+tc.want+`}`)
		})
	}
}

// An update merges the changes, removes properties that are null, and returns the same values if
// nothing changes.
func TestValuesUpdateMerges(t *testing.T) {
	is := is.New(t)
	update := func(v property.Values, sent map[string]property.Raw) property.Values {
		t.Helper()
		next, err := v.Update(property.Changes{Sent: sent, Defined: defined})
		is.NoErr(err)
		return next
	}
	one := update(property.Values{}, map[string]property.Raw{"text": property.RawText("x"), "number": property.RawNumber("2")})
	is.Equal(update(one, nil), one)
	is.True(update(one, map[string]property.Raw{"text": property.RawText("x "), "date": {}}) == one)
	two := update(one, map[string]property.Raw{"text": {}, "boolean": property.RawBoolean(true)})
	is.Equal(two.JSON(), `{"boolean":true,"number":2}`)
	is.Equal(one.JSON(), `{"number":2,"text":"x"}`) // unchanged: values are immutable
	is.Equal(update(two, map[string]property.Raw{"number": {}, "boolean": {}}), property.Values{})
}

// The total size of a record's properties is limited.
func TestValuesUpdateBoundsTheSize(t *testing.T) {
	is := is.New(t)
	c := property.Changes{Sent: map[string]property.Raw{}}
	for i := range 20 {
		name := "p" + string(rune('a'+i))
		c.Sent[name] = property.RawText(strings.Repeat("x", 1000))
		c.Defined = append(c.Defined, property.State{Name: name, Kind: property.Text})
	}
	_, err := property.Values{}.Update(c)
	is.Equal(fault.All(err), []*fault.Fault{fault.Invalidf("properties", "is too large (maximum is 16384 bytes)")})
}

// parse returns the values in a JSON object, or an error if object is not valid JSON or a value is
// not valid.
func parse(object string) (property.Values, error) {
	var members map[string]any
	d := json.NewDecoder(strings.NewReader(object))
	d.UseNumber()
	if err := d.Decode(&members); err != nil {
		return property.Values{}, err
	}
	return property.ValuesOf(members)
}

// ValuesOf can read the output of Values.JSON.
func TestJSONIsReadAgain(t *testing.T) {
	for _, text := range []string{"x", `"\\`, "<é&>", "\u2028", "a\tb\x01", "😀"} {
		is := is.New(t)
		v := property.NewValues(property.Property{Name: "text", Value: property.TextValue(text)})
		again, err := parse(v.JSON())
		is.NoErr(err)
		is.Equal(again, v) // text is parsed to the same value
	}
}

// Rules can read the values as Go values.
func TestValuesArePlain(t *testing.T) {
	is := is.New(t)
	v, err := parse(`{"text":"x","number":-1.5,"boolean":true,"date":"2026-01-31"}`)
	is.NoErr(err)
	is.Equal(v.Text("text"), "x")
	is.Equal(v.Text("none"), "")
	is.Equal(v.Number("number").Cmp(big.NewRat(-3, 2)), 0)
	is.True(v.Number("text") == nil)
	is.Equal(v.Boolean("boolean"), true)
	day, ok := v.Date("date")
	is.True(ok)
	is.Equal(day, time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC))
	_, ok = v.Date("text")
	is.True(!ok)
	is.Equal(v.JSON(), `{"boolean":true,"date":"2026-01-31","number":-1.5,"text":"x"}`)
	is.Equal(v.Document([]string{"a", "text", "z"}), `{"a":null,"boolean":true,"date":"2026-01-31","number":-1.5,"text":"x","z":null}`)
	is.Equal(v.Without("text").Without("none").JSON(), `{"boolean":true,"date":"2026-01-31","number":-1.5}`)
	for _, object := range []string{`{"a":[]}`, `{"a":1e30}`, `{"a":1e-30}`} {
		_, err := parse(object)
		is.True(err != nil) // object is not valid
	}
}

func TestSizeOfValues(t *testing.T) {
	is := is.New(t)
	is.Equal(property.Values{}.Size(), 0)
	is.Equal(property.NewValues(
		property.Property{Name: "city", Value: property.TextValue("Zürich")}, // 4 + 7 bytes
		property.Property{Name: "age", Value: property.TextValue("")},        // null
	).Size(), 11)
}

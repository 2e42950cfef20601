package jsonapi_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/jsonapi"
)

// plenty is more values than any body in these tests has.
const plenty = 1 << 20

func TestParseRefuses(t *testing.T) {
	tests := []struct {
		name, body, want string
	}{
		{"nothing", "", "The body is not valid JSON (near byte 0)"},
		{"half an object", `{"a":`, "The body is not valid JSON (near byte 5)"},
		{"a name without a value", `{"a"}`, "The body is not valid JSON (near byte 4)"},
		{"no names", `{1:2}`, "The body is not valid JSON (near byte 1)"},
		{"a comma too many", `[1,]`, "The body is not valid JSON (near byte 3)"},
		{"no JSON", `'a'`, "The body is not valid JSON (near byte 0)"},
		{"a byte order mark", "\xef\xbb\xbf{}", "The body is not valid JSON (near byte 0)"},
		{"a control character", "\"a\nb\"", "The body is not valid JSON (near byte 0)"},
		{"trailing characters", `{}x`, "The body contains more than one JSON value"},
		{"a second value", `{} 1`, "The body contains more than one JSON value"},
		{"a name twice", `{"a":1,"b":{"a":1},"a":2}`, `The body contains the duplicate key "a"`},
		{"a name twice, once escaped", `[{"a":1,"\u0061":2}]`, `The body contains the duplicate key "a"`},
		{"the ninth name again", `{"1":0,"2":0,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0,"10":0,"9":0}`, `The body contains the duplicate key "9"`},
		{"the eighth name again", `{"1":0,"2":0,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0,"8":0}`, `The body contains the duplicate key "8"`},
		{"1001 members", membersOf(1001), "The body contains an object with more than 1000 members"},
		{"33 levels", strings.Repeat("[", 33) + strings.Repeat("]", 33), "The body has more than 32 levels of nesting"},
		{"33 levels of both kinds", strings.Repeat(`[{"a":`, 17), "The body has more than 32 levels of nesting"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			_, err := jsonapi.Parse([]byte(tt.body), plenty)
			var syntax *jsonapi.SyntaxError
			is.True(errors.As(err, &syntax))
			is.Equal(err.Error(), tt.want)
		})
	}
}

func TestParseTakes32Levels(t *testing.T) {
	is := is.New(t)
	_, err := jsonapi.Parse([]byte(strings.Repeat("[", 32)+strings.Repeat("]", 32)), plenty)
	is.NoErr(err)
}

func TestValues(t *testing.T) {
	is := is.New(t)
	v, err := jsonapi.Parse([]byte(` {"text":"a\u00e9\ud83d\ude00\\u","null":null,"list":[1,null,"x"],"empty":[],"o":{},"yes":true,"no": false } `), plenty)
	is.NoErr(err)
	o, ok := v.Object()
	is.True(ok)

	text, ok := o["text"].Text()
	is.True(ok)
	is.Equal(text, `aé😀\u`)
	_, ok = o["null"].Text()
	is.True(!ok)

	is.True(o["null"].Null())
	is.True(!o["null"].Absent())
	is.True(o["other"].Absent())
	is.True(!o["other"].Null())

	list, ok := o["list"].Array()
	is.True(ok)
	is.Equal(len(list), 3)
	is.True(list[1].Null())
	text, _ = list[2].Text()
	is.Equal(text, "x")

	yes, ok := o["yes"].Bool()
	is.True(yes && ok)
	no, ok := o["no"].Bool()
	is.True(!no && ok)
	for _, name := range []string{"text", "null", "list", "o", "other"} {
		_, ok := o[name].Bool()
		is.True(!ok) // not a boolean
	}

	empty, ok := o["empty"].Array()
	is.True(ok)
	is.Equal(len(empty), 0)

	for _, name := range []string{"text", "null", "list", "other"} {
		_, ok := o[name].Object()
		is.True(!ok) // not an object
	}
	for _, name := range []string{"text", "null", "o", "other"} {
		_, ok := o[name].Array()
		is.True(!ok) // not an array
	}
}

// Text that is not Unicode must not be returned as valid text.
func TestInvalidUnicodeText(t *testing.T) {
	tests := []struct {
		quoted string
		ok     bool
	}{
		{"\"a\xff\"", false},
		{`"\ud800"`, false},
		{`"\udc00"`, false},
		{`"\ud800\ud800"`, false},
		{`"\ud800x"`, false},
		{`"\ud800\n"`, false},
		{`"\ud83d\ude00"`, true},
		{`"\uD83D\uDE00"`, true},
		{`"\\ud800"`, true},
		{`"\\\ud800"`, false},
		{`"\ufffd"`, true},
		{"\"\ufffd\"", true},
		{`"\u0000"`, true},
	}
	for _, tt := range tests {
		t.Run(tt.quoted, func(t *testing.T) {
			is := is.New(t)
			v, err := jsonapi.Parse([]byte(tt.quoted), plenty)
			is.NoErr(err)
			s, isText := v.Text()
			is.True(isText)
			is.Equal(utf8.ValidString(s), tt.ok)
		})
	}
}

// Parse accepts only what encoding/json accepts, and returns the same values.
func FuzzParse(f *testing.F) {
	for _, body := range []string{
		`{"data":{"type":"boats","id":"1","attributes":{"name":"\ud83d\ude00"}}}`, `[1,null,{}]`, `{"a":1,"a":2}`,
		"\"\xff\"", `"\ud800"`, `[-1.5e3, true, false]`, `{`, strings.Repeat("[", 40), ` 1e999 `,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		v, err := jsonapi.Parse(body, plenty)
		if err != nil {
			var syntax *jsonapi.SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("%T is no *SyntaxError", err)
			}
			return
		}
		if !json.Valid(body) {
			t.Fatalf("took %q", body)
		}
		compareWithStandard(t, v, body)
	})
}

func compareWithStandard(t *testing.T, v jsonapi.Value, raw []byte) {
	t.Helper()
	if s, ok := v.Text(); ok {
		var want string
		if err := json.Unmarshal(raw, &want); err != nil || utf8.ValidString(s) && s != want {
			t.Fatalf("%q came out as %q", raw, s)
		}
	}
	if n, ok := v.Number(); ok {
		var want json.Number
		if err := json.Unmarshal(raw, &want); err != nil || n != want.String() {
			t.Fatalf("%q came out as %q", raw, n)
		}
	}
	if b, ok := v.Bool(); ok {
		var want bool
		if err := json.Unmarshal(raw, &want); err != nil || b != want {
			t.Fatalf("%q came out as %t", raw, b)
		}
	}
	n, isArray := v.Len()
	if list, ok := v.Array(); ok != isArray || n != len(list) {
		t.Fatalf("%q has %d elements, %t, and came out as %d", raw, n, isArray, len(list))
	} else if ok {
		var want []json.RawMessage
		if err := json.Unmarshal(raw, &want); err != nil || len(want) != len(list) {
			t.Fatalf("%q came out as %d elements", raw, len(list))
		}
		for i := range list {
			compareWithStandard(t, list[i], want[i])
		}
	}
	if o, ok := v.Object(); ok {
		var want map[string]json.RawMessage
		if err := json.Unmarshal(raw, &want); err != nil || len(want) != len(o) {
			t.Fatalf("%q came out with %d members", raw, len(o))
		}
		for name, member := range o {
			compareWithStandard(t, member, want[name])
		}
	}
}

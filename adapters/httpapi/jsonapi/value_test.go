package jsonapi_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/jsonapi"
)

// Each value has exactly one kind.
func TestNumbersAndBooleans(t *testing.T) {
	const none = "none"
	for raw, want := range map[string]struct{ number, truth string }{
		"1": {"1", none}, "-0.50e+3": {"-0.50e+3", none}, "true": {none, "true"}, "false": {none, "false"},
		`"1"`: {none, none}, `"true"`: {none, none}, "null": {none, none}, "[1]": {none, none}, "{}": {none, none},
	} {
		t.Run(raw, func(t *testing.T) {
			is := is.New(t)
			v, err := jsonapi.Parse([]byte(raw), plenty)
			is.NoErr(err)
			number, truth := none, none
			if n, ok := v.Number(); ok {
				number = n
			}
			if b, ok := v.Bool(); ok {
				truth = map[bool]string{true: "true", false: "false"}[b]
			}
			is.Equal(number, want.number)
			is.Equal(truth, want.truth)
		})
	}
	is := is.New(t)
	_, isNumber := jsonapi.Value{}.Number()
	_, isTruth := jsonapi.Value{}.Bool()
	is.True(!isNumber && !isTruth)
}

// Len returns the number of elements that Array returns.
func TestLen(t *testing.T) {
	for raw, want := range map[string]int{
		"[]": 0, " [ ] ": 0, "[1]": 1, "[1,null, true]": 3, `["a,b","\",[","\\",{}]`: 4,
		`[[1,2],{"a":[3,4],"b":5},"]"]`: 3, "[[]]": 1, `"[1,2]"`: -1, `{"a":[1,2]}`: -1, "12": -1,
	} {
		t.Run(raw, func(t *testing.T) {
			is := is.New(t)
			v, err := jsonapi.Parse([]byte(raw), plenty)
			is.NoErr(err)
			n, ok := v.Len()
			elements, isArray := v.Array()
			is.Equal(ok, isArray)
			is.Equal(n, len(elements))
			is.Equal(n, max(want, 0))
			is.Equal(ok, want >= 0)
		})
	}
	_, ok := jsonapi.Value{}.Len()
	is.New(t).True(!ok)
}

package jsonapi_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/httpapi/jsonapi"
)

// Each value is of one kind, and is no other.
func TestNumbersAndTruths(t *testing.T) {
	const none = "none"
	for raw, want := range map[string]struct{ number, truth string }{
		"1": {"1", none}, "-0.50e+3": {"-0.50e+3", none}, "true": {none, "true"}, "false": {none, "false"},
		`"1"`: {none, none}, `"true"`: {none, none}, "null": {none, none}, "[1]": {none, none}, "{}": {none, none},
	} {
		t.Run(raw, func(t *testing.T) {
			is := is.New(t)
			v, err := jsonapi.Parse([]byte(raw))
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

package fault_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
)

var holder = uuid.UUID{15: 7}

func TestConstructors(t *testing.T) {
	for _, tc := range []struct {
		name string
		got  *fault.Fault
		want fault.Fault
		text string
	}{
		{
			"invalid", fault.Invalidf("email", "is %d characters too long", 3),
			fault.Fault{Kind: fault.Invalid, Field: "email", Detail: "is 3 characters too long"},
			"invalid: email: is 3 characters too long",
		},
		{
			"blank", fault.Blank("name"),
			fault.Fault{Kind: fault.Invalid, Field: "name", Detail: "can't be blank"},
			"invalid: name: can't be blank",
		},
		{
			"taken", fault.Taken("email", "people", holder),
			fault.Fault{
				Kind: fault.Invalid, Field: "email", Detail: "A record with the given email has already been taken",
				Holder: &fault.Holder{Type: "people", ID: holder},
			},
			"invalid: email: A record with the given email has already been taken",
		},
		{
			"parameter", fault.Malformedf("filter[x]", "there is no %q", "x"),
			fault.Fault{Kind: fault.Malformed, Param: "filter[x]", Detail: `there is no "x"`},
			`malformed: filter[x]: there is no "x"`,
		},
		{
			"missing", fault.RecordNotFound(),
			fault.Fault{Kind: fault.NotFound, Detail: "The resource you requested does not exist"},
			"not found: The resource you requested does not exist",
		},
		{
			"missing row", fault.RecordNotFoundAt(0),
			fault.Fault{Kind: fault.NotFound, Field: "id", Row: 1, Detail: "The resource you requested does not exist"},
			"not found: row 1: id: The resource you requested does not exist",
		},
		{
			"gone", fault.Gonef("This is %s", "over"),
			fault.Fault{Kind: fault.Gone, Detail: "This is over"},
			"gone: This is over",
		},
		{
			"conflict", fault.Conflictf("type", "is not %s", "courses"),
			fault.Fault{Kind: fault.Conflict, Field: "type", Detail: "is not courses"},
			"conflict: type: is not courses",
		},
		{
			"forbidden", fault.Forbiddenf("not %s", "now"),
			fault.Fault{Kind: fault.Forbidden, Detail: "not now"},
			"forbidden: not now",
		},
		{
			"anonymous", fault.BadCredentials(),
			fault.Fault{Kind: fault.Unauthenticated, Detail: "You don't have the necessary credentials"},
			"unauthenticated: You don't have the necessary credentials",
		},
		{
			"busy", fault.Unavailablef("%d waiting", 9),
			fault.Fault{Kind: fault.Unavailable, Detail: "9 waiting"},
			"unavailable: 9 waiting",
		},
		{
			"a row without a field", fault.Forbiddenf("no").AtRow(2),
			fault.Fault{Kind: fault.Forbidden, Row: 3, Detail: "no"},
			"forbidden: row 3: no",
		},
		{"no kind", &fault.Fault{Detail: "x"}, fault.Fault{Detail: "x"}, "unknown: x"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(*tc.got, tc.want)
			is.Equal(tc.got.Error(), tc.text)
		})
	}
}

func TestAtRowReturnsACopy(t *testing.T) {
	is := is.New(t)
	f := fault.Blank("email")
	is.Equal(f.AtRow(4).Row, 5)
	is.Equal(f.Row, 0)
}

func TestIs(t *testing.T) {
	outage := errors.New("outage")
	several := fault.Join(fault.RecordNotFound(), fault.Blank("name"))
	for _, tc := range []struct {
		name string
		err  error
		kind fault.Kind
		want bool
	}{
		{"the kind", fault.RecordNotFound(), fault.NotFound, true},
		{"another kind", fault.RecordNotFound(), fault.Invalid, false},
		{"wrapped", fmt.Errorf("saving: %w", fault.RecordNotFound()), fault.NotFound, true},
		{"the first of several", fmt.Errorf("saving: %w", several), fault.NotFound, true},
		{"the second of several", several, fault.Invalid, false},
		{"no fault", outage, fault.Invalid, false},
		{"no error", nil, fault.Invalid, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(fault.Is(tc.err, tc.kind), tc.want)
		})
	}
}

func TestParseKind(t *testing.T) {
	is := is.New(t)
	for k := fault.Invalid; k <= fault.Defect; k++ {
		parsed, ok := fault.ParseKind(k.String())
		is.True(ok)
		is.Equal(parsed, k)
	}
	_, ok := fault.ParseKind("unknown")
	is.True(!ok)
}

package school_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

func TestParseScope(t *testing.T) {
	for _, s := range school.Scopes() {
		t.Run(s.String(), func(t *testing.T) {
			is := is.New(t)
			parsed, err := school.ParseScope(s.String())
			is.NoErr(err)
			is.Equal(parsed, s)
			is.Equal(s.IsZero(), false)
		})
	}
	for _, name := range []string{"", "Read", "root"} {
		t.Run("not "+name, func(t *testing.T) {
			is := is.New(t)
			s, err := school.ParseScope(name)
			is.Equal(fault.All(err)[0].Field, "scope")
			is.True(s.IsZero())
		})
	}
}

// Each scope includes the lower ones, and none includes the zero Scope.
func TestScopesIncludeWhatIsBelow(t *testing.T) {
	none := school.Scope{}
	order := append([]school.Scope{none}, school.Scopes()...)
	for i, has := range order {
		for j, needed := range order {
			t.Run(has.String()+" for "+needed.String(), func(t *testing.T) {
				is := is.New(t)
				want := j > 0 && i >= j
				is.Equal(has.Includes(needed), want)
				is.Equal(has.Check(needed) == nil, want)
			})
		}
	}
}

func TestScopeCheck(t *testing.T) {
	for _, tc := range []struct {
		has, needed school.Scope
		detail      string
	}{
		{school.Read, school.Write, "This API key may only read; the scope write is required"},
		{school.Read, school.Admin, "This API key may only read; the scope admin is required"},
		{school.Write, school.Admin, "This API key may only read and write; the scope admin is required"},
		{school.Scope{}, school.Read, "This API key may do nothing here; the scope read is required"},
	} {
		t.Run(tc.detail, func(t *testing.T) {
			is := is.New(t)
			err := tc.has.Check(tc.needed)
			is.True(fault.Is(err, fault.Forbidden))
			is.Equal(fault.All(err)[0].Detail, tc.detail)
		})
	}
}

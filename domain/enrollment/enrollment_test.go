package enrollment_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
)

func TestParseRole(t *testing.T) {
	for _, r := range enrollment.Roles() {
		t.Run(r.String(), func(t *testing.T) {
			is := is.New(t)
			parsed, err := enrollment.ParseRole(r.String())
			is.NoErr(err)
			is.Equal(parsed, r)
		})
	}
	for _, name := range []string{"", "Learner", "member"} {
		t.Run("not "+name, func(t *testing.T) {
			is := is.New(t)
			_, err := enrollment.ParseRole(name)
			is.True(fault.Is(err, fault.Invalid))
			is.Equal(fault.All(err)[0].Field, "role")
		})
	}
}

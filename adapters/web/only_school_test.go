package web_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/stores"
)

// Schools.Only finds the school of a store with one school, and none if there are no schools or several.
func TestOnlySchool(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		b, ids := open(t), fake.NewIDs()
		for n, name := range []string{"", "First", "Second"} {
			if name != "" {
				s, err := school.New(school.ID{UUID: ids.New()}, name, school.Preregistration, fake.Start)
				is.NoErr(err)
				is.NoErr(kit.AddSchool(t.Context(), b.Store, s))
			}
			found, err := b.Schools.Only(t.Context())
			if n == 1 {
				is.NoErr(err)
				is.Equal(found.State().Name, name)
				continue
			}
			is.True(fault.Is(err, fault.NotFound))
		}
	})
}

package transfertest_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/crowd"
	"lyceum/app"
	"lyceum/domain/school"
	"pgregory.net/rapid"
)

// tries is how many schools are tried.
const tries = 4

// Whatever a school has, it goes from one store to the other byte for byte, and
// its file changes nothing there any more.
func TestAnySchoolGoesFromStoreToStore(t *testing.T) {
	houses := []house{inMemory(), onPostgres(t)}
	size := rapid.Custom(func(r *rapid.T) crowd.Size {
		return crowd.Size{
			People: rapid.IntRange(4, 40).Draw(r, "people"), Courses: rapid.IntRange(1, 4).Draw(r, "courses"),
			Categories: rapid.IntRange(1, 4).Draw(r, "categories"), Coupons: rapid.IntRange(0, 4).Draw(r, "coupons"),
			Groups: rapid.IntRange(2, 6).Draw(r, "groups"), Enrollments: rapid.IntRange(1, 3).Draw(r, "enrollments"),
			Memberships: rapid.IntRange(0, 4).Draw(r, "memberships"), Answers: rapid.IntRange(0, 30).Draw(r, "answers"),
			Events: rapid.IntRange(0, 30).Draw(r, "events"), Seed: rapid.Uint64().Draw(r, "seed"),
		}
	}).Filter(func(s crowd.Size) bool { return s.Validate() == nil })
	for try := range tries {
		is := is.New(t)
		from, to := houses[try%2], houses[1-try%2]
		s, err := from.Provision.CreateSchool(t.Context(), unique("Any"), school.Open, "owner@example.test")
		is.NoErr(err)
		drawn := size.Example()
		t.Logf("%+v", drawn)
		is.NoErr(crowd.Fill(t.Context(), from.store, s.ID, drawn, nil))
		text := from.export(t, s.ID)
		there := to.found(t, text)
		is.Equal(to.export(t, there), text)
		is.Equal(differences(t, to, there), 0)
		again, err := to.Transfers.Import(t.Context(), app.System(there), reading(text))
		is.NoErr(err)
		for _, k := range again.Kinds {
			is.Equal(k, app.ImportedKind{Kind: k.Kind, Unchanged: k.Unchanged})
		}
		is.Equal(to.export(t, there), text)
	}
}

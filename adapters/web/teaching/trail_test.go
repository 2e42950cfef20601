package teaching_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/app/usecase"
	"lyceum/domain/group"
	"lyceum/domain/school"
	"lyceum/domain/webhook"
	"lyceum/test/kit/stores"
)

// The audit trail shows the names of records and actors that exist and that the visitor may see,
// with links to their pages.
func TestTrailShowsNames(t *testing.T) {
	wasps, address := "Wasps", "https://hooks.example.test/bees"
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		ctx, a := t.Context(), app.SystemActor(demo.SchoolID)
		b := s.as(t, owner)
		person := s.add(t, b, "eve@example.test")
		is.Equal(b.post("/courses", "name", "Keeping bees").path, "/courses/keeping-bees/builder?done=1")
		c, err := s.Courses.Get(ctx, a, "keeping-bees")
		is.NoErr(err)
		kept, _, _ := strings.Cut(b.post("/groups", "name", "Beekeepers").path, "?")
		gone, err := s.Groups.Create(ctx, a, group.Changes{Name: &wasps})
		is.NoErr(err)
		is.NoErr(s.Groups.Delete(ctx, a, gone.ID))
		key, _, err := s.Keys.Create(ctx, a, school.KeyParams{Name: "Our website", Scope: school.Write})
		is.NoErr(err)
		_, err = s.Categories.Create(ctx, usecase.ByKey(key), "Insects")
		is.NoErr(err)
		hook, _, err := s.Webhooks.Create(ctx, a, webhook.Changes{URL: &address})
		is.NoErr(err)

		href := func(path, name string) string { return `href="/app/` + demo.Slug + path + `">` + name + `</a>` }
		ownerOnly := []string{href("/keys", "Our website"), href("/webhooks/"+hook.ID.String(), address)}
		for _, role := range []string{owner, manager} {
			p := s.as(t, role).get("/audit")
			is.Equal(p.status, http.StatusOK)
			for _, link := range []string{
				href(person, "eve@example.test"), href("/courses/"+c.ID.String(), "Keeping bees"), href(kept, "Beekeepers"),
				href("/people/"+s.personID(t, owner).String(), "Eleanor Hartley"),
			} {
				if !p.has(link) {
					t.Errorf("%s does not see %s", role, link)
				}
			}
			is.True(p.has(gone.ID.String()) && !p.has("Wasps") && !p.has("/groups/"+gone.ID.String()))
			is.True(p.has(key.ID.String()) && p.has(hook.ID.String()))
			for _, link := range ownerOnly {
				is.Equal(p.has(link), role == owner)
			}
		}
	})
}

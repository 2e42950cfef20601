package teaching_test

import (
	"net/http"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/adapters/web"
	"lyceum/app"
	"lyceum/test/kit/stores"
)

// Pages that cost as much as an expensive request to the API wait for the same slots. Other pages
// need no slot.
func TestExpensivePagesNeedAdmission(t *testing.T) {
	is := is.New(t)
	s := newServer(t, func(*testing.T) stores.Backend { return stores.Memory() })
	a := app.SystemActor(demo.SchoolID)
	course, err := s.Courses.Get(t.Context(), a, "seeing-light")
	is.NoErr(err)
	groups, err := s.Groups.List(t.Context(), a, everything)
	is.NoErr(err)
	categories, err := s.Categories.List(t.Context(), a, everything)
	is.NoErr(err)
	category := categories.Items[0].ID.String()
	group, who := groups.Items[0].ID.String(), s.learnerID(t).String()
	for _, tt := range []struct {
		who, path string
		work      []web.Work
	}{
		{owner, "", []web.Work{web.Search}}, // statistics
		{owner, "/people", nil},
		{owner, "/people?sort=full_name", nil},
		{owner, "/people?sort=-course_count", []web.Work{web.Search}},
		{owner, "/people?q=ada", []web.Work{web.Search}},
		{owner, "/people?filter[email][cont]=a", []web.Work{web.Search}},
		{owner, "/people?course=" + course.ID.String(), []web.Work{web.Search}},
		{owner, "/people?group=" + group, []web.Work{web.Search}},
		{owner, "/people?role=owner", []web.Work{web.Search}},
		{owner, "/people?find_course=light", []web.Work{web.Search}},
		{owner, "/people/" + who, []web.Work{web.Read}},
		{instructor, "/people", []web.Work{web.Search}}, // of their courses
		{owner, "/courses", nil},
		{owner, "/courses?q=light", []web.Work{web.Search}},
		{instructor, "/courses", []web.Work{web.Search}},
		{owner, ownCourse, []web.Work{web.Search}},
		{owner, ownCourse + "/builder", []web.Work{web.Read}},
		{owner, "/groups", nil},
		{owner, "/groups?sort=-membership_count", []web.Work{web.Search}},
		{owner, "/groups/" + group, []web.Work{web.Read, web.Search}},
		{owner, "/categories", nil},
		{owner, "/categories/" + category, []web.Work{web.Read}},
		{owner, "/add-course", []web.Work{web.Read}},
		{owner, ownCourse + "/edit", []web.Work{web.Read}},
		{owner, "/coupons", nil},
		{owner, "/coupons?q=x", []web.Work{web.Search}},
		{owner, "/results", []web.Work{web.Search}},
		{owner, "/answers", []web.Work{web.Search}},
		{owner, "/submissions", []web.Work{web.Search}},
		{owner, "/audit", []web.Work{web.Search}},
		{owner, "/settings", nil},
	} {
		t.Run(tt.who+tt.path, func(t *testing.T) {
			is := is.New(t)
			b := s.as(t, tt.who)
			s.admission.work = nil
			is.Equal(b.get(tt.path).status, http.StatusOK)
			is.Equal(s.admission.work, tt.work)
			s.admission.full = true
			defer func() { s.admission.full = false }()
			p := b.get(tt.path)
			if tt.work == nil {
				is.Equal(p.status, http.StatusOK)
				return
			}
			is.Equal(p.status, http.StatusServiceUnavailable)
			is.Equal(p.header.Get("Retry-After"), "1")
		})
	}
	b := s.as(t, owner)
	s.admission.work = nil
	is.Equal(b.post(ownCourse+"/builder", "kind", "text", "title", "Shadows", "text", "Dark").status, http.StatusOK)
	is.Equal(s.admission.work, []web.Work{web.Change})
	s.admission.work = nil
	is.Equal(b.post(ownCourse+"/remove").status, http.StatusUnprocessableEntity) // has learners
	is.Equal(s.admission.work, []web.Work{web.Change})
}

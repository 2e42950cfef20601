package teaching_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/test/kit/stores"
)

// A manager adds, renames and removes a category, and relates it to a course.
func TestCategories(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, manager)
		is.True(b.post("/categories", "name", "Insects").has("Insects"))
		again := b.post("/categories", "name", "insects")
		is.Equal(again.status, http.StatusUnprocessableEntity)
		is.True(again.has(`id="name-problem"`))

		form := b.get("/add-course")
		id := regexp.MustCompile(`name="category" value="([^"]+)"> Insects`).FindStringSubmatch(form.body)
		is.Equal(len(id), 2)
		is.Equal(b.post("/courses", "name", "Bees", "category", id[1]).status, http.StatusOK)
		course := b.get("/courses/bees")
		is.True(course.has(`/categories/` + id[1] + `">Insects</a>`))
		is.True(b.get("/courses/bees/edit").has(`value="` + id[1] + `" checked`))

		renamed := b.post("/categories/"+id[1], "name", "Beetles")
		is.True(renamed.has("<h1>Beetles</h1>") && renamed.has(`/courses/bees">Bees</a>`))
		is.Equal(b.post("/courses/bees/edit", "name", "Bees").status, http.StatusOK) // no box is checked
		is.True(!b.get("/courses/bees").has("Beetles"))
		is.True(!b.post("/categories/" + id[1] + "/remove").has("Beetles"))
		is.Equal(b.get("/categories/"+id[1]).status, http.StatusNotFound)
	})
}

// Forms contain the properties that the school has defined. A refused value is shown at its field.
func TestPropertiesInForms(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b, names := s.as(t, manager), s.records(t)
		is.True(b.get(ownCourse + "/edit").has(`name="properties.level"`))
		is.Equal(b.post(ownCourse+"/edit", "name", "Seeing Light", "properties.level", "advanced").status, http.StatusOK)
		is.True(b.get(ownCourse).has("<dt>level</dt><dd>advanced</dd>"))
		is.True(b.get(ownCourse + "/edit").has(`<option value="advanced" selected>`))
		refused := b.post(ownCourse+"/edit", "name", "Seeing Light", "properties.level", "unheard of")
		is.Equal(refused.status, http.StatusUnprocessableEntity)
		is.True(refused.has(`id="properties.level-problem"`))
		is.Equal(b.post(ownCourse+"/edit", "name", "Seeing Light", "properties.level", "").status, http.StatusOK)
		is.True(!b.get(ownCourse).has("<dt>level</dt>"))

		person := names.Replace("/people/{learner}")
		is.Equal(b.post(person+"/edit", "email", learner, "properties.department", "Support").status, http.StatusOK)
		is.True(b.get(person).has("<dt>department</dt><dd>Support</dd>"))
	})
}

// A course with learner data is removed only if an owner asks for it.
func TestRemoveCourseWithLearnerData(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		for _, email := range []string{manager, owner} {
			b := s.as(t, email)
			is.Equal(b.get(ownCourse+"/remove").has(`name="force"`), email == owner)
			refused := b.post(ownCourse + "/remove")
			is.Equal(refused.status, http.StatusUnprocessableEntity)
			is.True(refused.has("The course has learner data.") && !refused.has("force=true"))
		}
		is.Equal(s.as(t, manager).post(ownCourse+"/remove", "force", "true").status, http.StatusForbidden)
		is.Equal(s.as(t, owner).post(ownCourse+"/remove", "force", "true").path, "/courses?done=1")
		_, err := s.Courses.Get(t.Context(), app.SystemActor(demo.SchoolID), strings.TrimPrefix(ownCourse, "/courses/"))
		is.True(fault.Is(err, fault.NotFound))
	})
}

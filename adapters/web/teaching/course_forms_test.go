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
			is.True(refused.has(map[string]string{
				manager: "The course has learner data. Ask an owner of the school to remove it.",
				owner:   "The course has learner data. Tick the box to delete the data too.",
			}[email]) && !refused.has("force=true"))
			is.True(regexp.MustCompile(`deleted\. [1-9]\d* learners are enrolled\.`).MatchString(refused.body))
		}
		is.Equal(s.as(t, manager).post(ownCourse+"/remove", "force", "true").status, http.StatusForbidden)
		is.Equal(s.as(t, owner).post(ownCourse+"/remove", "force", "true").path, "/courses?done=1")
		_, err := s.Courses.Get(t.Context(), app.SystemActor(demo.SchoolID), strings.TrimPrefix(ownCourse, "/courses/"))
		is.True(fault.Is(err, fault.NotFound))
	})
}

// A new course says that it has no learners. A search says that none of them match.
func TestEmptyLists(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		b := newServer(t, open).as(t, owner)
		is.Equal(b.post("/courses", "name", "Bees").status, http.StatusOK)
		for _, query := range []string{"", "?sort=progress", "?q="} {
			p := b.get("/courses/bees" + query)
			is.True(p.has("No learners are enrolled yet.") && !p.has("No learners match."))
		}
		for _, query := range []string{"?q=x", "?filter[progress][gt]=50"} {
			is.True(b.get("/courses/bees" + query).has("No learners match."))
		}
		is.True(b.get("/people?q=no+such+name").has("No people match."))
		is.True(b.get("/categories?q=x").has("No categories match."))
	})
}

// An unknown address is kept, and leads to the form that invites the person into the course or the
// group, with a role if an owner chooses one.
func TestInviteFromCourseAndGroup(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, owner)
		const unknown = "ada.bee+new@example.test"
		refused := b.post(ownCourse+"/learners", "email", unknown)
		is.Equal(refused.status, http.StatusUnprocessableEntity)
		is.True(refused.has(`value="ada.bee&#43;new@example.test"`))
		link := regexp.MustCompile(`href="[^"]*(/people/invite\?[^"]+)"`).FindStringSubmatch(refused.body)
		is.Equal(len(link), 2)
		form := b.get(strings.ReplaceAll(link[1], "&amp;", "&"))
		is.True(form.has(`value="ada.bee&#43;new@example.test"`))
		course := regexp.MustCompile(`name="course" value="([^"]+)" checked> Seeing Light`).FindStringSubmatch(form.body)
		is.Equal(len(course), 2)
		is.Equal(strings.Count(form.body, " checked"), 1)

		group := hrefs(b.get("/groups").body, "/groups/")[0]
		group = group[strings.Index(group, "/groups/"):]
		ofGroup := b.post(group+"/members", "email", unknown)
		is.True(ofGroup.has(`value="ada.bee&#43;new@example.test"`))
		is.True(b.get("/people/invite?email=x&group=" + strings.TrimPrefix(group, "/groups/")).has(`name="group"`))

		made := b.post("/people", "email", unknown, "first_name", "Ada", "last_name", "Bee", "course", course[1],
			"group", strings.TrimPrefix(group, "/groups/"), "role", "instructor")
		is.True(strings.HasSuffix(made.path, "?done=1"))
		is.True(made.has("Seeing Light") && made.has(group) && made.has("<dt>Role</dt><dd>instructor"))
		taken := b.post("/people", "email", unknown, "course", course[1], "role", "manager")
		is.Equal(taken.status, http.StatusUnprocessableEntity)
		is.True(taken.has(`value="`+course[1]+`" checked`) && taken.has(`value="manager" selected`))

		byManager := s.as(t, manager)
		is.True(!byManager.get("/people/invite").has(`name="role"`))
		is.Equal(byManager.post("/people", "email", "eve@example.test", "role", "owner").status, http.StatusForbidden)
		is.Equal(byManager.get("/people?q=eve@example.test").has("No people match."), true)
		is.Equal(b.post("/people", "email", "eve@example.test", "course", "no-such-course").status, http.StatusNotFound)
		is.True(s.as(t, instructor).post(ownCourse+"/learners", "email", unknown+"x").has("Ask an owner or a manager"))
	})
}

// All pages show percentages without decimal places.
func TestPercentagesAreWhole(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b, names := s.as(t, owner), s.records(t)
		percentages := 0
		for _, path := range []string{ownCourse, foreignCourse, "/results", names.Replace("/people/{learner}")} {
			for _, found := range regexp.MustCompile(`([0-9.]+) %`).FindAllStringSubmatch(b.get(path).body, -1) {
				is.True(!strings.Contains(found[1], "."))
				percentages++
			}
		}
		is.True(percentages > 10)
	})
}

// The page of a person has a form that enrolls the person in one of the other courses.
func TestEnrollFromThePageOfAPerson(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b, names := s.as(t, instructor), s.records(t)
		person := names.Replace("/people/{learner}")
		is.Equal(b.post(ownCourse+"/learners/"+names.Replace("{learner}")+"/unenroll").status, http.StatusOK)
		manages := s.as(t, manager)
		is.True(manages.get(person).has(names.Replace(`<option value="{own course}">`)))
		p := manages.post(person+"/courses", "course", names.Replace("{own course}"))
		is.Equal(p.path, person+"?done=1")
		is.True(!p.has(names.Replace(`<option value="{own course}">`)))
		is.True(!b.get(person).has(names.Replace(`{foreign course}">`))) // an instructor is offered own courses
	})
}

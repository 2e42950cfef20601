package teaching_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/app/learning"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
	"lyceum/test/kit/stores"
)

// many is more than the number of options of a select.
const many = 250

// addMany adds courses and groups whose names are after those of the demo school. It returns the ID
// of the last course and that of the last group, by name.
func (s *server) addMany(t *testing.T) (c course.ID, g group.ID) {
	t.Helper()
	is := is.New(t)
	a := app.SystemActor(demo.SchoolID)
	for i := range many {
		name := fmt.Sprintf("Zoo %03d", i)
		madeCourse, err := s.Courses.Create(t.Context(), a, app.CourseChanges{Changes: course.Changes{Name: &name}})
		is.NoErr(err)
		madeGroup, err := s.Groups.Create(t.Context(), a, group.Changes{Name: &name})
		is.NoErr(err)
		c, g = madeCourse.ID, madeGroup.ID
	}
	return c, g
}

// learnerID returns the ID of the learner.
func (s *server) learnerID(t *testing.T) person.ID {
	t.Helper()
	found, err := s.People.List(t.Context(), app.SystemActor(demo.SchoolID), everything)
	is.New(t).NoErr(err)
	for _, p := range found.Items {
		if p.Email == learner {
			return p.ID
		}
	}
	t.Fatal("the learner does not exist")
	return person.ID{}
}

// options returns the names of the options of a select, and the values by name.
func (p page) options(id string) (names []string, values map[string]string) {
	values = map[string]string{}
	_, rest, _ := strings.Cut(p.body, `<select id="`+id+`"`)
	block, _, _ := strings.Cut(rest, "</select>")
	for _, o := range regexp.MustCompile(`<option value="([^"]*)"[^>]*>([^<]*)<`).FindAllStringSubmatch(block, -1) {
		names = append(names, o[2])
		values[o[2]] = o[1]
	}
	return names, values
}

// A filter reaches each course and group of a school with many: a search field narrows a select.
func TestFiltersReachManyRecords(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, owner)
		is.True(!b.get("/people").has("find_course")) // few courses need no search field
		lastCourse, lastGroup := s.addMany(t)
		who := s.learnerID(t)
		a := app.SystemActor(demo.SchoolID)
		is.NoErr(s.Enrollments.AddPeople(enrollment.Learner)(t.Context(), a, lastCourse, []person.ID{who}))
		is.NoErr(s.Memberships.AddPeople(t.Context(), a, lastGroup, []person.ID{who}))
		for param, last := range map[string]string{"course": lastCourse.String(), "group": lastGroup.String()} {
			p := b.get("/people")
			names, values := p.options(param)
			is.Equal(len(names), 1+200) // with the option All
			is.Equal(values["Zoo 249"], "")
			is.True(p.has(`<label for="find_` + param + `">`))
			p = b.get("/people?find_" + param + "=zoo+24")
			names, values = p.options(param)
			is.Equal(len(names), 1+13)
			is.Equal(names[12:], []string{"Zoo 248", "Zoo 249"})
			is.Equal(values["Zoo 249"], last)
			is.True(p.has(`value="zoo 24"`)) // the words stay in the field
			p = b.get("/people?" + param + "=" + last)
			is.True(p.has(`<option value="` + last + `" selected>Zoo 249</option>`)) // also without the words
			is.True(p.has(learner) && !p.has(owner))
			p = b.get("/people?" + param + "=" + last + "&find_" + param + "=zoo+249")
			names, _ = p.options(param)
			is.Equal(names, []string{"All", "Zoo 249"}) // the chosen record is offered once
		}
		is.Equal(b.get("/people?find_course=%00").status, http.StatusBadRequest)
	})
}

// Each course of a school with many can be added to a group.
func TestManyCoursesCanBeAddedToGroup(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		last, in := s.addMany(t)
		b := s.as(t, manager)
		path := "/groups/" + in.String()
		names, _ := b.get(path).options("course")
		is.Equal(len(names), 200)
		p := b.get(path + "?find_course=zoo+249")
		names, values := p.options("course")
		is.Equal(names, []string{"Zoo 249"})
		is.Equal(values["Zoo 249"], last.String())
		is.Equal(b.post(path+"/courses", "course", last.String()).path, path+"?done=1")
		p = b.get(path + "?find_course=zoo+249")
		names, _ = p.options("course")
		is.Equal(len(names), 0) // the group has the course
		is.True(p.has("No courses match."))
	})
}

// The page of a person shows all courses of a person with many, page by page.
func TestPersonWithManyCourses(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b := s.as(t, owner)
		s.addMany(t)
		a := app.SystemActor(demo.SchoolID)
		who := s.learnerID(t)
		found, err := s.Courses.List(t.Context(), a, everything)
		is.NoErr(err)
		wanted := map[string]bool{}
		for _, c := range found.Items {
			is.NoErr(s.Enrollments.AddPeople(enrollment.Learner)(t.Context(), a, c.ID, []person.ID{who}))
			wanted[c.ID.String()] = true
		}
		is.True(len(wanted) > many)
		// A page that shows why a change was refused has the same links.
		p := b.post("/people/"+who.String()+"/roles", "role", "king")
		is.Equal(p.status, http.StatusUnprocessableEntity)
		for {
			for _, c := range regexp.MustCompile(`href="/app/[^"]*/courses/([0-9a-f-]{36})"`).FindAllStringSubmatch(p.body, -1) {
				delete(wanted, c[1])
			}
			next := regexp.MustCompile(`rel="next" href="([^"]+)"`).FindStringSubmatch(p.body)
			if next == nil {
				break
			}
			p = b.send(http.MethodGet, s.origin+strings.ReplaceAll(next[1], "&amp;", "&"), nil, "", "")
			is.Equal(p.status, http.StatusOK)
		}
		is.Equal(len(wanted), 0)
	})
}

// The page of a person shows the latest answers, with a link to all of them.
func TestPersonWithManyAnswers(t *testing.T) {
	stores.Each(t, func(t *testing.T, open stores.Opener) {
		is := is.New(t)
		s := newServer(t, open)
		b, a, who := s.as(t, owner), app.SystemActor(demo.SchoolID), s.learnerID(t)
		path := "/people/" + who.String()
		is.True(!b.get(path).has("All answers of the person"))
		made, err := s.Courses.Create(t.Context(), a, app.CourseChanges{Changes: course.Changes{Name: new("Bees")}})
		is.NoErr(err)
		planned := structure.Quiz{Defined: true, Name: "Bees"}
		for i := range 30 {
			planned.Questions = append(planned.Questions, quiz.Question{
				Key: fmt.Sprintf("q%d", i), Text: fmt.Sprintf("Bee %02d?", i), Choices: []quiz.Choice{{Text: "Yes", Correct: true}, {Text: "No"}},
			})
		}
		_, err = s.Structures.Replace(t.Context(), a, made.Permalink, app.StructureUpdate{
			Plan:  structure.Plan{Activities: []structure.Activity{{Key: "quiz", Title: "Quiz", Kind: "quiz", Quiz: &planned}}},
			Check: func(structure.Structure) error { return nil },
		})
		is.NoErr(err)
		is.NoErr(s.Enrollments.AddPeople(enrollment.Learner)(t.Context(), a, made.ID, []person.ID{who}))
		built, err := s.Structures.Get(t.Context(), a, made.Permalink)
		is.NoErr(err)
		for id, q := range built.Quizzes {
			var inputs []learning.AnswerInput
			for _, question := range q.Questions {
				inputs = append(inputs, learning.AnswerInput{Person: who, Question: question.ID, Chosen: []string{"Yes"}})
			}
			_, err = s.Learning.SubmitAnswers(t.Context(), a, id, inputs)
			is.NoErr(err)
		}
		p := b.get(path)
		is.Equal(strings.Count(p.body, "<th scope=\"row\">Bee "), 25)
		link := regexp.MustCompile(`href="([^"]*/answers[^"]*)">All answers of the person`).FindStringSubmatch(p.body)
		is.Equal(len(link), 2)
		all := b.send(http.MethodGet, s.origin+strings.ReplaceAll(link[1], "&amp;", "&"), nil, "", "")
		is.Equal(all.status, http.StatusOK)
		is.True(all.has(`rel="next"`))
		is.Equal(strings.Count(all.body, "/people/"+who.String()), 1+25) // the link above the list, and only answers of the person
	})
}

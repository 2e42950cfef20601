package app_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
)

func TestLoadRefusesABlueprintWithAllItsFaultsAndKeepsNothing(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	_, _, err := w.Provision.Load(w.ctx, app.Blueprint{
		School:     app.SchoolPlan{Name: " "},
		Keys:       []app.KeyPlan{{Name: "k", Secret: "lyc_short"}},
		Categories: []app.CategoryPlan{{Name: "Art"}, {Name: "ART"}},
		People:     []app.PersonPlan{{Profile: person.Profile{Email: "no address"}}},
		Courses: []app.CoursePlan{{
			Name: "Drawing", Categories: []string{"Arts"}, Instructors: []string{"x@example.test"},
			Places: []app.PlacePlan{{Email: "y@example.test", Role: enrollment.Learner}},
		}},
	})
	var fields []string
	for _, f := range fault.All(err) {
		fields = append(fields, f.Field)
	}
	is.Equal(fields, []string{
		"school.name", "keys[0].secret", "categories[1].name", "people[0].email",
		"courses[0].categories[0]", "courses[0].instructors[0]", "courses[0].places[0]",
	})
	schools, err := w.Provision.Schools(w.ctx)
	is.NoErr(err)
	is.Equal(len(schools), 1) // the world's own
}

func TestASchoolIsFoundByIdOrByAnUnmistakableName(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	twin, err := w.Provision.CreateSchool(w.ctx, "Twin", school.Open, "boss@example.test")
	is.NoErr(err)
	_, err = w.Provision.CreateSchool(w.ctx, "Twin", school.Open, "")
	is.NoErr(err)

	for ref, want := range map[string]uuid.UUID{"Acme": w.school.UUID, twin.ID.String(): twin.ID.UUID} {
		s, err := w.Provision.School(w.ctx, ref)
		is.NoErr(err)
		is.Equal(s.State().ID.UUID, want)
	}
	for _, ref := range []string{"Twin", "acme", ""} {
		_, err := w.Provision.School(w.ctx, ref)
		is.True(fault.Is(err, fault.Invalid))
	}
}

func TestTheOwnerOfANewSchoolCannotBeDeleted(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	s, err := w.Provision.CreateSchool(w.ctx, "New", school.Open, "boss@example.test")
	is.NoErr(err)
	people, err := w.People.List(w.ctx, app.System(s.ID), query.Query{})
	is.NoErr(err)
	is.Equal(len(people.Items), 1)
	is.True(!people.Items[0].Deletable())
	is.Equal(people.Items[0].Status(), person.Activated)
}

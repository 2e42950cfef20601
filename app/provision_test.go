package app_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
)

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

package app_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/files"
	"lyceum/adapters/memory"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/intercept"
)

func TestSchoolByIDOrUniqueName(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	twin, err := w.Provision.CreateSchool(w.ctx, "Twin", school.Open, "boss@example.test")
	is.NoErr(err)
	// Add a second school with the same name, as after a concurrent rename.
	second, err := school.New(school.ID{UUID: w.ids.New()}, "Twin", school.Open, start)
	is.NoErr(err)
	slug := "second"
	_, err = second.Update(school.Changes{Slug: &slug}, start)
	is.NoErr(err)
	is.NoErr(kit.AddSchool(w.ctx, w.store, second))

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

// If the name of a school is the ID of another school, that ID is still unambiguous.
func TestSchoolByIDIgnoresNames(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	named := school.Restore(school.State{
		ID: school.ID{UUID: w.ids.New()}, Name: w.school.String(), Auth: school.Open, CreatedAt: start, UpdatedAt: start,
	})
	is.NoErr(w.store.LoadNewSchool(w.ctx, named, func(context.Context, ports.LoadTx) error { return nil }))
	for _, ref := range []string{w.school.String(), strings.ToUpper(w.school.String())} {
		s, err := w.Provision.School(w.ctx, ref)
		is.NoErr(err)
		is.Equal(s.State().ID, w.school)
	}
}

func TestOwnerOfNewSchoolCannotBeDeleted(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	s, err := w.Provision.CreateSchool(w.ctx, "New", school.Open, "boss@example.test")
	is.NoErr(err)
	people, err := w.People.List(w.ctx, app.SystemActor(s.ID), query.Query{})
	is.NoErr(err)
	is.Equal(len(people.Items), 1)
	is.True(!people.Items[0].Deletable)
	is.Equal(people.Items[0].Status(), person.Activated)
}

// Of concurrent imports of a new school, only one adds a school with that name.
func TestConcurrentImportNewAddsOneSchool(t *testing.T) {
	is := is.New(t)
	store := memory.New()
	var waiting sync.WaitGroup
	waiting.Add(3)
	a := app.New(intercept.Store(store, func(_ context.Context, call string) error {
		if call == "LoadNewSchool" {
			waiting.Done()
			waiting.Wait()
		}
		return nil
	}), store.Schools(), store.Queue(), files.NewMemory(), fake.NewInvitationSender(), fake.NewClock(start), fake.NewIDs())
	secret := school.EncodeSecret(make([]byte, school.SecretBytes))
	text := `{"kind":"school","format":1,"name":"Twin"}` + "\n" +
		`{"kind":"api_key","name":"admin","secret":"` + secret + `"}` + "\n" + `{"kind":"end"}` + "\n"
	var all sync.WaitGroup
	errs := make([]error, 3)
	for i := range errs {
		all.Go(func() { _, errs[i] = a.Transfers.ImportNew(t.Context(), kit.Reading(text)) })
	}
	all.Wait()
	refused := 0
	for _, err := range errs {
		if fault.Is(err, fault.Invalid) {
			refused++
		}
	}
	is.Equal(refused, 2)
	made, err := a.Provision.Schools(t.Context())
	is.NoErr(err)
	is.Equal(len(made), 1)
	_, err = a.Auth.Authenticate(t.Context(), secret)
	is.NoErr(err)
}

// The keys in a file are added together with its school or not at all.
func TestImportNewAddsKeysWithSchool(t *testing.T) {
	is := is.New(t)
	store := memory.New()
	outage := true
	hook := func(_ context.Context, call string) error {
		if outage && strings.HasSuffix(call, "AddKey") || outage && call == "Tx.Keys.Add" {
			return fault.Unavailablef("The service is temporarily unavailable")
		}
		return nil
	}
	a := app.New(intercept.Store(store, hook), intercept.Schools(store.Schools(), hook), store.Queue(),
		files.NewMemory(), fake.NewInvitationSender(), fake.NewClock(start), fake.NewIDs())
	secret := school.EncodeSecret(make([]byte, school.SecretBytes))
	text := `{"kind":"school","format":1,"name":"Twin"}` + "\n" +
		`{"kind":"api_key","name":"admin","secret":"` + secret + `"}` + "\n" + `{"kind":"end"}` + "\n"
	_, err := a.Transfers.ImportNew(t.Context(), kit.Reading(text))
	is.True(fault.Is(err, fault.Unavailable))
	made, err := a.Provision.Schools(t.Context())
	is.NoErr(err)
	is.Equal(len(made), 0)
	outage = false // so that the import can be repeated
	_, err = a.Transfers.ImportNew(t.Context(), kit.Reading(text))
	is.NoErr(err)
}

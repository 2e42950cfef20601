package people

import (
	"context"
	"errors"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// AddPerson tests Store.AddPerson.
func AddPerson(t *testing.T, b fixture.Backend) {
	own, others := []school.AuthMethod{school.Open, school.Preregistration}, []school.AuthMethod{school.URL, school.SSO}
	for name, tc := range map[string]struct {
		admitting, inviting []school.AuthMethod
		added, invited      bool
	}{
		"is admitting and inviting": {own, own, true, true},
		"is admitting only":         {own, others, true, false},
		"is inviting only":          {others, own, false, false},
		"is neither":                {nil, nil, false, false},
	} {
		t.Run("AddPerson adds the person if the authentication method allows it: "+name, func(t *testing.T) {
			is, w := is.New(t), fixture.NewWorld(t, b)
			w.AddProperty(property.People, "city", property.Text)
			avatar, at, kind := "https://img.example.test/É.png", w.NextTime(), fixture.NewKind()
			want := w.NewPerson("Ada{}@example.test", func(p *person.State) {
				p.FirstName, p.AvatarURL, p.ActivatedAt, p.Unsubscribed = "Ada, \"Countess\"", &avatar, &at, true
			})
			n := w.NewPersonOf(want, kind)
			n.Admitting, n.Inviting = tc.admitting, tc.inviting
			added, err := w.Store.AddPerson(w.Context(), w.ID, n)
			is.NoErr(err)
			is.Equal(added != nil, tc.added)
			var people []person.Summary
			if tc.added {
				people = append(people, person.Summary{State: want, Defined: []string{"city"}})
				is.Equal(fixture.Diff(*added, people[0]), "")
			}
			is.Equal(fixture.Diff(w.All().People, people), "")
			got, err := invitationOf(w.Tenant, want.ID)
			is.Equal(fixture.IsNotFound(err), !tc.invited)
			var jobs []job.Job
			if tc.invited {
				is.Equal(fixture.Diff(got, n.Invitation), "")
				jobs = append(jobs, n.Job)
			}
			is.Equal(fixture.Diff(w.Jobs(kind), jobs), "")
		})
	}

	t.Run("AddPerson changes nothing if the address is taken", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.AddPerson("ada@example.test")
		before, kind := w.All(), fixture.NewKind()
		added, err := w.Store.AddPerson(w.Context(), w.ID, w.NewPersonOf(w.NewPerson("ADA@example.test"), kind))
		is.NoErr(err)
		is.True(added == nil)
		is.Equal(fixture.Diff(w.All(), before), "")
		is.Equal(len(w.Jobs(kind)), 0)
	})

	t.Run("One of many concurrent AddPerson calls gets an address", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		kind, people := fixture.NewKind(), make([]ports.NewPerson, fixture.Goroutines)
		for i := range people {
			people[i] = w.NewPersonOf(w.NewPerson("ada@example.test"), kind)
		}
		var kept fixture.Counter
		for _, err := range fixture.AtOnce(func(i int) error {
			added, err := w.Store.AddPerson(w.Context(), w.ID, people[i])
			if added != nil {
				kept.Add(1)
			}
			return err
		}) {
			is.NoErr(err)
		}
		is.Equal(kept.Count, 1)
		is.Equal(len(w.All().People), 1)
		is.Equal(len(w.Jobs(kind)), 1)
	})

	t.Run("AddPerson with an existing id or job is an error and changes nothing", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ada, kind := w.AddPerson("ada@example.test"), fixture.NewKind()
		is.NoErr(w.TryAddJob(w.NewJob(kind)))
		before, jobs := w.All(), w.Jobs(kind)
		twin, stray := w.NewPersonOf(w.NewPerson("bob@example.test"), kind), w.NewPersonOf(w.NewPerson("bob@example.test"), kind)
		s := twin.Person.State()
		s.ID = ada.ID
		twin.Person, twin.Invitation.Person = person.Restore(s), ada.ID
		stray.Job.School = w.OtherTenant.ID
		for _, n := range []ports.NewPerson{twin, stray} {
			_, err := w.Store.AddPerson(w.Context(), w.ID, n)
			is.True(err != nil)
			is.Equal(fixture.Diff(w.All(), before), "")
			is.Equal(fixture.Diff(w.Jobs(kind), jobs), "")
		}
	})

	t.Run("AddPerson returns NotFound for an unknown school, an error in a transaction, and ends with its context", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		n := w.NewPersonOf(w.NewPerson("ada@example.test"), fixture.NewKind())
		n.Job.School = fixture.NewSchoolID()
		_, err := w.Store.AddPerson(w.Context(), n.Job.School, n)
		is.True(fixture.IsNotFound(err))
		n.Job.School = w.ID
		before := w.All()
		is.True(w.Try(func(ctx context.Context, _ ports.Tx) error {
			_, err := w.Store.AddPerson(ctx, w.ID, n)
			return err
		}) != nil)
		for _, cause := range fixture.Causes() {
			ctx, cancel := cause.End(w.Context())
			_, err := w.Store.AddPerson(ctx, w.ID, n)
			cancel()
			is.True(errors.Is(err, cause.Err))
		}
		is.Equal(fixture.Diff(w.All(), before), "")
	})
}

package storetest

import (
	"context"
	"errors"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/school"
	"lyceum/ports"
)

// storeAddPerson tests Store.AddPerson.
func storeAddPerson(t *testing.T, b Backend) {
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
			is, w := is.New(t), newWorld(t, b)
			w.addProperty(property.People, "city", property.Text)
			avatar, at, kind := "https://img.example.test/É.png", w.nextTime(), newKind()
			want := w.newPerson("Ada{}@example.test", func(p *person.State) {
				p.FirstName, p.AvatarURL, p.ActivatedAt, p.Unsubscribed = "Ada, \"Countess\"", &avatar, &at, true
			})
			n := w.newPersonOf(want, kind)
			n.Admitting, n.Inviting = tc.admitting, tc.inviting
			added, err := w.store.AddPerson(w.ctx(), w.id, n)
			is.NoErr(err)
			is.Equal(added != nil, tc.added)
			var people []person.Summary
			if tc.added {
				people = append(people, person.Summary{State: want, Defined: []string{"city"}})
				is.Equal(diff(*added, people[0]), "")
			}
			is.Equal(diff(w.all().People, people), "")
			got, err := w.invitationOf(want.ID)
			is.Equal(isNotFound(err), !tc.invited)
			var jobs []job.Job
			if tc.invited {
				is.Equal(diff(got, n.Invitation), "")
				jobs = append(jobs, n.Job)
			}
			is.Equal(diff(w.jobs(kind), jobs), "")
		})
	}

	t.Run("AddPerson changes nothing if the address is taken", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.addPerson("ada@example.test")
		before, kind := w.all(), newKind()
		added, err := w.store.AddPerson(w.ctx(), w.id, w.newPersonOf(w.newPerson("ADA@example.test"), kind))
		is.NoErr(err)
		is.True(added == nil)
		is.Equal(diff(w.all(), before), "")
		is.Equal(len(w.jobs(kind)), 0)
	})

	t.Run("One of many concurrent AddPerson calls gets an address", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		kind, people := newKind(), make([]ports.NewPerson, goroutines)
		for i := range people {
			people[i] = w.newPersonOf(w.newPerson("ada@example.test"), kind)
		}
		var kept tally
		for _, err := range atOnce(func(i int) error {
			added, err := w.store.AddPerson(w.ctx(), w.id, people[i])
			if added != nil {
				kept.add(1)
			}
			return err
		}) {
			is.NoErr(err)
		}
		is.Equal(kept.n, 1)
		is.Equal(len(w.all().People), 1)
		is.Equal(len(w.jobs(kind)), 1)
	})

	t.Run("AddPerson with an existing id or job is an error and changes nothing", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ada, kind := w.addPerson("ada@example.test"), newKind()
		is.NoErr(w.tryAddJob(w.newJob(kind)))
		before, jobs := w.all(), w.jobs(kind)
		twin, stray := w.newPersonOf(w.newPerson("bob@example.test"), kind), w.newPersonOf(w.newPerson("bob@example.test"), kind)
		s := twin.Person.State()
		s.ID = ada.ID
		twin.Person, twin.Invitation.Person = person.Restore(s), ada.ID
		stray.Job.School = w.otherTenant.id
		for _, n := range []ports.NewPerson{twin, stray} {
			_, err := w.store.AddPerson(w.ctx(), w.id, n)
			is.True(err != nil)
			is.Equal(diff(w.all(), before), "")
			is.Equal(diff(w.jobs(kind), jobs), "")
		}
	})

	t.Run("AddPerson returns NotFound for an unknown school, an error in a transaction, and ends with its context", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		n := w.newPersonOf(w.newPerson("ada@example.test"), newKind())
		n.Job.School = newSchoolID()
		_, err := w.store.AddPerson(w.ctx(), n.Job.School, n)
		is.True(isNotFound(err))
		n.Job.School = w.id
		before := w.all()
		is.True(w.try(func(ctx context.Context, _ ports.Tx) error {
			_, err := w.store.AddPerson(ctx, w.id, n)
			return err
		}) != nil)
		for _, cause := range causes() {
			ctx, cancel := cause.end(w.ctx())
			_, err := w.store.AddPerson(ctx, w.id, n)
			cancel()
			is.True(errors.Is(err, cause.err))
		}
		is.Equal(diff(w.all(), before), "")
	})
}

// newPersonOf returns the parameters for adding p with an invitation job of the kind.
func (s tenant) newPersonOf(p person.State, kind job.Kind) ports.NewPerson {
	j := s.newJob(kind)
	return ports.NewPerson{
		Person: person.Restore(p), Admitting: school.AuthMethods(), Inviting: school.AuthMethods(),
		Invitation: invitation.Invitation{Person: p.ID, MessageID: j.ID, RequestedAt: s.nextTime()}, Job: j,
	}
}

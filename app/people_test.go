package app_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit/fake"
)

func TestCreatePerson(t *testing.T) {
	for _, tc := range []struct {
		name    string
		auth    school.AuthMethod
		profile person.Profile
		emails  int
		refused fault.Kind // 0: created
	}{
		{"invited", school.Preregistration, person.Profile{Email: "new@example.test"}, 1, 0},
		{"invited though unsubscribed", school.Open, person.Profile{Email: "new@example.test", Unsubscribed: true}, 1, 0},
		{"not invited under single sign-on", school.SSO, person.Profile{Email: "new@example.test"}, 0, 0},
		{"under URL authentication", school.URL, person.Profile{Email: "new@example.test"}, 0, fault.Forbidden},
		{"an address in use", school.Preregistration, person.Profile{Email: "ADA@example.test"}, 0, fault.Invalid},
		{"an invalid avatar URL", school.Preregistration, person.Profile{Email: "new@example.test", AvatarURL: "a.png"}, 0, fault.Invalid},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			w := newWorld(t, tc.auth)
			made, err := w.People.Create(w.ctx, w.actor, tc.profile)
			emails, errEmails := w.queue.List(w.ctx, invitation.Kind)
			is.NoErr(errEmails)
			is.Equal(len(emails), tc.emails)
			if tc.refused != 0 {
				is.True(fault.Is(err, tc.refused))
				return
			}
			is.NoErr(err)
			got, err := w.People.Get(w.ctx, w.actor, made.ID)
			is.NoErr(err)
			is.Equal(got, made)
			is.Equal(got.Unsubscribed, tc.profile.Unsubscribed)
		})
	}
}

// A store may run the function of a transaction more than once.
func TestRetriedTxAddsSamePerson(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	store := &twice{Store: w.store}
	again := app.New(store, w.schools, w.queue, w.files, w.emails, w.clock, fake.NewIDs())
	again.SetQuotas(app.Quotas{People: 100}) // so that the person is added by InTx, not by AddPerson
	made, err := again.People.Create(w.ctx, w.actor, person.Profile{Email: "new@example.test"})
	is.NoErr(err)
	is.Equal(store.added, []person.ID{made.ID, made.ID})
	emails, err := w.queue.List(w.ctx, invitation.Kind)
	is.NoErr(err)
	is.Equal(len(emails), 1)
}

// twice runs each function twice, the first time without a commit, and records which people are
// added.
type twice struct {
	ports.Store
	added []person.ID
}

func (s *twice) InTx(ctx context.Context, id school.ID, fn func(ctx context.Context, tx ports.Tx) error) error {
	noted := func(ctx context.Context, tx ports.Tx) error {
		tx.People = noting{tx.People, s}
		return fn(ctx, tx)
	}
	errDropped := errors.New("dropped")
	if err := s.Store.InTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		return errors.Join(noted(ctx, tx), errDropped)
	}); !errors.Is(err, errDropped) {
		return err
	}
	return s.Store.InTx(ctx, id, noted)
}

type noting struct {
	ports.PersonRepo
	by *twice
}

func (r noting) Add(ctx context.Context, p person.Person) error {
	r.by.added = append(r.by.added, p.State().ID)
	return r.PersonRepo.Add(ctx, p)
}

func TestUpdatePerson(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	ada := w.people["ada@example.test"]
	before, err := w.People.Get(w.ctx, w.actor, ada)
	is.NoErr(err)
	w.clock.Advance(time.Hour)

	same, err := w.People.Update(w.ctx, w.actor, ada, person.Changes{FirstName: ptr(" Ada ")})
	is.NoErr(err)
	is.Equal(same, before) // including UpdatedAt

	after, err := w.People.Update(w.ctx, w.actor, ada, person.Changes{Email: ptr("countess@example.test"), AvatarURL: ptr("https://lms.test/a.png")})
	is.NoErr(err)
	is.Equal(after.Email, "countess@example.test")
	is.Equal(*after.AvatarURL, "https://lms.test/a.png")
	is.Equal(after.UpdatedAt, start.Add(time.Hour))
	is.Equal(after.CourseCount, int64(1))
	got, err := w.People.Get(w.ctx, w.actor, ada)
	is.NoErr(err)
	is.Equal(got, after)

	_, err = w.People.Update(w.ctx, w.actor, person.ID{}, person.Changes{})
	is.True(fault.Is(err, fault.NotFound))
}

// A taken address is reported together with other faults, but only if another person has it.
func TestTakenAddressIsReportedWithOtherFaults(t *testing.T) {
	for _, tc := range []struct {
		name, email string
		want        []string
	}{
		{"another's", "Bob@example.test", []string{"last_name", "email"}},
		{"free", "free@example.test", []string{"last_name"}},
		{"invalid", "", []string{"email", "last_name"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			w := newWorld(t, school.Preregistration)
			_, err := w.Learners.Create(w.ctx, w.actor, person.Profile{Email: tc.email, LastName: "\x00"})
			is.Equal(fields(err), tc.want)
			_, err = w.People.Update(w.ctx, w.actor, w.people["ada@example.test"], person.Changes{Email: &tc.email, LastName: ptr("\x00")})
			is.Equal(fields(err), tc.want)
		})
	}

	t.Run("own or unchanged", func(t *testing.T) {
		is := is.New(t)
		w := newWorld(t, school.Preregistration)
		for _, email := range []*string{nil, ptr("ada@example.test"), ptr("ADA@example.test")} {
			_, err := w.People.Update(w.ctx, w.actor, w.people["ada@example.test"], person.Changes{Email: email, LastName: ptr("\x00")})
			is.Equal(fields(err), []string{"last_name"})
		}
	})
}

func ptr[T any](v T) *T { return &v }

// fields returns the fields of the faults in err, in their order.
func fields(err error) []string {
	var all []string
	for _, f := range fault.All(err) {
		all = append(all, f.Field)
	}
	return all
}

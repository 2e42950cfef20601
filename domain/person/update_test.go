package person_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/person"
)

func ptr[T any](v T) *T { return &v }

const picture = "https://img.lms.test/ada.png"

func TestUpdate(t *testing.T) {
	ada := person.State{
		ID: id, Email: "ada@lms.test", FirstName: "Ada", LastName: "Lovelace", AvatarURL: ptr(picture), CreatedAt: now, UpdatedAt: now,
	}
	with := func(change func(s *person.State)) person.State {
		s := ada
		s.UpdatedAt = laterTime
		change(&s)
		return s
	}
	for _, tc := range []struct {
		name string
		edit person.Changes
		want person.State // ada: unchanged
	}{
		{"nothing", person.Changes{}, ada},
		{"all as it is", person.Changes{
			Email: ptr("ada@lms.test "), FirstName: ptr("Ada"), LastName: ptr(" Lovelace"), AvatarURL: ptr(picture), Unsubscribed: ptr(false),
		}, ada},
		{"the address", person.Changes{Email: ptr("Countess@lms.test")}, with(func(s *person.State) { s.Email = "Countess@lms.test" })},
		{"the case of the address", person.Changes{Email: ptr("ADA@lms.test")}, with(func(s *person.State) { s.Email = "ADA@lms.test" })},
		{"the first name", person.Changes{FirstName: ptr(" Augusta ")}, with(func(s *person.State) { s.FirstName = "Augusta" })},
		{"no last name", person.Changes{LastName: ptr("")}, with(func(s *person.State) { s.LastName = "" })},
		{"another picture", person.Changes{AvatarURL: ptr("http://lms.test/a.png")}, with(func(s *person.State) { s.AvatarURL = ptr("http://lms.test/a.png") })},
		{"no picture", person.Changes{AvatarURL: ptr("")}, with(func(s *person.State) { s.AvatarURL = nil })},
		{"a blank picture", person.Changes{AvatarURL: ptr("  ")}, with(func(s *person.State) { s.AvatarURL = nil })},
		{"no further mail", person.Changes{Unsubscribed: ptr(true)}, with(func(s *person.State) { s.Unsubscribed = true })},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			p := person.Restore(ada)
			changed, err := p.Update(tc.edit, laterTime)
			is.NoErr(err)
			is.Equal(p.State(), tc.want)
			is.Equal(changed, tc.want.UpdatedAt.Equal(laterTime))
		})
	}
}

func TestUpdateReturnsAllFaultsAndChangesNothing(t *testing.T) {
	is := is.New(t)
	before := person.State{ID: id, Email: "ada@lms.test", UpdatedAt: now}
	p := person.Restore(before)
	changed, err := p.Update(person.Changes{
		Email: ptr(""), FirstName: ptr("a\x00"), LastName: ptr(strings.Repeat("x", 256)), AvatarURL: ptr("ada.png"), Unsubscribed: ptr(true),
	}, laterTime)
	is.True(!changed)
	is.Equal(p.State(), before)
	var fields []string
	for _, f := range fault.All(err) {
		is.Equal(f.Kind, fault.Invalid)
		fields = append(fields, f.Field)
	}
	is.Equal(fields, []string{"email", "first_name", "last_name", "custom_avatar_url"})

	_, err = p.Update(person.Changes{AvatarURL: ptr("\x00")}, laterTime)
	is.True(fault.Is(err, fault.Invalid)) // a NUL is not blank
}

func TestNewWithEveryAttribute(t *testing.T) {
	is := is.New(t)
	p, err := person.New(id, person.Profile{Email: "ada@lms.test", AvatarURL: picture, Unsubscribed: true}, now)
	is.NoErr(err)
	is.Equal(p.State(), person.State{
		ID: id, Email: "ada@lms.test", AvatarURL: ptr(picture), Unsubscribed: true, CreatedAt: now, UpdatedAt: now,
	})
	_, err = person.New(id, person.Profile{Email: "ada@lms.test", AvatarURL: "ada.png"}, now)
	is.Equal(fault.All(err), []*fault.Fault{fault.Invalidf("custom_avatar_url", "must be an absolute http or https URL")})
}

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

func TestEdit(t *testing.T) {
	ada := person.State{
		ID: id, Email: "ada@lms.test", FirstName: "Ada", LastName: "Lovelace", AvatarURL: ptr(picture), CreatedAt: now, UpdatedAt: now,
	}
	with := func(change func(s *person.State)) person.State {
		s := ada
		s.UpdatedAt = later
		change(&s)
		return s
	}
	for _, tc := range []struct {
		name string
		edit person.Edit
		want person.State // ada: nothing is different
	}{
		{"nothing", person.Edit{}, ada},
		{"all as it is", person.Edit{
			Email: ptr("ada@lms.test "), FirstName: ptr("Ada"), LastName: ptr(" Lovelace"), AvatarURL: ptr(picture), Unsubscribed: ptr(false),
		}, ada},
		{"the address", person.Edit{Email: ptr("Countess@lms.test")}, with(func(s *person.State) { s.Email = "Countess@lms.test" })},
		{"the letters of the address", person.Edit{Email: ptr("ADA@lms.test")}, with(func(s *person.State) { s.Email = "ADA@lms.test" })},
		{"the first name", person.Edit{FirstName: ptr(" Augusta ")}, with(func(s *person.State) { s.FirstName = "Augusta" })},
		{"no last name", person.Edit{LastName: ptr("")}, with(func(s *person.State) { s.LastName = "" })},
		{"another picture", person.Edit{AvatarURL: ptr("http://lms.test/a.png")}, with(func(s *person.State) { s.AvatarURL = ptr("http://lms.test/a.png") })},
		{"no picture", person.Edit{AvatarURL: ptr("")}, with(func(s *person.State) { s.AvatarURL = nil })},
		{"a blank picture", person.Edit{AvatarURL: ptr("  ")}, with(func(s *person.State) { s.AvatarURL = nil })},
		{"no more mail", person.Edit{Unsubscribed: ptr(true)}, with(func(s *person.State) { s.Unsubscribed = true })},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			p := person.Restore(ada)
			changed, err := p.Edit(tc.edit, later)
			is.NoErr(err)
			is.Equal(p.State(), tc.want)
			is.Equal(changed, tc.want.UpdatedAt.Equal(later))
		})
	}
}

func TestEditTellsAllThatIsWrongAndChangesNothing(t *testing.T) {
	is := is.New(t)
	before := person.State{ID: id, Email: "ada@lms.test", UpdatedAt: now}
	p := person.Restore(before)
	changed, err := p.Edit(person.Edit{
		Email: ptr(""), FirstName: ptr("a\x00"), LastName: ptr(strings.Repeat("x", 256)), AvatarURL: ptr("ada.png"), Unsubscribed: ptr(true),
	}, later)
	is.True(!changed)
	is.Equal(p.State(), before)
	var fields []string
	for _, f := range fault.All(err) {
		is.Equal(f.Kind, fault.Invalid)
		fields = append(fields, f.Field)
	}
	is.Equal(fields, []string{"email", "first_name", "last_name", "custom_avatar_url"})

	_, err = p.Edit(person.Edit{AvatarURL: ptr("\x00")}, later)
	is.True(fault.Is(err, fault.Invalid)) // not blank
}

func TestNewWithAll(t *testing.T) {
	is := is.New(t)
	p, err := person.New(id, person.Profile{Email: "ada@lms.test", AvatarURL: picture, Unsubscribed: true}, now)
	is.NoErr(err)
	is.Equal(p.State(), person.State{
		ID: id, Email: "ada@lms.test", AvatarURL: ptr(picture), Unsubscribed: true, CreatedAt: now, UpdatedAt: now,
	})
	_, err = person.New(id, person.Profile{Email: "ada@lms.test", AvatarURL: "ada.png"}, now)
	is.Equal(fault.All(err), []*fault.Fault{fault.Invalidf("custom_avatar_url", "is not an absolute http or https URL")})
}

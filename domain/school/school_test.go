package school_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

var (
	now       = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	laterTime = now.Add(time.Hour)
	id        = school.ID{UUID: uuid.UUID{15: 1}}
)

func TestNew(t *testing.T) {
	is := is.New(t)
	s, err := school.New(id, " Athens ", school.SSO, now)
	is.NoErr(err)
	want := school.State{ID: id, Name: "Athens", Slug: "athens", Auth: school.SSO, CreatedAt: now, UpdatedAt: now}
	is.Equal(s.State(), want)
	is.Equal(school.Restore(want).State(), want)
}

func TestNewWithoutAuthMethod(t *testing.T) {
	is := is.New(t)
	s, err := school.New(id, "Athens", school.AuthMethod{}, now)
	is.NoErr(err)
	is.Equal(s.State().Auth, school.Preregistration)
}

func TestNewInvalid(t *testing.T) {
	is := is.New(t)
	for _, name := range []string{" ", "018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d10", " 018F6F5E-7C1A-7B3E-9D55-0F5B6A2C1D10 "} {
		_, err := school.New(id, name, school.Open, now)
		is.True(fault.Is(err, fault.Invalid))
		is.Equal(fault.All(err)[0].Field, "name")
	}
}

func TestParseAuthMethod(t *testing.T) {
	for _, m := range school.AuthMethods() {
		t.Run(m.String(), func(t *testing.T) {
			is := is.New(t)
			parsed, err := school.ParseAuthMethod(m.String())
			is.NoErr(err)
			is.Equal(parsed, m)
			is.Equal(m.IsZero(), false)
		})
	}
	for _, name := range []string{"", "URL", "password"} {
		t.Run("not "+name, func(t *testing.T) {
			is := is.New(t)
			m, err := school.ParseAuthMethod(name)
			is.True(fault.Is(err, fault.Invalid))
			is.True(m.IsZero())
		})
	}
}

// With URL authentication another system creates learners.
func TestLearnerCreation(t *testing.T) {
	for _, tc := range []struct {
		auth    school.AuthMethod
		allowed bool
	}{
		{school.Preregistration, true},
		{school.Open, true},
		{school.URL, false},
		{school.SSO, true},
	} {
		t.Run(tc.auth.String(), func(t *testing.T) {
			is := is.New(t)
			err := school.Restore(school.State{Auth: tc.auth}).CheckLearnerCreation()
			is.Equal(err == nil, tc.allowed)
			is.Equal(fault.Is(err, fault.Forbidden), !tc.allowed)
		})
	}
}

func TestSameName(t *testing.T) {
	for _, tt := range []struct {
		name, other string
		want        bool
	}{
		{"My school", "My school", true},
		{"My school", "MY School", true},
		{"My school", "My  school", true},
		{"My school", "My\u00a0school", true},
		{"Straße", "STRASSE", true},
		{"Café", "Cafe", false},
		{"My school", "Myschool", false},
	} {
		t.Run(tt.name+" and "+tt.other, func(t *testing.T) {
			is.New(t).Equal(school.SameName(tt.name, tt.other), tt.want)
		})
	}
}

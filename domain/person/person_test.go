package person_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/person"
)

var (
	now       = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	laterTime = now.Add(time.Hour)
	id        = person.ID{UUID: uuid.UUID{15: 1}}
)

func TestNew(t *testing.T) {
	is := is.New(t)
	p, err := person.New(id, person.Profile{Email: " Ada@LMS.test ", FirstName: " Ada ", LastName: ""}, now)
	is.NoErr(err)
	want := person.State{ID: id, Email: "Ada@LMS.test", FirstName: "Ada", CreatedAt: now, UpdatedAt: now}
	is.Equal(p.State(), want)
	is.Equal(person.Restore(want).State(), want)
}

func TestNewReturnsAllFaults(t *testing.T) {
	is := is.New(t)
	_, err := person.New(id, person.Profile{Email: "ada", FirstName: "a\x00", LastName: strings.Repeat("x", 256)}, now)
	var fields []string
	for _, f := range fault.All(err) {
		is.Equal(f.Kind, fault.Invalid)
		fields = append(fields, f.Field)
	}
	is.Equal(fields, []string{"email", "first_name", "last_name"})
}

func TestNewNeedsAnAddress(t *testing.T) {
	is := is.New(t)
	_, err := person.New(id, person.Profile{FirstName: "Ada"}, now)
	is.Equal(fault.All(err), []*fault.Fault{fault.Blank("email")})
}

func TestFullName(t *testing.T) {
	for _, tc := range []struct{ first, last, want string }{
		{"Ada", "Lovelace", "Ada Lovelace"},
		{"Ada", "", "Ada"},
		{"", "Lovelace", "Lovelace"},
		{"", "", "ada@lms.test"},
		{" ", " ", "ada@lms.test"},
	} {
		t.Run(tc.first+"|"+tc.last, func(t *testing.T) {
			is := is.New(t)
			is.Equal(person.State{Email: "ada@lms.test", FirstName: tc.first, LastName: tc.last}.FullName(), tc.want)
		})
	}
}

func TestActivate(t *testing.T) {
	is := is.New(t)
	p := person.Restore(person.State{ID: id, CreatedAt: now, UpdatedAt: now})
	is.Equal(p.State().Status(), person.NotActivated)

	p.Activate(laterTime)
	is.Equal(p.State().Status(), person.Activated)
	is.Equal(*p.State().ActivatedAt, laterTime)
	is.Equal(p.State().UpdatedAt, laterTime)

	p.Activate(laterTime.Add(time.Hour))
	is.Equal(*p.State().ActivatedAt, laterTime) // a second activation changes nothing
	is.Equal(p.State().UpdatedAt, laterTime)
}

func TestStatusNames(t *testing.T) {
	is := is.New(t)
	is.Equal(person.NotActivated.String(), "not_activated")
	is.Equal(person.Activated.String(), "activated")
}

func TestParseRole(t *testing.T) {
	for _, r := range []person.Role{person.Owner, person.Manager, person.Instructor} {
		t.Run(r.String(), func(t *testing.T) {
			is := is.New(t)
			parsed, err := person.ParseRole(r.String())
			is.NoErr(err)
			is.Equal(parsed, r)
		})
	}
	for _, name := range []string{"", "Owner", "learner"} {
		t.Run("not "+name, func(t *testing.T) {
			is := is.New(t)
			_, err := person.ParseRole(name)
			is.True(fault.Is(err, fault.Invalid))
			is.Equal(fault.All(err)[0].Field, "role")
		})
	}
}

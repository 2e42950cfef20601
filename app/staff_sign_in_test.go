package app_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/app/usecase"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// A client that gets the emails of an owner can sign in as the owner, so only a key of the scope
// admin, an owner, or the person can change the address of an owner or a manager.
func TestEmailOfStaff(t *testing.T) {
	for _, tt := range []struct {
		name  string
		role  person.Role
		actor func(t *testing.T, c *classroom, held person.PartnershipID) app.Actor
		want  bool
	}{
		{"a write key, a learner", person.Role{}, byScope(school.Write), true},
		{"a write key, an instructor", person.Instructor, byScope(school.Write), true},
		{"a write key, a manager", person.Manager, byScope(school.Write), false},
		{"a write key, an owner", person.Owner, byScope(school.Write), false},
		{"an admin key, an owner", person.Owner, byScope(school.Admin), true},
		{"a manager, their own", person.Manager, func(t *testing.T, c *classroom, held person.PartnershipID) app.Actor {
			return usecase.ByStaff(c.school, c.signIn(t, c.ada), held, school.Write).PermitStaff()
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is, c := is.New(t), newClassroom(t)
			var held person.Partnership
			if tt.role != (person.Role{}) {
				var err error
				held, err = c.Partnerships.Create(c.ctx, c.actor, c.ada, tt.role)
				is.NoErr(err)
			}
			name, email := "Augusta", "new@example.test"
			same := strings.Replace(adaAddress, "a", "\uff41", 1) // equal under text.UniqueKey, but another mailbox
			_, err := c.People.Update(c.ctx, tt.actor(t, c, held.ID), c.ada, person.Changes{FirstName: &name})
			is.NoErr(err)
			_, err = c.People.Update(c.ctx, tt.actor(t, c, held.ID), c.ada, person.Changes{Email: &email})
			if tt.want {
				is.NoErr(err)
			} else {
				is.True(fault.Is(err, fault.Forbidden))
				_, err = c.People.Update(c.ctx, tt.actor(t, c, held.ID), c.ada, person.Changes{Email: &same})
				is.True(fault.Is(err, fault.Forbidden))
			}
		})
	}
}

func byScope(s school.Scope) func(*testing.T, *classroom, person.PartnershipID) app.Actor {
	return func(_ *testing.T, c *classroom, _ person.PartnershipID) app.Actor {
		return usecase.ByKey(school.Key{School: c.school, Scope: s})
	}
}

// A new role and a new address end the sessions and links of a person, which another client may
// hold.
func TestNewRoleAndAddressEndSignIns(t *testing.T) {
	email := "new@example.test"
	for name, change := range map[string]func(c *classroom) error{
		"a role": func(c *classroom) error {
			_, err := c.Partnerships.Create(c.ctx, c.actor, c.ada, person.Owner)
			return err
		},
		"an address": func(c *classroom) error {
			_, err := c.People.Update(c.ctx, c.actor, c.ada, person.Changes{Email: &email})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			is, c := is.New(t), newClassroom(t)
			found, err := c.schools.Get(c.ctx, c.school)
			is.NoErr(err)
			s := found.State()
			used, err := c.SignIns.CreateLink(c.ctx, c.school, adaAddress)
			is.NoErr(err)
			in, err := c.SignIns.UseLink(c.ctx, s, used, "")
			is.NoErr(err)
			unused, err := c.SignIns.CreateLink(c.ctx, c.school, adaAddress)
			is.NoErr(err)
			is.NoErr(change(c))
			_, err = c.SignIns.Visitor(c.ctx, s, in.Token)
			is.True(fault.Is(err, fault.Unauthenticated))
			_, err = c.SignIns.Link(c.ctx, s, unused)
			is.True(fault.Is(err, fault.NotFound))
		})
	}
}

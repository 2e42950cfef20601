package schoolfile_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/schoolfile"
	"lyceum/app"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/redemption"
	"lyceum/test/fake"
)

const token = "0123456789abcdef0123456789abcdef01234567"

func TestUsesAndInvitationsAreTaken(t *testing.T) {
	is := is.New(t)
	file, err := schoolfile.Parse("f", []byte(`{"name": "S",
		"coupons": [{"code": "C", "currency_code": "EUR", "format": "fixed", "value": 1, "start_on": "2026-01-01",
			"maximum_usages": 9, "usages_count": 3,
			"redemptions": [{"email": "a@example.test", "at": "2026-02-03T10:00:00Z"}, {"email": "A@example.test"}]}],
		"people": [{"email": "a@example.test", "invitation": {"token": "`+token+`", "at": "2026-01-01T10:00:00Z"}},
			{"email": "b@example.test", "invitation": {}}, {"email": "c@example.test"}]}`))
	is.NoErr(err)
	a := newApp()
	who, _ := load(t, a, file.Schools[0])

	c := list(t, coupon.Schema, who, a.Coupons.List)[0]
	is.Equal(c.UsagesCount, int64(3))
	q, err := query.Build(redemption.Schema, query.Request{})
	is.NoErr(err)
	uses, err := a.Redemptions.ListOf(t.Context(), who, c.ID, q)
	is.NoErr(err)
	is.Equal(len(uses.Items), 2)
	is.True(uses.Items[0].ID != uses.Items[1].ID)
	is.Equal(uses.Items[0].CreatedAt.Format("2006-01-02"), "2026-02-03")
	is.Equal(uses.Items[1].CreatedAt, fake.Start) // none is told

	shown, err := a.Invitations.Show(t.Context(), token)
	is.NoErr(err)
	is.Equal(shown.Person.Email, "a@example.test")
	for _, p := range people(t, a, who) {
		i, err := a.Invitations.Get(t.Context(), who, p.ID)
		switch p.Email {
		case "a@example.test":
			is.Equal(i.AskedAt.Format("2006-01-02"), "2026-01-01")
		case "b@example.test":
			is.Equal(i.AskedAt, fake.Start)
		default:
			is.True(fault.Is(err, fault.NotFound))
		}
	}
}

func TestWhatIsWrongWithUsesAndInvitations(t *testing.T) {
	is := is.New(t)
	_, err := schoolfile.Parse("f", []byte(`{"people": [{"invitation": {"at": "noon",
		"until": "night", "tokens": 1}}],
		"coupons": [{"redemptions": [{"at": "noon", "by": 1}]}]}`))
	is.Equal(strings.Split(err.Error(), "\n"), []string{
		"f:2: people[0].invitation.tokens: is not a member of a school file",
		"f:3: coupons[0].redemptions[0].by: is not a member of a school file",
		"f:3: coupons[0].redemptions[0].at: is not a time such as 2026-01-02T15:04:05Z",
		"f:1: people[0].invitation.at: is not a time such as 2026-01-02T15:04:05Z",
		"f:2: people[0].invitation.until: is not a time such as 2026-01-02T15:04:05Z",
	})

	a := newApp()
	load(t, a, app.Blueprint{
		School: app.SchoolPlan{Name: "T"},
		People: []app.PersonPlan{{Profile: profile("t@example.test"), Invitation: &app.InvitationPlan{Token: token}}},
	})
	file, err := schoolfile.Parse("f", []byte(`{"name": "S",
		"coupons": [{"code": "C", "currency_code": "EUR", "format": "fixed", "value": 1, "start_on": "2026-01-01", "maximum_usages": 9,
			"usages_count": 1,
			"redemptions": [{"email": "a@example.test"},
			{"email": "nobody@example.test"}]}],
		"people": [{"email": "a@example.test", "invitation": {"token": "short"}},
			{"email": "b@example.test", "invitation": {"at": "2026-02-01T10:00:00Z",
			"until": "2026-02-01T10:00:00Z"}},
			{"email": "c@example.test", "invitation": {"token": "`+strings.Repeat("0", 40)+`"}},
			{"email": "d@example.test", "invitation": {"token": "`+strings.Repeat("0", 40)+`"}},
			{"email": "e@example.test", "invitation": {"token": "`+token+`"}}]}`))
	is.NoErr(err)
	_, _, err = a.Provision.Load(t.Context(), file.Schools[0])
	is.Equal(strings.Split(file.Explain(0, err).Error(), "\n"), []string{
		"f:10: people[3].invitation.token: is the token of another invitation",
		"f:11: people[4].invitation.token: is the token of another invitation",
		"f:3: coupons[0].usages_count: must be at least 2, for so many redemptions are told",
		"f:6: people[0].invitation.token: is not 40 lower-case hex digits",
		"f:8: people[1].invitation.until: must be after the letter was written",
		`f:5: coupons[0].redemptions[1].email: there is nobody "nobody@example.test"`,
	})
}

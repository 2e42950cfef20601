package demo_test

import (
	"context"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/app"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/redemption"
	"lyceum/domain/school"
)

func TestDemoKeyIsValid(t *testing.T) {
	is := is.New(t)
	a := newApp()
	who := load(t, a)
	k, err := a.Auth.Authenticate(t.Context(), demo.Key)
	is.NoErr(err)
	is.Equal(k.School(), who.School())
	is.NoErr(k.Require(school.Admin))
}

func TestDemoSchoolMatchesDocumentation(t *testing.T) {
	is := is.New(t)
	a := newApp()
	who := load(t, a)
	var instructors, learners, waiting, nameless int
	departments, levels := map[string]int{}, map[string]int{}
	opened := time.Date(2026, 1, 12, 9, 0, 0, 0, time.UTC)
	for _, p := range people(t, a, who) {
		is.True(p.CreatedAt.After(opened)) // later than the school
		departments[p.Properties.Text("department")]++
		switch {
		case p.Learner():
			learners++
		case p.Status() == person.Activated:
			instructors++
		}
		if p.Status() == person.NotActivated {
			waiting++
		}
		if p.FullName() == p.Email {
			nameless++
		}
	}
	owners := 0
	for _, p := range list(t, person.PartnershipSchema, who, a.Partnerships.List) {
		if p.Role == person.Owner {
			owners++
		}
	}
	is.Equal(owners, 1)
	is.Equal(instructors, 6) // activated people with a staff role
	is.Equal(learners, 20)
	is.Equal(waiting, 1)
	is.Equal(nameless, 1)
	is.Equal(departments, map[string]int{"": 19, "Sales": 4, "Support": 3})

	found := courses(t, a, who)
	is.Equal(len(found), 8)
	var busy int
	for _, c := range found {
		levels[c.Properties.Text("level")]++
		if c.EnrollmentsCount > 0 {
			busy++
		}
		is.Equal(len(c.Instructors) > 0, c.Permalink != "welcome") // all but one have instructors
		is.Equal(len(c.Categories) > 0, c.Permalink != "welcome")  // all but one have categories
	}
	is.Equal(busy, 8)
	is.Equal(levels, map[string]int{"": 1, "beginner": 4, "intermediate": 2, "advanced": 1})

	// The first coupon can be used. Every other coupon cannot be used, each for a different reason.
	states := map[string]string{}
	for _, c := range list(t, coupon.Schema, who, a.Coupons.List) {
		states[c.Code] = "usable"
		for _, f := range fault.All(c.CheckRedeemable(opened.AddDate(0, 2, 0))) {
			states[c.Code] = f.Field
		}
	}
	is.Equal(states, map[string]string{
		"WELCOME10": "usable", "Early Bird": "end_on", "FIRST-FIFTY": "usages_count", "Friends & Family": "enabled",
	})

	// A coupon counts at least its redemptions in the file, and these are within its
	// dates.
	uses := map[string]int{}
	for _, c := range list(t, coupon.Schema, who, a.Coupons.List) {
		ofCoupon := func(ctx context.Context, who app.Actor, q query.Query) (query.Result[redemption.Summary], error) {
			return a.Redemptions.ListOf(ctx, who, c.ID, q)
		}
		for _, r := range list(t, redemption.Schema, who, ofCoupon) {
			uses[c.Code]++
			is.True(!r.CreatedAt.Before(c.StartOn) && (c.EndOn == nil || r.CreatedAt.Before(c.EndOn.AddDate(0, 0, 1))))
		}
		is.True(int64(uses[c.Code]) <= c.UsagesCount)
	}
	is.Equal(uses, map[string]int{"WELCOME10": 2, "Early Bird": 1})

	groups, err := a.Groups.List(t.Context(), who, query.Query{})
	is.NoErr(err)
	var members []int64
	for _, g := range groups.Items {
		members = append(members, g.MembershipCount)
	}
	is.Equal(members, []int64{7, 3, 10}) // Choir & Band, Kitchen Crew, Spring Term
}

func TestEveryDemoLearnerHasProgress(t *testing.T) {
	is := is.New(t)
	a := newApp()
	who := load(t, a)
	for _, p := range people(t, a, who) {
		switch {
		case p.Status() == person.NotActivated:
			is.Equal(p.CourseCount, int64(0)) // enrolled only after accepting the invitation
		case p.Learner():
			is.True(p.CourseCount > 0 && p.CourseCount < 8) // some, but not all
		}
	}
}

func TestDemoInvitationCanBeAccepted(t *testing.T) {
	is := is.New(t)
	a := newApp()
	load(t, a)
	link, err := a.Invitations.Link(t.Context(), demo.Invitation)
	is.NoErr(err)
	shown, err := a.Invitations.ByLink(t.Context(), link)
	is.NoErr(err)
	is.Equal(shown.Person.Email, "zuzana.horakova@example.test")
	_, _, err = a.Invitations.Accept(t.Context(), app.Actor{}, demo.Invitation, person.Changes{})
	is.NoErr(err)
}

// The documentation shows IDs and times of the demo school, so they must not change.
func TestDemoSchoolIsReproducible(t *testing.T) {
	is := is.New(t)
	one, two := newApp(), newApp()
	first := load(t, one)
	second := load(t, two)
	is.Equal(first.School(), second.School())
	is.Equal(courses(t, one, first), courses(t, two, second))
	is.Equal(people(t, one, first), people(t, two, second))
	is.Equal(list(t, coupon.Schema, first, one.Coupons.List), list(t, coupon.Schema, second, two.Coupons.List))
	is.Equal(courses(t, one, first)[0].ID.String(), "425f6ece-add8-56b2-b5df-f1ecb42b98b7")
}

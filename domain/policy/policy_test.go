package policy_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/policy"
)

func TestRules(t *testing.T) {
	is := is.New(t)
	var rules policy.Rules[policy.Creating]
	is.Equal(rules.Need(), policy.Nothing)
	is.NoErr(rules.Check(policy.Creating{}))

	no := func(field string) func(policy.Creating) error {
		return func(policy.Creating) error { return fault.Blank(field) }
	}
	rules = policy.Rules[policy.Creating]{
		{Needs: policy.Records, Check: no("email")}, policy.MaxPeople(2), {Needs: policy.Nothing, Check: no("name")},
	}
	is.Equal(rules.Need(), policy.Count)
	is.Equal(rules.Check(policy.Creating{People: 1}), fault.List{fault.Blank("email"), fault.Blank("name")}) // all at once
	is.Equal(len(fault.All(rules.Check(policy.Creating{People: 2}))), 3)
}

func TestWith(t *testing.T) {
	is := is.New(t)
	added := policy.Set{Join: policy.Rules[policy.Joining]{{Check: func(policy.Joining) error { return fault.Blank("group") }}}}
	both := policy.Standard().With(added)
	is.Equal(both.Join.Check(policy.Joining{}), fault.Blank("group"))
	is.NoErr(policy.Standard().Join.Check(policy.Joining{})) // which stays as it was
	is.Equal(len(both.Redeem), len(policy.Standard().Redeem))
}

func TestMaxPeople(t *testing.T) {
	is := is.New(t)
	rule := policy.MaxPeople(2)
	is.NoErr(rule.Check(policy.Creating{People: 1}))
	is.Equal(rule.Check(policy.Creating{People: 2}),
		fault.Invalidf("", "cannot be created: the school has reached its maximum of 2 people"))
}

func TestRedeeming(t *testing.T) {
	is := is.New(t)
	used := policy.Redeeming{Coupon: coupon.State{Enabled: true, UsagesCount: 3, MaximumUsages: 3}}
	err := policy.Standard().Redeem.Check(used)
	is.Equal(fault.All(err)[0].Field, "usages_count")
	used.Past = true
	is.NoErr(policy.Standard().Redeem.Check(used))
}

package policy_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/attempt"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/policy"
)

// returns returns a rule with the given needs and verdict.
func returns(needs policy.Need, verdict error) policy.Rule[policy.CreatingPerson] {
	return policy.Rule[policy.CreatingPerson]{Needs: needs, Check: func(policy.CreatingPerson) error { return verdict }}
}

func TestRulesReturnAllFaults(t *testing.T) {
	is := is.New(t)
	var rules policy.Rules[policy.CreatingPerson]
	is.Equal(rules.Needs(), policy.Need(0))
	is.NoErr(rules.Check(policy.CreatingPerson{}))

	rules = policy.Rules[policy.CreatingPerson]{
		returns(policy.School, fault.Blank("email")), policy.MaxPeople(2), returns(0, fault.Blank("name")),
	}
	is.Equal(rules.Needs(), policy.Count|policy.School)
	is.True(rules.Needs().Has(policy.Count))
	is.True(!rules.Needs().Has(policy.Progress))
	is.Equal(rules.Check(policy.CreatingPerson{People: 1}), fault.List{fault.Blank("email"), fault.Blank("name")})
	is.Equal(len(fault.All(rules.Check(policy.CreatingPerson{People: 2}))), 3)
}

func TestVerdicts(t *testing.T) {
	defect := errors.New("defect")
	for _, tc := range []struct {
		name     string
		verdicts []error
		want     error
		effect   bool
		refusal  error
	}{
		{"no rule", nil, nil, true, nil},
		{"all accept", []error{nil, nil}, nil, true, nil},
		{"one accepts without effect", []error{nil, policy.NoEffect, nil}, policy.NoEffect, false, nil},
		{"one refuses", []error{policy.NoEffect, fault.Blank("name")}, fault.Blank("name"), false, fault.Blank("name")},
		{"two refuse for the same reason", []error{fault.Blank("name"), fault.Blank("name")}, fault.Blank("name"), false, fault.Blank("name")},
		{"a defect", []error{policy.NoEffect, fault.Blank("name"), defect}, defect, false, defect},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			var rules policy.Rules[policy.CreatingPerson]
			for _, v := range tc.verdicts {
				rules = append(rules, returns(0, v))
			}
			verdict := rules.Check(policy.CreatingPerson{})
			is.Equal(verdict, tc.want)
			effect, refusal := policy.Effect(verdict)
			is.Equal(effect, tc.effect)
			is.Equal(refusal, tc.refusal)
		})
	}
}

// A rule that panics is a defect: its request fails, but the server continues to run.
func TestPanickingRule(t *testing.T) {
	is := is.New(t)
	rules := policy.Rules[policy.CreatingPerson]{
		returns(0, policy.NoEffect), {Check: func(policy.CreatingPerson) error { panic("no such thing") }}, returns(0, fault.Blank("name")),
	}
	err := rules.Check(policy.CreatingPerson{})
	is.True(err != nil)
	is.True(!fault.IsRefusal(err))
	is.True(strings.Contains(err.Error(), "no such thing"))
	is.True(strings.Contains(err.Error(), "policy_test.go")) // the stack trace of the panic
}

// With and Needs must list every field of Set. This test detects a new field that one of the two
// functions lacks.
func TestSetCoversEachDecision(t *testing.T) {
	set := reflect.TypeFor[policy.Set]()
	for i := range set.NumField() {
		t.Run(set.Field(i).Name, func(t *testing.T) {
			is := is.New(t)
			var added policy.Set
			rules := reflect.MakeSlice(set.Field(i).Type, 1, 1)
			rules.Index(0).FieldByName("Needs").SetUint(uint64(policy.School))
			reflect.ValueOf(&added).Elem().Field(i).Set(rules)
			is.Equal(added.Needs(), policy.School)
			standard := policy.Standard()
			both := reflect.ValueOf(standard.With(added)).Field(i)
			is.Equal(both.Len(), reflect.ValueOf(standard).Field(i).Len()+1)
			is.Equal(both.Index(both.Len()-1).FieldByName("Needs").Uint(), uint64(policy.School)) // the added rules come last
		})
	}
}

func TestMaxPeople(t *testing.T) {
	is := is.New(t)
	rule := policy.MaxPeople(2)
	is.NoErr(rule.Check(policy.CreatingPerson{People: 1}))
	is.Equal(rule.Check(policy.CreatingPerson{People: 2}),
		fault.Invalidf("", "cannot be created: the school has reached its maximum of 2 people"))
}

func TestStandardRules(t *testing.T) {
	rules := policy.Standard()
	used := policy.Redeeming{Coupon: coupon.State{Enabled: true, UsagesCount: 3, MaximumUsages: 3}}
	past := used
	past.Past = true
	begun, done := attempt.State{Progress: 5000}, attempt.State{Progress: decimal.OneHundred}
	for _, tc := range []struct {
		name    string
		verdict error
		refused fault.Kind // 0: accepted
	}{
		{"a coupon that has been used too often", rules.Redeem.Check(used), fault.Invalid},
		{"an imported redemption of it", rules.Redeem.Check(past), 0},
		{"the first attempt", rules.BeginAttempt.Check(policy.BeginningAttempt{Number: 1}), 0},
		{"another attempt in between", rules.BeginAttempt.Check(policy.BeginningAttempt{Number: 2, Last: &begun}), fault.Invalid},
		{"another attempt at the end", rules.BeginAttempt.Check(policy.BeginningAttempt{Number: 2, Last: &done}), 0},
		{"deleting a learner", rules.DeletePerson.Check(policy.DeletingPerson{}), 0},
		{
			"deleting a partner", rules.DeletePerson.Check(policy.DeletingPerson{
				Person: person.Summary{Partnerships: []person.PartnershipID{{}}},
			}), fault.Forbidden,
		},
		{"deleting an empty course", rules.DeleteCourse.Check(policy.DeletingCourse{}), 0},
		{"deleting a course with learners", rules.DeleteCourse.Check(policy.DeletingCourse{Dependents: course.Dependents{Enrollments: 1}}), fault.Conflict},
		{
			"with force", rules.DeleteCourse.Check(policy.DeletingCourse{Dependents: course.Dependents{Enrollments: 1}, Force: true}), 0,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(fault.Is(tc.verdict, tc.refused), tc.refused != 0)
			is.Equal(tc.verdict == nil, tc.refused == 0)
		})
	}
}

func TestCounts(t *testing.T) {
	is := is.New(t)
	is.True(!policy.Standard().CountsLearners())
	is.True(!policy.Standard().CountsMembers())
	is.True(policy.Set{Unenroll: policy.Rules[policy.Unenrolling]{{Needs: policy.Count}}}.CountsLearners())
	is.True(policy.Set{ChangeCourse: policy.Rules[policy.ChangingCourse]{{Needs: policy.Count}}}.CountsLearners())
	is.True(policy.Set{Leave: policy.Rules[policy.Leaving]{{Needs: policy.Count}}}.CountsMembers())
}

package main

import (
	"lyceum/domain/coupon"
	"lyceum/domain/decimal"
	"lyceum/domain/fault"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/property"
	"lyceum/domain/school"
	"testing"
	"time"
)

// day is the last day of a coupon.
var day = time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)

// ending returns the decision to activate, at the given time, a coupon whose last day is day.
func ending(at time.Time) policy.ActivatingCoupon {
	return policy.ActivatingCoupon{Request: policy.Request{At: at}, Coupon: coupon.State{EndOn: &day}}
}

// creating returns the decision to create a person in a school that blocks domains.
func creating(email, blocked string) policy.CreatingPerson {
	properties := property.NewValues(property.Property{Name: blockedDomains, Value: property.TextValue(blocked)})
	return policy.CreatingPerson{
		Request: policy.Request{School: school.State{Properties: properties}}, Person: person.State{Email: email},
	}
}

// A rule is a function, so most of its tests need no server.
func TestRules(t *testing.T) {
	for _, tc := range []struct {
		name    string
		verdict error
		refused bool
	}{
		{"the last member", smallGroup(policy.Joining{Role: membership.Member, Members: maxMembers - 1}), false},
		{"one more", smallGroup(policy.Joining{Role: membership.Member, Members: maxMembers}), true},
		{"a manager", smallGroup(policy.Joining{Role: membership.Manager, Members: maxMembers}), false},
		{"a blocked domain", privateAddress(creating("a@Trash.example", "mailinator.example, trash.example")), true},
		{"a blocked domain after two signs", privateAddress(creating(`"x@y"@trash.example`, "trash.example")), true},
		{"another domain before the last sign", privateAddress(creating(`"x@trash.example"@school.example`, "trash.example")), false},
		{"a subdomain", privateAddress(creating("a@mail.trash.example", "trash.example")), false},
		{"another domain", privateAddress(creating("a@school.example", "mailinator.example, trash.example")), false},
		{"no blocked domains", privateAddress(creating("a@trash.example", "")), false},
		{"a coupon on its last day", notEnded(ending(day.Add(23 * time.Hour))), false},
		{"a coupon after it", notEnded(ending(day.AddDate(0, 0, 1))), true},
		{"at 49.99 %", beforeHalf(policy.Unenrolling{Progress: decimal.OneHundred/2 - 1}), false},
		{"at 50 %", beforeHalf(policy.Unenrolling{Progress: decimal.OneHundred / 2}), true},
	} {
		if refused := fault.IsRefusal(tc.verdict); refused != tc.refused {
			t.Errorf("%s: refused is %t", tc.name, refused)
		}
	}
}

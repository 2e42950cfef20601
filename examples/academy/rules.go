package main

import (
	"lyceum/domain/decimal"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/membership"
	"lyceum/domain/policy"
	"strings"
)

// maxMembers is the maximum number of members of a group.
const maxMembers = 3

// smallGroup refuses to add a member to a full group. The rule declares policy.Count, so j.Members
// is exact even if other requests add members concurrently.
func smallGroup(j policy.Joining) error {
	if j.Role == membership.Member && j.Members >= maxMembers {
		return fault.Invalidf("", "cannot join: %s has %d members (maximum is %d)", j.Group.Name, j.Members, maxMembers)
	}
	return nil
}

// blockedDomains is the name of a property of the school. Its value is a list of domains, separated
// by commas. People with an email address in one of these domains are refused.
const blockedDomains = "blocked_domains"

// privateAddress refuses to create a person whose address belongs to a blocked domain. Subdomains
// of a blocked domain are accepted.
func privateAddress(c policy.CreatingPerson) error {
	domain := c.Person.Email[strings.LastIndexByte(c.Person.Email, '@')+1:]
	for blocked := range strings.SplitSeq(c.School.Properties.Text(blockedDomains), ",") {
		if strings.EqualFold(strings.TrimSpace(blocked), domain) {
			return fault.Invalidf("email", "must not be an address at %s", domain)
		}
	}
	return nil
}

// changedAddress refuses to change the address of a person to an address of a blocked domain. It
// accepts all other changes, even if the domain of the person's address has been blocked in the
// meantime.
func changedAddress(c policy.ChangingPerson) error {
	if c.Before.Email == c.After.Email {
		return nil
	}
	return privateAddress(policy.CreatingPerson{Request: c.Request, Person: c.After})
}

// beforeHalf refuses to unenroll learners who have completed half of the course. The response has
// the status 403.
func beforeHalf(u policy.Unenrolling) error {
	if u.Progress >= decimal.OneHundred/2 {
		return fault.Forbiddenf("The person has completed %s%% of %s and can no longer be removed from it", u.Progress, u.Course.Name)
	}
	return nil
}

// notEnded refuses to activate a coupon after its last day.
func notEnded(a policy.ActivatingCoupon) error {
	if a.Coupon.EndOn != nil && !a.At.Before(a.Coupon.EndOn.AddDate(0, 0, 1)) {
		return fault.Invalidf("end_on", "is in the past")
	}
	return nil
}

// tenth is 10% of a video.
const tenth event.Fraction = 100_000 // millionths

// watchedEnough accepts reports that less than a tenth of a video was watched, but gives them no
// effect: they do not count as viewing.
func watchedEnough(r policy.Recording) error {
	if r.Event.Watched != nil && *r.Event.Watched < tenth {
		return policy.NoEffect
	}
	return nil
}

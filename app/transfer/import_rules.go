package transfer

import (
	"context"
	"time"

	"lyceum/app/admission"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/text"
)

// tally counts what a rule limits: people with a role, or uses of a coupon. It starts with the
// stored number, whose record is locked, and adds the granted lines.
type tally[K comparable] map[K]int64

// of returns the number for k. In the first call for k, it gets the number from stored.
func (t tally[K]) of(k K, stored func() (int64, error)) (int64, error) {
	n, ok := t[k]
	if ok {
		return n, nil
	}
	n, err := stored()
	t[k] = n
	return n, err
}

// decide calls check and returns its verdict. check receives the number for k if the rules count
// it. If counts is true, a granted line increments the number.
func (t tally[K]) decide(
	k K, counted, counts bool, stored func() (int64, error), check func(n int64) error,
) error {
	if !counted {
		return check(0)
	}
	n, err := t.of(k, stored)
	if err == nil {
		err = check(n)
	}
	if err == nil && counts {
		t[k]++
	}
	return err
}

// mayJoin returns the verdict on a membership, and counts the membership if it is granted.
func (m *importer) mayJoin(ctx context.Context, p person.State, g group.State, role membership.Role) error {
	stored := func() (int64, error) { return m.membersOf(ctx, g) }
	return m.groupTally.decide(g.ID, m.rules.CountsMembers(), role == membership.Member, stored, func(n int64) error {
		return m.rules.Join.Check(policy.Joining{Request: m.by, Person: p, Group: g, Role: role, Members: n})
	})
}

func (m *importer) membersOf(ctx context.Context, g group.State) (int64, error) {
	if !m.groups[text.UniqueKey(g.Name)].existing {
		return 0, nil
	}
	if m.load == nil {
		found, err := m.deps.Store.Read(m.school).Groups.Get(ctx, g.ID)
		return found.MembershipCount, err
	}
	if _, err := m.load.Tx().Groups.GetForUpdate(ctx, g.ID); err != nil {
		return 0, err
	}
	found, err := m.load.Tx().Groups.Get(ctx, g.ID)
	return found.MembershipCount, err
}

// mayEnroll returns the verdict on an enrollment, and counts the enrollment if it is granted.
func (m *importer) mayEnroll(ctx context.Context, p person.State, c course.State, role enrollment.Role) error {
	stored := func() (int64, error) { return m.learnersOf(ctx, c) }
	return m.courseTally.decide(c.ID, m.rules.CountsLearners(), role == enrollment.Learner, stored, func(n int64) error {
		return m.rules.Enroll.Check(policy.Enrolling{Request: m.by, Person: p, Course: c, Role: role, Learners: n})
	})
}

func (m *importer) learnersOf(ctx context.Context, c course.State) (int64, error) {
	if !m.courses[c.Permalink].existing {
		return 0, nil
	}
	if m.load == nil {
		found, err := m.deps.Store.Read(m.school).Courses.Get(ctx, c.ID)
		return found.EnrollmentsCount, err
	}
	if _, err := m.load.Tx().Courses.GetForUpdate(ctx, c.ID); err != nil {
		return 0, err
	}
	found, err := m.load.Tx().Courses.Get(ctx, c.ID)
	return found.EnrollmentsCount, err
}

// mayRedeem returns the verdict on a redemption, and counts the redemption if it is granted.
func (m *importer) mayRedeem(ctx context.Context, p person.State, c coupon.State, at time.Time) error {
	if len(m.rules.Redeem) == 0 {
		return nil
	}
	known := m.coupons[text.UniqueKey(c.Code)]
	if known.existing && m.rules.Redeem.Needs().Has(policy.Count) {
		used, err := m.couponTally.of(c.ID, func() (int64, error) { return m.usesOf(ctx, c) })
		if err != nil {
			return err
		}
		c.UsagesCount = used
	}
	err := admission.CheckRedeeming(m.rules, m.by.When(at), c, p)
	if err == nil {
		m.couponTally[c.ID] = c.UsagesCount + 1
	}
	return err
}

func (m *importer) usesOf(ctx context.Context, c coupon.State) (int64, error) {
	if m.load == nil {
		return c.UsagesCount, nil
	}
	found, err := m.load.Tx().Coupons.GetForUpdate(ctx, c.ID)
	return found.State().UsagesCount, err
}

// mayChangeCourse returns the verdict on a change of a course that existed before the import.
func (m *importer) mayChangeCourse(ctx context.Context, before, after course.State, structure bool) error {
	if len(m.rules.ChangeCourse) == 0 {
		return nil
	}
	stored := func() (int64, error) { return m.learnersOf(ctx, before) }
	return m.courseTally.decide(before.ID, m.rules.CountsLearners(), false, stored, func(n int64) error {
		return m.rules.ChangeCourse.Check(policy.ChangingCourse{
			Request: m.by, Before: before, After: after, Structure: structure, Learners: n,
		})
	})
}

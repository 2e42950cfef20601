package transfer

import (
	"context"
	"time"

	"lyceum/app/admission"
	"lyceum/app/transfer/format"
	"lyceum/domain/attempt"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/quiz"
	"lyceum/domain/text"
)

// tally is how many people have a role, or how often something was used, where a rule
// counts it: what the school has, locked, and what the file brings.
type tally[K comparable] map[K]int64

// of returns the number of k, which count finds out the first time.
func (t tally[K]) of(k K, count func() (int64, error)) (int64, error) {
	n, ok := t[k]
	if ok {
		return n, nil
	}
	n, err := count()
	t[k] = n
	return n, err
}

// mayJoin returns why p may not join g, nil if they do; then they are counted.
func (m *importing) mayJoin(ctx context.Context, p person.State, g group.State, role membership.Role) error {
	if len(m.rules.Join) == 0 {
		return nil
	}
	d := policy.Joining{Person: p, Group: g, Role: role}
	if m.rules.Join.Need() == policy.Count {
		var err error
		if d.Members, err = m.joins.of(g.ID, func() (int64, error) { return m.membersOf(ctx, g) }); err != nil {
			return err
		}
	}
	err := m.rules.Join.Check(d)
	if err == nil && role == membership.Member {
		m.joins[g.ID] = d.Members + 1
	}
	return err
}

func (m *importing) membersOf(ctx context.Context, g group.State) (int64, error) {
	if !m.groups[text.Key(g.Name)].old {
		return 0, nil
	}
	if m.load == nil {
		found, err := m.deps.Store.Read(m.school).Groups.Get(ctx, g.ID)
		return found.MembershipCount, err
	}
	if _, err := m.load.Tx().Groups.Find(ctx, g.ID); err != nil {
		return 0, err
	}
	found, err := m.load.Tx().Groups.Get(ctx, g.ID)
	return found.MembershipCount, err
}

// mayLearn returns why p may not be enrolled in c, nil if they are; then they are
// counted.
func (m *importing) mayLearn(ctx context.Context, p person.State, c course.State, role enrollment.Role) error {
	if len(m.rules.Enroll) == 0 {
		return nil
	}
	d := policy.Enrolling{Person: p, Course: c, Role: role}
	if m.rules.Enroll.Need() == policy.Count {
		var err error
		if d.Learners, err = m.enrolls.of(c.ID, func() (int64, error) { return m.learnersOf(ctx, c) }); err != nil {
			return err
		}
	}
	err := m.rules.Enroll.Check(d)
	if err == nil && role == enrollment.Learner {
		m.enrolls[c.ID] = d.Learners + 1
	}
	return err
}

func (m *importing) learnersOf(ctx context.Context, c course.State) (int64, error) {
	if !m.courses[c.Permalink].old {
		return 0, nil
	}
	if m.load == nil {
		found, err := m.deps.Store.Read(m.school).Courses.Get(ctx, c.ID)
		return found.EnrollmentsCount, err
	}
	if _, err := m.load.Tx().Courses.Find(ctx, c.ID); err != nil {
		return 0, err
	}
	found, err := m.load.Tx().Courses.Get(ctx, c.ID)
	return found.EnrollmentsCount, err
}

// mayRedeem returns why p may not have used c, nil if they may; then the use is
// counted.
func (m *importing) mayRedeem(ctx context.Context, p person.State, c coupon.State, at time.Time) error {
	if len(m.rules.Redeem) == 0 {
		return nil
	}
	known := m.coupons[text.Key(c.Code)]
	if known.old && m.rules.Redeem.Need() == policy.Count {
		used, err := m.redeems.of(c.ID, func() (int64, error) { return m.usesOf(ctx, c) })
		if err != nil {
			return err
		}
		c.UsagesCount = used
	}
	err := admission.CheckRedeeming(m.rules, c, p, at, true)
	if err == nil {
		m.redeems[c.ID] = c.UsagesCount + 1
	}
	return err
}

func (m *importing) usesOf(ctx context.Context, c coupon.State) (int64, error) {
	if m.load == nil {
		return c.UsagesCount, nil
	}
	found, err := m.load.Tx().Coupons.Find(ctx, c.ID)
	return found.State().UsagesCount, err
}

// mayComplete returns why activities may not be completed in the attempt of a line.
func (m *importing) mayComplete(l *format.Attempt, p person.State, done []attempt.Completion) error {
	if len(m.rules.Complete) == 0 {
		return nil
	}
	errs := make([]error, len(done))
	for i, one := range done {
		place := element("completed", i)
		a, err := m.stepOf(place, l.Course, l.Completed[i].Activity, l.Completed[i].Nth)
		if err != nil {
			return err
		}
		errs[i] = fault.Within(place, m.rules.Complete.Check(policy.Completing{
			Person: p.ID, Attempt: one.Attempt, Activity: a, At: one.At,
		}))
	}
	return fault.Join(errs...)
}

// mayAnswer returns why a question of the quiz q may not be answered in the work w. The
// answers of an attempt that the school has are left out, so no rule is asked of them.
func (m *importing) mayAnswer(w work, q quiz.State, question quiz.QuestionID, at time.Time) error {
	if w.run.old {
		return nil
	}
	return m.rules.Answer.Check(policy.Answering{
		Person: w.in.Person, Activity: w.activity, Quiz: q, Question: question, At: at,
	})
}

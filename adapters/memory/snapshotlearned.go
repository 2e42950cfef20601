package memory

import (
	"context"
	"slices"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quizattempt"
	"lyceum/domain/redemption"
	"lyceum/domain/submission"
	"lyceum/domain/text"
	"lyceum/ports"
)

// own returns a record of a person with the person's address.
func own[T any](s *snapshot, p person.ID, record T) ports.Owned[T] {
	return ports.Owned[T]{Email: s.address(p), Record: record}
}

// Partnerships hands over the partnerships.
func (s *snapshot) Partnerships(ctx context.Context, each func(ports.Owned[person.Partnership]) error) error {
	rows := inOrder(s.partnerships.table, func(p *person.Partnership) rank {
		return rank{texts: []string{s.email(p.Person), p.Role.String()}, id: p.ID.UUID}
	})
	return walk(ctx, rows, func(r *query.Record[person.Partnership]) ports.Owned[person.Partnership] {
		return own(s, r.Row.Person, r.Row)
	}, each)
}

// Redemptions hands over the redemptions.
func (s *snapshot) Redemptions(ctx context.Context, each func(ports.Owned[redemption.Redemption]) error) error {
	rows := ranked(slices.Collect(s.redemptions.table.byID.From(0)), func(r *redemption.Redemption) rank {
		c, _ := s.coupons.table.ByID.Get(r.Coupon.UUID)
		return rank{
			texts: []string{text.Key(c.Row.Code)}, created: r.CreatedAt,
			then: &rank{texts: []string{s.email(r.Person)}, id: r.ID.UUID},
		}
	})
	return walk(ctx, rows, func(r *redemption.Redemption) ports.Owned[redemption.Redemption] { return own(s, r.Person, *r) }, each)
}

// GroupCourses hands over which groups hold which courses.
func (s *snapshot) GroupCourses(ctx context.Context, each func(ports.GroupCourse) error) error {
	rows := ranked(s.groupCourses.table.Items(), func(h groupCourse) rank {
		return rank{texts: []string{s.name(h.group), s.permalink(h.course)}}
	})
	return walk(ctx, rows, func(h groupCourse) ports.GroupCourse { return ports.GroupCourse{Group: h.group, Course: h.course} }, each)
}

// Memberships hands over the memberships.
func (s *snapshot) Memberships(ctx context.Context, each func(ports.Owned[membership.Membership]) error) error {
	rows := inOrder(s.memberships.table, func(m *membership.Membership) rank {
		return rank{texts: []string{s.name(m.Group), s.email(m.Person), m.Role.String()}, id: m.ID.UUID}
	})
	return walk(ctx, rows, func(r *query.Record[membership.Membership]) ports.Owned[membership.Membership] {
		return own(s, r.Row.Person, r.Row)
	}, each)
}

// Enrollments hands over the enrollments.
func (s *snapshot) Enrollments(ctx context.Context, each func(ports.Owned[enrollment.Enrollment]) error) error {
	rows := ranked(slices.Collect(s.enrollments.table.byID.From(0)), func(e *enrollment.Enrollment) rank {
		return rank{texts: []string{s.permalink(e.Course), s.email(e.Person), e.Role.String()}, id: e.ID.UUID}
	})
	return walk(ctx, rows, func(e *enrollment.Enrollment) ports.Owned[enrollment.Enrollment] { return own(s, e.Person, *e) }, each)
}

// Attempts hands over the course attempts with their completions.
func (s *snapshot) Attempts(ctx context.Context, each func(ports.Owned[ports.Run]) error) error {
	rows := ranked(s.attempts.table.numbered.Items(), func(a *attempt.State) rank {
		return rank{texts: []string{s.permalink(a.Course), s.email(a.Person)}, numbers: []int{a.Number}, id: a.ID.UUID}
	})
	return walk(ctx, rows, func(a *attempt.State) ports.Owned[ports.Run] {
		run := ports.Run{State: cloneAttempt(*a)}
		for c := range s.attempts.table.completions(a.ID) {
			run.Completions = append(run.Completions, c.Completion)
		}
		return own(s, a.Person, run)
	}, each)
}

// QuizAttempts hands over the quiz attempts with their answers.
func (s *snapshot) QuizAttempts(ctx context.Context, each func(ports.Owned[quizattempt.State]) error) error {
	rows := ranked(s.quizAttempts.table.numbered.Items(), func(q *quizRun) rank {
		a, _ := s.activities.table.ByID.Get(q.head.Activity.UUID)
		return rank{
			texts: []string{s.permalink(q.head.Course), s.email(q.head.Person)}, numbers: []int{q.head.CourseNumber},
			then: &rank{
				texts: []string{a.Row.Title}, created: a.Row.CreatedAt, id: a.Row.ID.UUID,
				then: &rank{numbers: []int{q.head.Number}, id: q.head.ID.UUID},
			},
		}
	})
	return walk(ctx, rows, func(q *quizRun) ports.Owned[quizattempt.State] { return own(s, q.head.Person, q.state()) }, each)
}

// Submissions hands over the submissions.
func (s *snapshot) Submissions(ctx context.Context, each func(ports.Owned[ports.Paper]) error) error {
	number := func(m *submission.Submission) int {
		in, _ := s.attempts.table.byID.Get(m.CourseAttempt.UUID)
		return in.Number
	}
	rows := ranked(slices.Collect(s.submissions.table.byID.From(0)), func(m *submission.Submission) rank {
		a, _ := s.activities.table.ByID.Get(m.Activity.UUID)
		return rank{
			texts: []string{s.permalink(m.Course), s.email(m.Person)}, numbers: []int{number(m)},
			then: &rank{
				texts: []string{a.Row.Title}, created: a.Row.CreatedAt, id: a.Row.ID.UUID,
				then: &rank{created: m.CreatedAt, id: m.ID.UUID},
			},
		}
	})
	return walk(ctx, rows, func(m *submission.Submission) ports.Owned[ports.Paper] {
		return own(s, m.Person, ports.Paper{Submission: *m, Number: number(m)})
	}, each)
}

// Events hands over the feed.
func (s *snapshot) Events(ctx context.Context, each func(ports.Owned[event.Event]) error) error {
	for e := range ordered.Until(ctx, s.feed.table.rows.Whole().From(0)) {
		if err := each(own(s, e.Person, cloneEvent(e))); err != nil {
			return err
		}
	}
	return alive(ctx)
}

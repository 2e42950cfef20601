package memory

import (
	"context"
	"slices"

	"lyceum/adapters/memory/ordered"
	"lyceum/adapters/memory/tables"
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

// withEmail returns record with the email of the person p.
func withEmail[T any](s *snapshot, p person.ID, record T) ports.WithEmail[T] {
	return ports.WithEmail[T]{Email: s.address(p), Record: record}
}

// Partnerships implements ports.Snapshot.
func (s *snapshot) Partnerships(ctx context.Context, each func(ports.WithEmail[person.Partnership]) error) error {
	rows := sortedTable(s.partnerships.table, func(p *person.Partnership) sortRank {
		return sortRank{texts: []string{s.emailKey(p.Person), p.Role.String()}, id: p.ID.UUID}
	})
	return visit(ctx, rows, func(r *query.Record[person.Partnership]) ports.WithEmail[person.Partnership] {
		return withEmail(s, r.Row.Person, r.Row)
	}, each)
}

// Redemptions implements ports.Snapshot.
func (s *snapshot) Redemptions(ctx context.Context, each func(ports.WithEmail[redemption.Redemption]) error) error {
	rows := sortedBy(slices.Collect(s.redemptions.table.ByID.From(0)), func(r *redemption.Redemption) sortRank {
		c, _ := s.coupons.table.ByID.Get(r.Coupon.UUID)
		return sortRank{
			texts: []string{text.UniqueKey(c.Row.Code)}, created: r.CreatedAt,
			then: &sortRank{texts: []string{s.emailKey(r.Person)}, id: r.ID.UUID},
		}
	})
	return visit(ctx, rows, func(r *redemption.Redemption) ports.WithEmail[redemption.Redemption] {
		return withEmail(s, r.Person, *r)
	}, each)
}

// GroupCourses implements ports.Snapshot.
func (s *snapshot) GroupCourses(ctx context.Context, each func(ports.GroupCourse) error) error {
	rows := sortedBy(s.groupCourses.table.Items(), func(h groupCourse) sortRank {
		return sortRank{texts: []string{s.nameKey(h.group), s.permalink(h.course)}}
	})
	return visit(ctx, rows, func(h groupCourse) ports.GroupCourse { return ports.GroupCourse{Group: h.group, Course: h.course} }, each)
}

// Memberships implements ports.Snapshot.
func (s *snapshot) Memberships(ctx context.Context, each func(ports.WithEmail[membership.Membership]) error) error {
	rows := sortedBy(slices.Collect(s.memberships.table.ByID.From(0)), func(m *membership.Membership) sortRank {
		return sortRank{texts: []string{s.nameKey(m.Group), s.emailKey(m.Person), m.Role.String()}, id: m.ID.UUID}
	})
	return visit(ctx, rows, func(m *membership.Membership) ports.WithEmail[membership.Membership] {
		return withEmail(s, m.Person, *m)
	}, each)
}

// Enrollments implements ports.Snapshot.
func (s *snapshot) Enrollments(ctx context.Context, each func(ports.WithEmail[enrollment.Enrollment]) error) error {
	rows := sortedBy(slices.Collect(s.enrollments.table.ByID.From(0)), func(e *tables.Enrollment) sortRank {
		return sortRank{texts: []string{s.permalink(e.Course), s.emailKey(e.Person), e.Role().String()}, id: e.ID.UUID}
	})
	return visit(ctx, rows, func(e *tables.Enrollment) ports.WithEmail[enrollment.Enrollment] {
		return withEmail(s, e.Person, e.State())
	}, each)
}

// Attempts implements ports.Snapshot.
func (s *snapshot) Attempts(ctx context.Context, each func(ports.WithEmail[ports.CourseAttempt]) error) error {
	rows := sortedBy(s.attempts.table.ByNumber.Items(), func(a *attempt.State) sortRank {
		return sortRank{texts: []string{s.permalink(a.Course), s.emailKey(a.Person)}, numbers: []int{a.Number}, id: a.ID.UUID}
	})
	return visit(ctx, rows, func(a *attempt.State) ports.WithEmail[ports.CourseAttempt] {
		run := ports.CourseAttempt{State: cloneAttempt(*a)}
		for c := range s.attempts.table.Completions(a.ID) {
			run.Completions = append(run.Completions, c.Completion)
		}
		return withEmail(s, a.Person, run)
	}, each)
}

// QuizAttempts implements ports.Snapshot.
func (s *snapshot) QuizAttempts(ctx context.Context, each func(ports.WithEmail[quizattempt.State]) error) error {
	rows := sortedBy(s.quizAttempts.table.ByNumber.Items(), func(q *tables.QuizAttempt) sortRank {
		a, _ := s.activities.table.ByID.Get(q.Head.Activity.UUID)
		return sortRank{
			texts: []string{s.permalink(q.Head.Course), s.emailKey(q.Head.Person)}, numbers: []int{q.Head.CourseAttemptNumber},
			then: &sortRank{
				texts: []string{a.Row.Title}, created: a.Row.CreatedAt, id: a.Row.ID.UUID,
				then: &sortRank{numbers: []int{q.Head.Number}, id: q.Head.ID.UUID},
			},
		}
	})
	return visit(ctx, rows, func(q *tables.QuizAttempt) ports.WithEmail[quizattempt.State] {
		return withEmail(s, q.Head.Person, q.State())
	}, each)
}

// Submissions implements ports.Snapshot.
func (s *snapshot) Submissions(ctx context.Context, each func(ports.WithEmail[ports.SubmissionRecord]) error) error {
	number := func(m *submission.Submission) int {
		in, _ := s.attempts.table.ByID.Get(m.CourseAttempt.UUID)
		return in.Number
	}
	rows := sortedBy(slices.Collect(s.submissions.table.ByID.From(0)), func(m *submission.Submission) sortRank {
		a, _ := s.activities.table.ByID.Get(m.Activity.UUID)
		return sortRank{
			texts: []string{s.permalink(m.Course), s.emailKey(m.Person)}, numbers: []int{number(m)},
			then: &sortRank{
				texts: []string{a.Row.Title}, created: a.Row.CreatedAt, id: a.Row.ID.UUID,
				then: &sortRank{created: m.CreatedAt, id: m.ID.UUID},
			},
		}
	})
	return visit(ctx, rows, func(m *submission.Submission) ports.WithEmail[ports.SubmissionRecord] {
		return withEmail(s, m.Person, ports.SubmissionRecord{Submission: *m, Number: number(m)})
	}, each)
}

// Events implements ports.Snapshot.
func (s *snapshot) Events(ctx context.Context, each func(ports.WithEmail[event.Event]) error) error {
	for e := range ordered.Until(ctx, s.feed.table.rows.Whole().From(0)) {
		if err := each(withEmail(s, e.Person, cloneEvent(e))); err != nil {
			return err
		}
	}
	return ordered.CheckContext(ctx)
}

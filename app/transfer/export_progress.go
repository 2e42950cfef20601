package transfer

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"lyceum/app/transfer/format"
	"lyceum/app/usecase"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/membership"
	"lyceum/domain/quizattempt"
	"lyceum/domain/redemption"
	"lyceum/ports"
)

func (e *exporter) exportRedemptions(ctx context.Context) error {
	return e.Redemptions(ctx, func(r ports.WithEmail[redemption.Redemption]) error {
		return e.write(format.Redemption{
			Kind: format.RedemptionKind, Coupon: e.coupons[r.Record.Coupon.UUID], Person: r.Email,
			CreatedAt: format.NewInstant(r.Record.CreatedAt), ID: e.id(r.Record.ID.UUID),
		})
	})
}

func (e *exporter) exportMemberships(ctx context.Context) error {
	return e.Memberships(ctx, func(m ports.WithEmail[membership.Membership]) error {
		return e.write(format.Membership{
			Kind: format.MembershipKind, Group: e.groups[m.Record.Group.UUID], Person: m.Email, Role: m.Record.Role.String(),
			CreatedAt: format.NewInstant(m.Record.CreatedAt), UpdatedAt: format.NewInstant(m.Record.UpdatedAt),
			ID: e.id(m.Record.ID.UUID),
		})
	})
}

func (e *exporter) exportEnrollments(ctx context.Context) error {
	return e.Enrollments(ctx, func(m ports.WithEmail[enrollment.Enrollment]) error {
		return e.write(format.Enrollment{
			Kind: format.EnrollmentKind, Course: e.courses[m.Record.Course], Person: m.Email, Role: m.Record.Role.String(),
			CreatedAt: format.NewInstant(m.Record.CreatedAt), UpdatedAt: format.NewInstant(m.Record.UpdatedAt),
			ID: e.id(m.Record.ID.UUID),
		})
	})
}

func (e *exporter) exportAttempts(ctx context.Context) error {
	return e.Attempts(ctx, func(o ports.WithEmail[ports.CourseAttempt]) error {
		run := o.Record
		line := format.Attempt{
			Kind: format.AttemptKind, Course: e.courses[run.Course], Person: o.Email, Number: run.Number,
			StartedAt: format.NewInstant(run.StartedAt), ID: e.id(run.ID.UUID),
		}
		for _, c := range run.Completions {
			// Skip completions of activities of other courses. There should be none.
			if done := e.activities[c.Activity]; done.course == line.Course {
				line.Completed = append(line.Completed, format.Completion{
					Activity: done.name, Nth: done.nth, At: format.NewInstant(c.At),
				})
			}
		}
		slices.SortFunc(line.Completed, func(a, b format.Completion) int {
			return cmp.Or(a.At.Compare(b.At.Time), strings.Compare(a.Activity, b.Activity), cmp.Compare(a.Nth, b.Nth))
		})
		return e.write(line)
	})
}

func (e *exporter) exportQuizAttempts(ctx context.Context) error {
	return e.QuizAttempts(ctx, func(o ports.WithEmail[quizattempt.State]) error {
		run := o.Record
		about := e.activities[run.Activity]
		line := format.QuizAttempt{
			Kind: format.QuizAttemptKind, Course: e.courses[run.Course], Person: o.Email, Attempt: run.CourseAttemptNumber,
			Activity: about.name, ActivityNth: about.nth, Number: run.Number, StartedAt: format.NewInstant(run.StartedAt),
			ID: e.id(run.ID.UUID),
		}
		for _, g := range run.Answers {
			written := format.Answer{
				Question: e.questions[run.Quiz][g.Question], Of: g.Position.Total, Response: g.Response, Correct: g.Correct,
				At: format.NewInstant(g.At),
			}
			if g.Position.Number != written.Question {
				written.Number = g.Position.Number
			}
			line.Answers = append(line.Answers, written)
		}
		// Sorted by question, because two answers may have the same number if a question was
		// archived between them.
		slices.SortFunc(line.Answers, func(a, b format.Answer) int { return cmp.Compare(a.Question, b.Question) })
		return e.write(line)
	})
}

func (e *exporter) exportSubmissions(ctx context.Context) error {
	return e.Submissions(ctx, func(o ports.WithEmail[ports.SubmissionRecord]) error {
		s := o.Record
		about := e.activities[s.Activity]
		line := format.Submission{
			Kind: format.SubmissionKind, Course: e.courses[s.Course], Person: o.Email, Attempt: s.Number,
			Activity: about.name, ActivityNth: about.nth, Name: s.File.Name, MediaType: s.File.MediaType, Size: s.File.Size,
			CreatedAt: format.NewInstant(s.CreatedAt), ID: e.id(s.ID.UUID),
		}
		bytes, err := e.files.Open(ctx, usecase.FileOf(e.school, s.ID))
		// The person was deleted since the snapshot, or the file was lost.
		if fault.Is(err, fault.NotFound) {
			line.Missing = true
			return e.write(line)
		}
		if err != nil {
			return err
		}
		defer func() { _ = bytes.Close() }() // the file was only read, so the error does not matter
		if err := e.write(line); err != nil {
			return err
		}
		return e.out.Bytes(bytes)
	})
}

// eventTypes contains the names that lines use for the kinds of events.
var eventTypes = map[event.Kind]string{event.ViewedActivity: "viewed", event.ViewedVideo: "watched"}

func (e *exporter) exportEvents(ctx context.Context) error {
	return e.Events(ctx, func(o ports.WithEmail[event.Event]) error {
		about := e.activities[o.Record.Activity]
		line := format.Event{
			Kind: format.EventKind, Type: eventTypes[o.Record.Kind], Person: o.Email, Course: about.course,
			Activity: about.name, ActivityNth: about.nth, CreatedAt: format.NewInstant(o.Record.CreatedAt),
			ClientID: o.Record.ClientID,
		}
		if o.Record.OccurredAt != nil {
			line.OccurredAt = format.NewInstant(*o.Record.OccurredAt)
		}
		if o.Record.Watched != nil {
			line.Watched = json.Number(o.Record.Watched.String())
		}
		return e.write(line)
	})
}

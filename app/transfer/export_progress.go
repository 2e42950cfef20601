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

func (e *exporting) exportRedemptions(ctx context.Context) error {
	return e.Redemptions(ctx, func(r ports.Owned[redemption.Redemption]) error {
		return e.write(format.Redemption{
			Kind: format.RedemptionKind, Coupon: e.coupons[r.Record.Coupon.UUID], Person: r.Email,
			CreatedAt: format.At(r.Record.CreatedAt),
		})
	})
}

func (e *exporting) exportMemberships(ctx context.Context) error {
	return e.Memberships(ctx, func(m ports.Owned[membership.Membership]) error {
		return e.write(format.Membership{
			Kind: format.MembershipKind, Group: e.groups[m.Record.Group.UUID], Person: m.Email, Role: m.Record.Role.String(),
			CreatedAt: format.At(m.Record.CreatedAt), UpdatedAt: format.At(m.Record.UpdatedAt),
		})
	})
}

func (e *exporting) exportEnrollments(ctx context.Context) error {
	return e.Enrollments(ctx, func(m ports.Owned[enrollment.Enrollment]) error {
		return e.write(format.Enrollment{
			Kind: format.EnrollmentKind, Course: e.courses[m.Record.Course], Person: m.Email, Role: m.Record.Role.String(),
			CreatedAt: format.At(m.Record.CreatedAt), UpdatedAt: format.At(m.Record.UpdatedAt),
		})
	})
}

func (e *exporting) exportAttempts(ctx context.Context) error {
	return e.Attempts(ctx, func(o ports.Owned[ports.Run]) error {
		run := o.Record
		line := format.Attempt{
			Kind: format.AttemptKind, Course: e.courses[run.Course], Person: o.Email, Number: run.Number,
			StartedAt: format.At(run.StartedAt),
		}
		for _, c := range run.Completions {
			// Nobody completes what is not of the course.
			if done := e.activities[c.Activity]; done.course == line.Course {
				line.Completed = append(line.Completed, format.Completion{
					Activity: done.name, Nth: done.nth, At: format.At(c.At),
				})
			}
		}
		slices.SortFunc(line.Completed, func(a, b format.Completion) int {
			return cmp.Or(a.At.Compare(b.At.Time), strings.Compare(a.Activity, b.Activity), cmp.Compare(a.Nth, b.Nth))
		})
		return e.write(line)
	})
}

func (e *exporting) exportQuizAttempts(ctx context.Context) error {
	return e.QuizAttempts(ctx, func(o ports.Owned[quizattempt.State]) error {
		run := o.Record
		about := e.activities[run.Activity]
		line := format.QuizAttempt{
			Kind: format.QuizAttemptKind, Course: e.courses[run.Course], Person: o.Email, Attempt: run.CourseNumber,
			Activity: about.name, ActivityNth: about.nth, Number: run.Number, StartedAt: format.At(run.StartedAt),
		}
		for _, g := range run.Answers {
			written := format.Answer{
				Question: e.questions[run.Quiz][g.Question], Of: g.Position.Total, Response: g.Response, Correct: g.Correct,
				At: format.At(g.At),
			}
			if g.Position.Number != written.Question {
				written.Number = g.Position.Number
			}
			line.Answers = append(line.Answers, written)
		}
		// Not by the numbers of the moment: those of two, one of which is archived
		// meanwhile, may be the same.
		slices.SortFunc(line.Answers, func(a, b format.Answer) int { return cmp.Compare(a.Question, b.Question) })
		return e.write(line)
	})
}

func (e *exporting) exportSubmissions(ctx context.Context) error {
	return e.Submissions(ctx, func(o ports.Owned[ports.Paper]) error {
		s := o.Record
		about := e.activities[s.Activity]
		line := format.Submission{
			Kind: format.SubmissionKind, Course: e.courses[s.Course], Person: o.Email, Attempt: s.Number,
			Activity: about.name, ActivityNth: about.nth, Name: s.File.Name, MediaType: s.File.MediaType, Size: s.File.Size,
			CreatedAt: format.At(s.CreatedAt),
		}
		bytes, err := e.files.Open(ctx, usecase.FileOf(s.ID))
		if fault.Is(err, fault.NotFound) { // the person was deleted since, or the file was lost
			line.Lost = true
			return e.write(line)
		}
		if err != nil {
			return err
		}
		defer func() { _ = bytes.Close() }() // it was only read
		if err := e.write(line); err != nil {
			return err
		}
		return e.out.Bytes(bytes)
	})
}

// eventTypes is what lines call the kinds of event.
var eventTypes = map[event.Kind]string{event.ViewedActivity: "viewed", event.ViewedVideo: "watched"}

func (e *exporting) exportEvents(ctx context.Context) error {
	return e.Events(ctx, func(o ports.Owned[event.Event]) error {
		about := e.activities[o.Record.Activity]
		line := format.Event{
			Kind: format.EventKind, Type: eventTypes[o.Record.Kind], Person: o.Email, Course: about.course,
			Activity: about.name, ActivityNth: about.nth, CreatedAt: format.At(o.Record.CreatedAt),
			ClientID: o.Record.ClientID,
		}
		if o.Record.OccurredAt != nil {
			line.OccurredAt = format.At(*o.Record.OccurredAt)
		}
		if o.Record.Watched != nil {
			line.Watched = json.Number(o.Record.Watched.String())
		}
		return e.write(line)
	})
}

package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/membership"
	"lyceum/domain/quizattempt"
	"lyceum/domain/submission"
	"lyceum/domain/text"
	"lyceum/ports"
)

var (
	membershipCopy = []string{"school_id", "id", "person_id", "group_id", "role", "created_at", "updated_at"}
	enrollmentCopy = []string{"school_id", "id", "person_id", "course_id", "role", "created_at", "updated_at"}
	attemptCopy    = []string{
		"school_id", "id", "person_id", "course_id", "number", "progress", "last_completed_at", "started_at",
	}
	completionCopy = []string{"school_id", "attempt_id", "activity_id", "completed_at"}
	runCopy        = []string{
		"school_id", "id", "person_id", "course_id", "attempt_id", "course_number", "activity_id", "quiz_id", "number",
		"answered", "correct", "total", "last_answered_at", "started_at",
	}
	answerCopy = []string{
		"school_id", "quiz_attempt_id", "question_id", "person_id", "course_id", "course_number", "activity_id",
		"quiz_id", "number", "total", "response", "response_fold", "correct", "answered_at",
	}
	eventCopy      = []string{"school_id", "position", "kind", "person_id", "activity_id", "watched", "created_at", "occurred_at", "client_id"}
	submissionCopy = []string{
		"school_id", "id", "assignment_id", "activity_id", "course_id", "person_id", "attempt_id",
		"file_name", "media_type", "file_size", "created_at",
	}
)

// places copies memberships and enrollments.
func (l *loading) places(ctx context.Context, b ports.Batch) error {
	err := copyRows(ctx, l, "memberships", membershipCopy, b.Memberships, func(m membership.Membership) []any {
		return []any{l.SchoolID, m.ID.UUID, m.Person.UUID, m.Group.UUID, m.Role.String(), m.CreatedAt, m.UpdatedAt}
	})
	if err == nil {
		err = copyRows(ctx, l, "enrollments", enrollmentCopy, b.Enrollments, func(e enrollment.Enrollment) []any {
			return []any{l.SchoolID, e.ID.UUID, e.Person.UUID, e.Course.UUID, e.Role.String(), e.CreatedAt, e.UpdatedAt}
		})
	}
	return err
}

// answerOf is an answer with the quiz attempt in which it was given.
type answerOf struct {
	run *quizattempt.State
	quizattempt.Answer
}

// learned copies attempts, completions, and quiz attempts with their answers.
func (l *loading) learned(ctx context.Context, b ports.Batch) error {
	err := copyRows(ctx, l, "course_attempts", attemptCopy, b.Attempts, func(a attempt.Attempt) []any {
		s := a.State()
		return []any{
			l.SchoolID, s.ID.UUID, s.Person.UUID, s.Course.UUID, s.Number, int64(s.Progress), s.LastCompletedAt, s.StartedAt,
		}
	})
	if err == nil {
		err = copyRows(ctx, l, "completions", completionCopy, b.Completions, func(c attempt.Completion) []any {
			return []any{l.SchoolID, c.Attempt.UUID, c.Activity.UUID, c.At}
		})
	}
	var answers []answerOf
	for _, a := range b.QuizAttempts {
		s := a.State()
		for _, g := range s.Answers {
			answers = append(answers, answerOf{&s, g})
		}
	}
	if err == nil {
		err = copyRows(ctx, l, "quiz_attempts", runCopy, b.QuizAttempts, func(a quizattempt.Attempt) []any {
			s := a.State()
			return []any{
				l.SchoolID, s.ID.UUID, s.Person.UUID, s.Course.UUID, s.CourseAttempt.UUID, s.CourseNumber, s.Activity.UUID,
				s.Quiz.UUID, s.Number, s.Score.Answered, s.Score.Correct, s.Score.Total, s.Score.LastAnsweredAt, s.StartedAt,
			}
		})
	}
	if err == nil {
		err = copyRows(ctx, l, "quiz_answers", answerCopy, answers, func(g answerOf) []any {
			return []any{
				l.SchoolID, g.run.ID.UUID, g.Question.UUID, g.run.Person.UUID, g.run.Course.UUID, g.run.CourseNumber,
				g.run.Activity.UUID, g.run.Quiz.UUID, g.Position.Number, g.Position.Total,
				g.Response, text.Fold(g.Response), g.Correct, g.At,
			}
		})
	}
	if err == nil {
		err = copyRows(ctx, l, "submissions", submissionCopy, b.Submissions, func(s submission.Submission) []any {
			return []any{
				l.SchoolID, s.ID.UUID, s.Assignment.UUID, s.Activity.UUID, s.Course.UUID, s.Person.UUID, s.CourseAttempt.UUID,
				s.File.Name, s.File.MediaType, s.File.Size, s.CreatedAt,
			}
		})
	}
	return err
}

// The row of the feed is locked until the end, as by whoever appends.
const (
	openFeed = `
		INSERT INTO event_feeds AS f (school_id, position, last_at) VALUES ($1, 0, $2)
		ON CONFLICT (school_id) DO UPDATE SET position = f.position
		RETURNING position, last_at`
	closeFeed = `UPDATE event_feeds SET position = $2, last_at = $3 WHERE school_id = $1`
)

// append copies events to the end of the feed.
func (l *loading) append(ctx context.Context, es []event.Event) error {
	if len(es) == 0 {
		return nil
	}
	f := &l.feed
	if !f.locked {
		var lastAt time.Time
		row := l.tx.QueryRowContext(ctx, openFeed, l.SchoolID, es[0].CreatedAt)
		if err := row.Scan(&f.position, &lastAt); err != nil {
			return err
		}
		f.locked = true
		if f.position > 0 {
			f.after = lastAt.UTC().Add(time.Millisecond)
		}
	}
	for _, e := range es {
		if e.CreatedAt.Before(f.last) {
			return fmt.Errorf("an event of %s behind one of %s", e.CreatedAt, f.last)
		}
		f.last = e.CreatedAt
	}
	return copyRows(ctx, l, "events", eventCopy, es, func(e event.Event) []any {
		f.position++
		f.lastAt = e.CreatedAt
		if f.lastAt.Before(f.after) {
			f.lastAt = f.after
		}
		var watched sql.NullInt64
		if e.Watched != nil {
			watched = sql.NullInt64{Int64: int64(*e.Watched), Valid: true}
		}
		clientID := sql.NullString{String: e.ClientID, Valid: e.ClientID != ""}
		return []any{
			l.SchoolID, f.position, e.Kind.String(), e.Person.UUID, e.Activity.UUID, watched, f.lastAt, e.OccurredAt, clientID,
		}
	})
}

// endFeed notes the last event of the load.
func (l *loading) endFeed(ctx context.Context) error {
	if !l.feed.locked {
		return nil
	}
	_, err := l.tx.ExecContext(ctx, closeFeed, l.SchoolID, l.feed.position, l.feed.lastAt)
	return err
}

package transfer

import (
	"context"
	"fmt"
	"time"

	"lyceum/app/transfer/format"
	"lyceum/domain/category"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/text"
)

// take deals with a line; what is wrong with it are faults.
func (m *importing) take(ctx context.Context, line format.Line) error {
	switch line.Record.(type) {
	case *format.Attempt, *format.QuizAttempt, *format.Submission, *format.Event:
		// What is learned is learned in the courses as the file has them.
		if err := m.settle(ctx); err != nil {
			return err
		}
	}
	switch l := line.Record.(type) {
	case *format.APIKey:
		return m.apiKey(ctx, l)
	case *format.Category:
		return m.category(ctx, l)
	case *format.Coupon:
		return m.coupon(ctx, l)
	case *format.Person:
		return m.person(ctx, l)
	case *format.Invitation:
		return m.invitation(ctx, l)
	case *format.Partnership:
		return m.partnership(l)
	case *format.Redemption:
		return m.redemption(ctx, l)
	case *format.Course:
		return m.course(l)
	case *format.Quiz:
		return m.quiz(l)
	case *format.Assignment:
		return m.assignment(l)
	case *format.Activity:
		return m.activity(l)
	case *format.Group:
		return m.group(ctx, l)
	case *format.GroupCourse:
		return m.groupCourse(l)
	case *format.Membership:
		return m.membership(ctx, l)
	case *format.Enrollment:
		return m.enrollment(ctx, l)
	case *format.Attempt:
		return m.attempt(l)
	case *format.QuizAttempt:
		return m.quizAttempt(l)
	case *format.Submission:
		return m.submission(ctx, l)
	case *format.Event:
		return m.event(l)
	case *format.Part:
		return fault.Invalidf("", "belongs to no submission")
	case *format.School:
		return fault.Invalidf("kind", "only the first line is of the kind %s", format.SchoolKind)
	}
	return fmt.Errorf("app: a line of %T", line.Record)
}

// times returns when a record was made and changed.
func (m *importing) times(created, updated format.Instant) (time.Time, time.Time) {
	at := created.Or(m.now)
	return at, updated.Or(at)
}

// change counts a record that the school has, and has changed by keep when it
// differs.
func (m *importing) change(kind string, differs bool, keep func() error) error {
	if !differs {
		m.count(kind).Unchanged++
		return nil
	}
	m.count(kind).Changed++
	if m.load == nil || len(m.faults) > 0 {
		return nil
	}
	return keep()
}

// keeper is what finds and keeps records T.
type keeper[ID, T any] interface {
	Find(ctx context.Context, id ID) (T, error)
	Save(ctx context.Context, record T) error
}

// rename gives the record of an id another name.
func rename[ID, T any, P interface {
	*T
	Rename(name string, now time.Time) error
}](ctx context.Context, in keeper[ID, T], id ID, name string, now time.Time) error {
	record, err := in.Find(ctx, id)
	if err != nil {
		return err
	}
	if err := P(&record).Rename(name, now); err != nil {
		return err
	}
	return in.Save(ctx, record)
}

func (m *importing) category(ctx context.Context, l *format.Category) error {
	created, updated := m.times(l.CreatedAt, l.UpdatedAt)
	c, err := category.New(category.ID{UUID: m.id(l.Kind, l.ID)}, l.Name, created)
	if err != nil {
		return err
	}
	s := c.State()
	known, err := claim(m.categories, text.Key(s.Name), m.line)
	if err != nil {
		return err
	}
	if known != nil {
		return m.change(l.Kind, known.is.Name != s.Name, func() error {
			return rename(ctx, m.load.Tx().Categories, known.is.ID, s.Name, m.now)
		})
	}
	s.UpdatedAt = updated
	bring(m.categories, text.Key(s.Name), s, m.line)
	m.batch.Categories = append(m.batch.Categories, category.Restore(s))
	m.created(l.Kind, 1)
	return nil
}

func (m *importing) group(ctx context.Context, l *format.Group) error {
	created, updated := m.times(l.CreatedAt, l.UpdatedAt)
	token := l.EnrollToken
	if token == "" {
		token = m.deps.NewToken()
	}
	g, err := group.New(group.ID{UUID: m.id(l.Kind, l.ID)}, l.Name, token, created)
	if err != nil {
		return err
	}
	s := g.State()
	known, err := claim(m.groups, text.Key(s.Name), m.line)
	if err != nil {
		return err
	}
	if known != nil {
		return m.change(l.Kind, known.is.Name != s.Name, func() error {
			return rename(ctx, m.load.Tx().Groups, known.is.ID, s.Name, m.now)
		})
	}
	s.UpdatedAt = updated
	bring(m.groups, text.Key(s.Name), s, m.line)
	m.batch.Groups = append(m.batch.Groups, group.Restore(s))
	m.created(l.Kind, 1)
	return nil
}

// orZero returns what p points to, zero when it is nil.
func orZero[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

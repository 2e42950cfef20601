package transfer

import (
	"context"
	"fmt"
	"time"

	"lyceum/app/transfer/format"
	"lyceum/app/usecase"
	"lyceum/domain/category"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/property"
	"lyceum/domain/text"
)

// handleRecord imports a line. Faults are on the fields of the line.
func (m *importer) handleRecord(ctx context.Context, line format.Line) error {
	switch line.Record.(type) {
	case *format.Attempt, *format.QuizAttempt, *format.Submission, *format.Event:
		// Learner data depends on the changes that the file makes to courses, so they are applied
		// first.
		if err := m.applyStructureChanges(ctx); err != nil {
			return err
		}
	}
	switch l := line.Record.(type) {
	case *format.APIKey:
		return m.importAPIKey(ctx, l)
	case *format.Property:
		return m.importProperty(ctx, l)
	case *format.Category:
		return m.importCategory(ctx, l)
	case *format.Coupon:
		return m.importCoupon(ctx, l)
	case *format.Person:
		return m.importPerson(ctx, l)
	case *format.Invitation:
		return m.importInvitation(ctx, l)
	case *format.Partnership:
		return m.importPartnership(ctx, l)
	case *format.Redemption:
		return m.importRedemption(ctx, l)
	case *format.Course:
		return m.importCourse(ctx, l)
	case *format.Quiz:
		return m.importQuiz(ctx, l)
	case *format.Assignment:
		return m.importAssignment(l)
	case *format.Activity:
		return m.importActivity(ctx, l)
	case *format.Group:
		return m.importGroup(ctx, l)
	case *format.GroupCourse:
		return m.importGroupCourse(l)
	case *format.Membership:
		return m.importMembership(ctx, l)
	case *format.Enrollment:
		return m.importEnrollment(ctx, l)
	case *format.Attempt:
		return m.importAttempt(l)
	case *format.QuizAttempt:
		return m.importQuizAttempt(l)
	case *format.Submission:
		return m.importSubmission(ctx, l)
	case *format.Event:
		return m.importEvent(l)
	case *format.Chunk:
		return fault.Invalidf("", "must follow a submission record")
	case *format.School:
		return fault.Invalidf("kind", "only the first line may have the kind %s", format.SchoolKind)
	}
	return fmt.Errorf("transfer: unexpected record %T", line.Record)
}

// timestamps returns the times of creation and last update of a record. If the line omits them, the
// time of creation is m.now, and the time of the last update is the time of creation.
func (m *importer) timestamps(created, updated format.Instant) (time.Time, time.Time) {
	at := created.Or(m.now)
	return at, updated.Or(at)
}

// saveIfChanged counts a line about an existing record. If the line differs from the record, it
// calls save, except in a dry run or after a fault.
func (m *importer) saveIfChanged(kind string, differs bool, save func() error) error {
	if !differs {
		m.count(kind).Unchanged++
		return nil
	}
	m.count(kind).Changed++
	if m.load == nil || len(m.faults) > 0 {
		return nil
	}
	return save()
}

func (m *importer) importCategory(ctx context.Context, l *format.Category) error {
	created, updated := m.timestamps(l.CreatedAt, l.UpdatedAt)
	c, err := category.New(category.ID{UUID: m.id(l.Kind, l.ID)}, l.Name, created)
	if err != nil {
		return err
	}
	s := c.State()
	known, err := markSeen(m.categories, text.UniqueKey(s.Name), m.line)
	if err != nil {
		return err
	}
	if known != nil {
		return m.saveIfChanged(l.Kind, known.record.Name != s.Name, func() error {
			_, err := usecase.Update(ctx, m.load.Tx().Categories, known.record.ID, func(c *category.Category) (bool, error) {
				return true, c.Rename(s.Name, m.now)
			})
			return err
		})
	}
	s.UpdatedAt = updated
	register(m.categories, text.UniqueKey(s.Name), s, m.line)
	m.batch.Categories = append(m.batch.Categories, category.Restore(s))
	m.created(l.Kind, 1)
	return nil
}

func (m *importer) importGroup(ctx context.Context, l *format.Group) error {
	created, updated := m.timestamps(l.CreatedAt, l.UpdatedAt)
	token := l.EnrollToken
	if token == "" {
		token = m.deps.NewToken()
	}
	properties, errProperties := m.sentProperties(property.Groups, l.Properties)
	g, err := group.New(group.ID{UUID: m.id(l.Kind, l.ID)}, l.Name, token, created)
	if errProperties == nil {
		_, errProperties = g.Update(group.Changes{Properties: properties}, created)
	}
	if err := fault.Join(err, errProperties); err != nil {
		return err
	}
	s := g.State()
	known, err := markSeen(m.groups, text.UniqueKey(s.Name), m.line)
	if err != nil {
		return err
	}
	if known != nil {
		e := group.Changes{Name: &s.Name, Properties: properties}
		now := group.Restore(known.record)
		differs, err := now.Update(e, m.now)
		if err != nil {
			return err
		}
		known.record = now.State()
		return m.saveIfChanged(l.Kind, differs, func() error {
			_, err := usecase.Update(ctx, m.load.Tx().Groups, known.record.ID, func(g *group.Group) (bool, error) { return g.Update(e, m.now) })
			return err
		})
	}
	s.UpdatedAt = updated
	register(m.groups, text.UniqueKey(s.Name), s, m.line)
	m.batch.Groups = append(m.batch.Groups, group.Restore(s))
	m.created(l.Kind, 1)
	return nil
}

// orZero returns the value that p points to; the zero value if p is nil.
func orZero[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

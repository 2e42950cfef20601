package transfer

import (
	"context"

	"lyceum/app/transfer/format"
	"lyceum/app/usecase"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/text"
	"lyceum/ports"
)

func (m *importer) importCourse(ctx context.Context, l *format.Course) error {
	created, updated := m.timestamps(l.CreatedAt, l.UpdatedAt)
	token := l.EnrollToken
	if token == "" {
		token = m.deps.NewToken()
	}
	c, errOwn := course.New(course.ID{UUID: m.id(l.Kind, l.ID)}, l.Name, l.Permalink, token, created)
	under, errUnder := m.categoriesOf(l)
	by, errBy := m.instructorsOf(l)
	properties, errProperties := m.sentProperties(property.Courses, l.Properties)
	if errProperties == nil {
		_, errProperties = c.Update(course.Changes{Properties: properties}, created)
	}
	if err := fault.Join(errOwn, errUnder, errBy, errProperties); err != nil {
		return err
	}
	relate := func(c *course.Course) (bool, error) {
		var categoriesChanged, instructorsChanged bool
		var errCategories, errInstructors error
		if l.Categories != nil {
			categoriesChanged, errCategories = c.SetCategories(under...)
		}
		if l.Instructors != nil {
			instructorsChanged, errInstructors = c.SetInstructors(by...)
		}
		return categoriesChanged || instructorsChanged, fault.Join(errCategories, fault.OnField("instructors", errInstructors))
	}
	if _, err := relate(&c); err != nil {
		return err
	}
	s := c.State()
	known, err := markSeen(m.courses, s.Permalink, m.line)
	if err != nil {
		return err
	}
	if known != nil {
		return m.changeCourse(ctx, l.Kind, known, func(c *course.Course) (bool, error) {
			edited, errName := c.Update(course.Changes{Name: &s.Name, Properties: properties}, m.now)
			related, errRelated := relate(c)
			return related || edited, fault.Join(errName, errRelated)
		})
	}
	s.UpdatedAt = updated
	register(m.courses, s.Permalink, s, m.line)
	m.batch.Courses = append(m.batch.Courses, course.Restore(s))
	m.created(l.Kind, 1+len(under)+len(by))
	return nil
}

// changeCourse applies edit to an existing course, which applyStructureChanges saves later. If
// changeCourse locked the course here, before the lock on its structure, it could deadlock with
// concurrent requests.
func (m *importer) changeCourse(
	ctx context.Context, kind string, known *entry[course.State], edit func(*course.Course) (bool, error),
) error {
	next := course.Restore(known.record)
	differs, err := edit(&next)
	if err != nil {
		return err
	}
	if differs {
		if err := m.mayChangeCourse(ctx, known.record, next.State(), false); err != nil {
			return err
		}
	}
	known.record = next.State()
	return m.saveIfChanged(kind, differs, func() error {
		m.pending.courses = append(m.pending.courses, func(ctx context.Context, tx ports.Tx) error {
			_, err := usecase.Update(ctx, tx.Courses, known.record.ID, func(c *course.Course) (bool, error) {
				_, err := edit(c)
				return true, err
			})
			if fault.Is(err, fault.NotFound) {
				return ports.ErrChanged
			}
			return err
		})
		return nil
	})
}

func (m *importer) categoriesOf(l *format.Course) ([]category.ID, error) {
	ids, errs := make([]category.ID, len(l.Categories)), make([]error, len(l.Categories))
	for i, name := range l.Categories {
		is, err := find(m.categories, text.UniqueKey(name), indexPath("categories", i), "category", name)
		ids[i], errs[i] = is.ID, err
	}
	return ids, fault.Join(errs...)
}

func (m *importer) instructorsOf(l *format.Course) ([]person.PartnershipID, error) {
	ids, errs := make([]person.PartnershipID, len(l.Instructors)), make([]error, len(l.Instructors))
	for i, p := range l.Instructors {
		ids[i], errs[i] = find(m.partnerships, format.Partner{Person: text.UniqueKey(p.Person), Role: p.Role},
			indexPath("instructors", i), "partnership", p.Person+" "+p.Role)
	}
	return ids, fault.Join(errs...)
}

package transfer

import (
	"context"

	"lyceum/app/transfer/format"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/text"
	"lyceum/ports"
)

func (m *importing) course(l *format.Course) error {
	created, updated := m.times(l.CreatedAt, l.UpdatedAt)
	token := l.EnrollToken
	if token == "" {
		token = m.deps.NewToken()
	}
	c, errOwn := course.New(course.ID{UUID: m.id(l.Kind, l.ID)}, l.Name, l.Permalink, token, created)
	under, errUnder := m.categoriesOf(l)
	by, errBy := m.instructorsOf(l)
	if err := fault.Join(errOwn, errUnder, errBy); err != nil {
		return err
	}
	relate := func(c *course.Course) (bool, error) {
		var filed, staffed bool
		var errFiled, errStaffed error
		if l.Categories != nil {
			filed, errFiled = c.File(under...)
		}
		if l.Instructors != nil {
			staffed, errStaffed = c.Staff(by...)
		}
		return filed || staffed, fault.Join(errFiled, fault.At("instructors", errStaffed))
	}
	if _, err := relate(&c); err != nil {
		return err
	}
	s := c.State()
	known, err := claim(m.courses, s.Permalink, m.line)
	if err != nil {
		return err
	}
	if known != nil {
		return m.changeCourse(l.Kind, known, func(c *course.Course) (bool, error) {
			edited, errName := c.Edit(course.Edit{Name: &s.Name}, m.now)
			related, errRelated := relate(c)
			return related || edited, fault.Join(errName, errRelated)
		})
	}
	s.UpdatedAt = updated
	bring(m.courses, s.Permalink, s, m.line)
	m.batch.Courses = append(m.batch.Courses, course.Restore(s))
	m.created(l.Kind, 1+len(under)+len(by))
	return nil
}

// changeCourse makes a course that the school has as edit does. It is kept when
// the courses are settled: whoever held it before, and locked what it consists of
// then, would be in the way of those who wait for it in between.
func (m *importing) changeCourse(
	kind string, known *entry[course.State], edit func(*course.Course) (bool, error),
) error {
	next := course.Restore(known.is)
	differs, err := edit(&next)
	if err != nil {
		return err
	}
	known.is = next.State()
	return m.change(kind, differs, func() error {
		m.pending.courses = append(m.pending.courses, func(ctx context.Context, tx ports.Tx) error {
			was, err := tx.Courses.Find(ctx, known.is.ID)
			if err == nil {
				_, err = edit(&was)
			}
			switch {
			case fault.Is(err, fault.NotFound):
				return ports.ErrChanged
			case err != nil:
				return err
			}
			return tx.Courses.Save(ctx, was)
		})
		return nil
	})
}

func (m *importing) categoriesOf(l *format.Course) ([]category.ID, error) {
	ids, errs := make([]category.ID, len(l.Categories)), make([]error, len(l.Categories))
	for i, name := range l.Categories {
		is, err := find(m.categories, text.Key(name), element("categories", i), "category", name)
		ids[i], errs[i] = is.ID, err
	}
	return ids, fault.Join(errs...)
}

func (m *importing) instructorsOf(l *format.Course) ([]person.PartnershipID, error) {
	ids, errs := make([]person.PartnershipID, len(l.Instructors)), make([]error, len(l.Instructors))
	for i, p := range l.Instructors {
		ids[i], errs[i] = find(m.partnerships, format.Partner{Person: text.Key(p.Person), Role: p.Role},
			element("instructors", i), "partnership", p.Person+" "+p.Role)
	}
	return ids, fault.Join(errs...)
}

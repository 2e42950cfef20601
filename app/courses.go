package app

import (
	"context"
	"slices"
	"time"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/ports"
)

// Courses manages courses.
type Courses struct{ deps usecase.Deps }

// CourseChanges contains the attributes and relationships of a course to create or update. A nil
// field leaves its attribute unchanged.
type CourseChanges struct {
	course.Changes
	Categories  *[]category.ID          // replace all categories
	Instructors *[]person.PartnershipID // replace all instructors
}

// List returns a page of courses. A learner sees the courses in which they are enrolled as a
// learner.
func (u *Courses) List(ctx context.Context, a Actor, q query.Query) (query.Result[course.Summary], error) {
	a, q, err := u.deps.OwnCourses(ctx, a, q, course.Schema.Attr("uuid"))
	if err != nil {
		return query.Result[course.Summary]{}, err
	}
	return u.deps.Read(a).Courses.List(ctx, q)
}

// Get returns the course ref, which is an ID or a permalink.
func (u *Courses) Get(ctx context.Context, a Actor, ref string) (course.Summary, error) {
	a, id, err := u.deps.Course(ctx, a, ref)
	if err != nil {
		return course.Summary{}, err
	}
	return u.deps.Read(a).Courses.Get(ctx, id)
}

// Find returns the ID of the course ref, which is an ID or a permalink. It does not check that a
// course with that ID exists.
func (u *Courses) Find(ctx context.Context, a Actor, ref string) (course.ID, error) {
	return usecase.CourseID(ctx, u.deps.Read(a).Courses, ref)
}

// Create adds a course. If no permalink is given, it generates an unused one from the name.
func (u *Courses) Create(ctx context.Context, a Actor, changes CourseChanges) (course.Summary, error) {
	id, token, now := course.ID{UUID: u.deps.IDs.New()}, u.deps.NewToken(), u.deps.Clock.Now()
	name, permalink := "", ""
	if changes.Name != nil {
		name = *changes.Name
	}
	if changes.Permalink != nil {
		permalink = *changes.Permalink
	}
	var made course.Summary
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		changes := changes
		if err := usecase.DefineProperties(ctx, tx.Properties, property.Courses, &changes.Properties); err != nil {
			return err
		}
		plain := permalink
		if permalink == "" {
			plain = "any" // a placeholder: addUnderFreePermalink replaces it
		}
		c, err := course.New(id, name, plain, token, now)
		_, errProperties := c.Update(course.Changes{Properties: changes.Properties}, now)
		_, errRelated := setRelated(ctx, tx, &c, changes)
		if err := fault.Join(err, errProperties); err != nil || errRelated != nil {
			return fault.Join(err, permalinkTaken(ctx, tx, permalink, id), errRelated)
		}
		if permalink != "" {
			err = tx.Courses.Add(ctx, c)
		} else {
			c, err = addUnderFreePermalink(ctx, tx, c)
		}
		if err != nil {
			return err
		}
		made, err = tx.Courses.Get(ctx, id)
		return err
	})
	return made, err
}

// permalinkTaken returns a fault if a course other than id has the permalink, and nil if the
// permalink is invalid. A use case that has already found other faults calls it to report all of
// them together.
func permalinkTaken(ctx context.Context, tx ports.Tx, permalink string, id course.ID) error {
	found, err := tx.Courses.IDsByPermalink(ctx, []string{permalink})
	if err != nil {
		return err
	}
	if holder, ok := found[permalink]; ok && holder != id {
		return fault.Taken("permalink", course.Type, holder.UUID)
	}
	return nil
}

// permalinkBatch is the number of permalinks that are looked up in one query.
const permalinkBatch = 16

// addUnderFreePermalink adds c with the first unused permalink that can be generated from its name,
// and returns the added course.
func addUnderFreePermalink(ctx context.Context, tx ports.Tx, c course.Course) (course.Course, error) {
	var asked []string
	for permalink := range course.Permalinks(c.State().Name) {
		if asked = append(asked, permalink); len(asked) < permalinkBatch {
			continue
		}
		held, err := tx.Courses.IDsByPermalink(ctx, asked)
		if err != nil {
			return course.Course{}, err
		}
		for _, permalink := range asked {
			if _, taken := held[permalink]; taken {
				continue
			}
			if _, err := c.Update(course.Changes{Permalink: &permalink}, c.State().CreatedAt); err != nil {
				return course.Course{}, err
			}
			// Another transaction may have taken the permalink since IDsByPermalink.
			if err := tx.Courses.Add(ctx, c); err == nil || !fault.Is(err, fault.Invalid) {
				return c, err
			}
		}
		asked = asked[:0]
	}
	return course.Course{}, nil // not reached: the sequence of permalinks is infinite
}

// Update changes a course and returns the updated course.
func (u *Courses) Update(ctx context.Context, a Actor, id course.ID, change CourseChanges) (course.Summary, error) {
	now := u.deps.Clock.Now()
	var after course.Summary
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		change := change
		if err := usecase.DefineProperties(ctx, tx.Properties, property.Courses, &change.Properties); err != nil {
			return err
		}
		err := u.change(ctx, tx, a, id, now, func(c *course.Course) (bool, error) {
			edited, err := c.Update(change.Changes, now)
			related, errRelated := setRelated(ctx, tx, c, change)
			if (err != nil || errRelated != nil) && change.Permalink != nil {
				err = fault.Join(err, permalinkTaken(ctx, tx, *change.Permalink, id))
			}
			return edited || related, fault.Join(err, errRelated)
		})
		if err != nil {
			return err
		}
		after, err = tx.Courses.Get(ctx, id)
		return err
	})
	return after, err
}

// change locks a course, calls edit, and saves the course if edit reports a change and no rule
// refuses it.
func (u *Courses) change(
	ctx context.Context, tx ports.Tx, a Actor, id course.ID, now time.Time, edit func(*course.Course) (bool, error),
) error {
	by, err := u.deps.Request(ctx, tx.School, a, now)
	if err != nil {
		return err
	}
	_, err = usecase.Update(ctx, tx.Courses, id, func(c *course.Course) (bool, error) {
		before := c.State()
		changed, err := edit(c)
		if err != nil || !changed {
			return false, err
		}
		effect, err := policy.Effect(admission.CheckCourseChange(ctx, u.deps.Policies.Living, tx.Courses, by, before, c.State(), false))
		return effect, usecase.AtData(err)
	})
	return err
}

// setRelated sets the categories and instructors of c if changes contains them, and reports whether
// c has changed. For IDs that do not exist, it returns faults on the relationship.
func setRelated(ctx context.Context, tx ports.Tx, c *course.Course, changes CourseChanges) (changed bool, err error) {
	var errCategories, errInstructors error
	if changes.Categories != nil {
		_, errCategories = usecase.GetAllForShare(ctx, tx.Categories, *changes.Categories)
	}
	if changes.Instructors != nil {
		_, errInstructors = usecase.GetAllForShare(ctx, tx.Partnerships, *changes.Instructors)
	}
	err = fault.Join(
		fault.InPath("relationships.categories", errCategories),
		fault.InPath("relationships.instructor_partnerships", errInstructors),
	)
	if err != nil {
		return false, err
	}
	var categoriesChanged, instructorsChanged bool
	if changes.Categories != nil {
		categoriesChanged, errCategories = c.SetCategories(slices.Clone(*changes.Categories)...)
	}
	if changes.Instructors != nil {
		instructorsChanged, errInstructors = c.SetInstructors(slices.Clone(*changes.Instructors)...)
	}
	return categoriesChanged || instructorsChanged, fault.InPath("relationships", fault.Join(errCategories, errInstructors))
}

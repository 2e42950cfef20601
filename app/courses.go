package app

import (
	"context"
	"slices"

	"lyceum/app/usecase"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

// Courses is what can be done with courses.
type Courses struct {
	deps  usecase.Deps
	queue ports.Queue
}

// CourseChange is what is told of a new course, or may be changed of one; nil
// leaves it as it is.
type CourseChange struct {
	course.Edit
	Categories  *[]category.ID          // all that it stands under
	Instructors *[]person.PartnershipID // all who instruct it
}

// List returns a page of courses.
func (u *Courses) List(ctx context.Context, a Actor, q query.Query) (query.Result[course.Summary], error) {
	return u.deps.Store.Read(a.School()).Courses.List(ctx, q)
}

// Get returns the course that ref names: its UUID or its permalink.
func (u *Courses) Get(ctx context.Context, a Actor, ref string) (course.Summary, error) {
	courses := u.deps.Store.Read(a.School()).Courses
	id, err := usecase.CourseID(ctx, courses, ref)
	if err != nil {
		return course.Summary{}, err
	}
	return courses.Get(ctx, id)
}

// Find returns the id of the course that ref names: its UUID, which is taken as
// it is, or its permalink.
func (u *Courses) Find(ctx context.Context, a Actor, ref string) (course.ID, error) {
	return usecase.CourseID(ctx, u.deps.Store.Read(a.School()).Courses, ref)
}

// Create adds a course. Without a permalink it gets one that is made of its name
// and that no other course has.
func (u *Courses) Create(ctx context.Context, a Actor, told CourseChange) (course.Summary, error) {
	id, token, now := course.ID{UUID: u.deps.IDs.New()}, u.deps.NewToken(), u.deps.Clock.Now()
	name, link := "", ""
	if told.Name != nil {
		name = *told.Name
	}
	if told.Permalink != nil {
		link = *told.Permalink
	}
	var made course.Summary
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		plain := link
		if link == "" {
			plain = "any" // the store will know which is free
		}
		c, err := course.New(id, name, plain, token, now)
		if _, errRelated := relateCourse(ctx, tx, &c, told); err != nil || errRelated != nil {
			return fault.Join(err, permalinkTaken(ctx, tx, link, id), errRelated)
		}
		if link != "" {
			err = tx.Courses.Add(ctx, c)
		} else {
			c, err = addUnderFreePermalink(ctx, tx, c)
		}
		made = course.Summary{State: c.State()}
		return err
	})
	return made, err
}

// permalinkTaken returns the fault that another course than id has the permalink, so
// that a response with other faults names it too; nil for a permalink that is none.
func permalinkTaken(ctx context.Context, tx ports.Tx, link string, id course.ID) error {
	found, err := tx.Courses.ByPermalinks(ctx, []string{link})
	if err != nil {
		return err
	}
	if holder, ok := found[link]; ok && holder != id {
		return fault.Taken("permalink", course.Type, holder.UUID)
	}
	return nil
}

// permalinksAsked is how many permalinks the store is asked about at once.
const permalinksAsked = 16

// addUnderFreePermalink adds c under the first permalink made of its name that is
// free, and returns it as it is then.
func addUnderFreePermalink(ctx context.Context, tx ports.Tx, c course.Course) (course.Course, error) {
	var asked []string
	for link := range course.Permalinks(c.State().Name) {
		if asked = append(asked, link); len(asked) < permalinksAsked {
			continue
		}
		held, err := tx.Courses.ByPermalinks(ctx, asked)
		if err != nil {
			return course.Course{}, err
		}
		for _, link := range asked {
			if _, taken := held[link]; taken {
				continue
			}
			if _, err := c.Edit(course.Edit{Permalink: &link}, c.State().CreatedAt); err != nil {
				return course.Course{}, err
			}
			// Another may have taken it meanwhile.
			if err := tx.Courses.Add(ctx, c); err == nil || !fault.Is(err, fault.Invalid) {
				return c, err
			}
		}
		asked = asked[:0]
	}
	return course.Course{}, nil // there is no end of permalinks
}

// Update changes a course and returns it as it is then.
func (u *Courses) Update(ctx context.Context, a Actor, id course.ID, change CourseChange) (course.Summary, error) {
	now := u.deps.Clock.Now()
	var after course.Summary
	err := u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		c, err := tx.Courses.Find(ctx, id)
		if err != nil {
			return err
		}
		edited, err := c.Edit(change.Edit, now)
		related, errRelated := relateCourse(ctx, tx, &c, change)
		if err != nil || errRelated != nil {
			if change.Permalink != nil {
				err = fault.Join(err, permalinkTaken(ctx, tx, *change.Permalink, id))
			}
			return fault.Join(err, errRelated)
		}
		if edited || related {
			if err := tx.Courses.Save(ctx, c); err != nil {
				return err
			}
		}
		after, err = tx.Courses.Get(ctx, id)
		return err
	})
	return after, err
}

// relateCourse puts c under the categories and gives it the instructors that are
// told, if any are, and tells whether that is a change. Those that the school has
// not are faults, each at its place.
func relateCourse(ctx context.Context, tx ports.Tx, c *course.Course, told CourseChange) (changed bool, err error) {
	var errCategories, errInstructors error
	if told.Categories != nil {
		_, errCategories = usecase.LoadCategories(ctx, tx, *told.Categories)
	}
	if told.Instructors != nil {
		_, errInstructors = usecase.LoadPartnerships(ctx, tx, *told.Instructors)
	}
	err = fault.Join(
		fault.Within("relationships.categories", errCategories),
		fault.Within("relationships.instructor_partnerships", errInstructors),
	)
	if err != nil {
		return false, err
	}
	var filed, staffed bool
	if told.Categories != nil {
		filed, errCategories = c.File(slices.Clone(*told.Categories)...)
	}
	if told.Instructors != nil {
		staffed, errInstructors = c.Staff(slices.Clone(*told.Instructors)...)
	}
	return filed || staffed, fault.Within("relationships", fault.Join(errCategories, errInstructors))
}

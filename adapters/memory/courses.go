package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/ports"
)

var (
	_ ports.CourseReader = courseReader{}
	_ ports.CourseRepo   = courses{}
)

var courseKind = ordered.Kind[course.Summary]{
	Name:   course.Type,
	Schema: course.Schema,
	ID:     func(c *course.Summary) uuid.UUID { return c.ID.UUID },
	Clone:  cloneCourse,
	Unique: []ordered.Unique[course.Summary]{byPermalink},
}

// byPermalink is the unique key of courses. Permalinks are already normalized.
var byPermalink = ordered.Unique[course.Summary]{
	Field: "permalink",
	Text:  func(c *course.Summary) string { return c.Permalink },
	Key:   func(permalink string) string { return permalink },
}

func cloneCourse(c course.Summary) course.Summary {
	c.Categories, c.Instructors = slices.Clone(c.Categories), slices.Clone(c.Instructors)
	return c
}

var courseEntity = entity[course.ID, course.Summary, course.Course]{
	table:   func(s *state) *versioned[*ordered.Table[course.Summary]] { return &s.courses },
	restore: func(c course.Summary) course.Course { return course.Restore(c.State) },
	write: func(row *course.Summary, c course.Course) {
		row.State = c.State()
		row.Categories, row.Instructors = slices.Clone(row.Categories), slices.Clone(row.Instructors)
		ordered.SortIDs(row.Categories)
		ordered.SortIDs(row.Instructors)
	},
	properties: &rowProperties[course.Summary]{property.Courses, func(row *course.Summary) (*property.Values, *[]string) {
		return &row.Properties, &row.Defined
	}},
}

type courseReader struct {
	tableReader[course.ID, course.Summary]
}

// IDByPermalink implements ports.CourseReader.
func (r courseReader) IDByPermalink(ctx context.Context, permalink string) (course.ID, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return course.ID{}, err
	}
	c, ok := s.courses.table.Holder("permalink", permalink)
	if !ok {
		return course.ID{}, fault.RecordNotFound()
	}
	return c.Row.ID, nil
}

type courses struct {
	entityRepo[course.ID, course.Summary, course.Course]
}

// IDByPermalink implements ports.CourseRepo.
func (r courses) IDByPermalink(ctx context.Context, permalink string) (course.ID, error) {
	return courseReader{r.tableReader}.IDByPermalink(ctx, permalink)
}

// IDsByPermalink implements ports.CourseRepo.
func (r courses) IDsByPermalink(ctx context.Context, permalinks []string) (map[string]course.ID, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	return ordered.Holders(s.courses.table, "permalink", permalinks, func(c course.Summary) course.ID { return c.ID }), nil
}

// Add implements ports.CourseRepo.
func (r courses) Add(ctx context.Context, c course.Course) error {
	if err := r.check(ctx, c.State()); err != nil {
		return err
	}
	return r.entityRepo.Add(ctx, c)
}

// Save implements ports.CourseRepo.
func (r courses) Save(ctx context.Context, c course.Course) error {
	if err := r.check(ctx, c.State()); err != nil {
		return err
	}
	return r.entityRepo.Save(ctx, c)
}

// check returns an error if a category or instructor of c does not exist.
func (r courses) check(ctx context.Context, c course.State) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	for _, id := range c.Categories {
		if !s.categories.table.Has(id.UUID) {
			return fmt.Errorf("memory: the course %s references the unknown category %s", c.ID, id)
		}
	}
	for _, id := range c.Instructors {
		if !s.partnerships.table.Has(id.UUID) {
			return fmt.Errorf("memory: the course %s references the unknown partnership %s", c.ID, id)
		}
	}
	return nil
}

// coursesWith returns the courses whose list contains id. list returns a pointer to a list of a
// course, such as its categories.
func coursesWith[K comparable](s *state, id K, list func(*course.Summary) *[]K) []course.ID {
	var found []course.ID
	for c := range s.courses.table.ByID.From(0) {
		if slices.Contains(*list(&c.Row), id) {
			found = append(found, c.Row.ID)
		}
	}
	return found
}

// detachFromCourses removes id from the list of every course.
func detachFromCourses[K comparable](s *state, id K, list func(*course.Summary) *[]K) error {
	for _, c := range coursesWith(s, id, list) {
		err := s.courses.writable(s.version).Update(c.UUID, func(row *course.Summary) {
			ids := list(row)
			*ids = without(*ids, id)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// without returns a copy of ids without id.
func without[K comparable](ids []K, id K) []K {
	return slices.DeleteFunc(slices.Clone(ids), func(other K) bool { return other == id })
}

// DetachCategory implements ports.CourseRepo.
func (r courses) DetachCategory(ctx context.Context, id category.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	return detachFromCourses(s, id, categoriesOf)
}

// DetachInstructor implements ports.CourseRepo.
func (r courses) DetachInstructor(ctx context.Context, id person.PartnershipID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	return detachFromCourses(s, id, instructorsOf)
}

func categoriesOf(c *course.Summary) *[]category.ID { return &c.Categories }

func instructorsOf(c *course.Summary) *[]person.PartnershipID { return &c.Instructors }

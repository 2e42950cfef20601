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
	"lyceum/domain/query"
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

// byPermalink takes permalinks as they are: they have one spelling.
var byPermalink = ordered.Unique[course.Summary]{
	Field: "permalink",
	Text:  func(c *course.Summary) string { return c.Permalink },
	Key:   func(permalink string) string { return permalink },
}

func cloneCourse(c course.Summary) course.Summary {
	c.Categories, c.Instructors = slices.Clone(c.Categories), slices.Clone(c.Instructors)
	return c
}

type courseReader struct{ view view }

func (r courseReader) List(ctx context.Context, q query.Query) (query.Result[course.Summary], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[course.Summary]{}, err
	}
	return s.courses.table.List(ctx, q)
}

func (r courseReader) Get(ctx context.Context, id course.ID) (course.Summary, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return course.Summary{}, err
	}
	return s.courses.table.Get(id.UUID)
}

func (r courseReader) ByPermalink(ctx context.Context, permalink string) (course.ID, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return course.ID{}, err
	}
	c, ok := s.courses.table.Holder("permalink", permalink)
	if !ok {
		return course.ID{}, fault.Missing()
	}
	return c.Row.ID, nil
}

type courses struct {
	courseReader
	tx *tx
}

func (r courses) Find(ctx context.Context, id course.ID) (course.Course, error) {
	c, err := r.Get(ctx, id)
	return course.Restore(c.State), err
}

func (r courses) Load(ctx context.Context, ids []course.ID) (map[course.ID]course.Course, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	return ordered.GetMany(s.courses.table, ids, func(c course.Summary) course.Course { return course.Restore(c.State) }), nil
}

func (r courses) ByPermalinks(ctx context.Context, permalinks []string) (map[string]course.ID, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	found := make(map[string]course.ID, len(permalinks))
	for _, permalink := range permalinks {
		if c, ok := s.courses.table.Holder("permalink", permalink); ok {
			found[permalink] = c.Row.ID
		}
	}
	return found, nil
}

func (r courses) Add(ctx context.Context, c course.Course) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	row, err := s.courseToKeep(c)
	if err != nil {
		return err
	}
	return s.courses.own(s.version).Insert(course.Summary{State: row})
}

func (r courses) Save(ctx context.Context, c course.Course) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	next, err := s.courseToKeep(c)
	if err != nil {
		return err
	}
	return s.courses.own(s.version).Update(next.ID.UUID, func(row *course.Summary) { row.State = next })
}

// courseToKeep returns a copy of the record of a course, whose categories and
// instructors must exist.
func (s *state) courseToKeep(c course.Course) (course.State, error) {
	row := cloneCourse(course.Summary{State: c.State()}).State
	for _, id := range row.Categories {
		if !s.categories.table.Has(id.UUID) {
			return row, fmt.Errorf("memory: the course %s names the unknown category %s", row.ID, id)
		}
	}
	for _, id := range row.Instructors {
		if !s.partnerships.table.Has(id.UUID) {
			return row, fmt.Errorf("memory: the course %s names the unknown partnership %s", row.ID, id)
		}
	}
	slices.SortFunc(row.Categories, func(a, b category.ID) int { return ordered.CompareIDs(a.UUID, b.UUID) })
	slices.SortFunc(row.Instructors, func(a, b person.PartnershipID) int { return ordered.CompareIDs(a.UUID, b.UUID) })
	return row, nil
}

func (r courses) DetachCategory(ctx context.Context, id category.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	filed := slices.Collect(ordered.Filter(s.courses.table.ByID.From(0), under(id)))
	for _, c := range filed {
		err := s.courses.own(s.version).Update(c.Row.ID.UUID, func(row *course.Summary) {
			row.Categories = slices.DeleteFunc(slices.Clone(row.Categories), func(other category.ID) bool { return other == id })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

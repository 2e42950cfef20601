package usecase

import (
	"context"

	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/text"
	"lyceum/ports"
)

// CourseID returns the id of the course that ref, a UUID or a permalink, names.
// A UUID is taken as it is.
func CourseID(ctx context.Context, courses ports.CourseReader, ref string) (course.ID, error) {
	if id, ok := text.UUID(ref); ok {
		return course.ID{UUID: id}, nil
	}
	return courses.ByPermalink(ctx, ref)
}

// LoadCourses returns the courses ids, or a fault for each that the school has
// not.
func LoadCourses(ctx context.Context, tx ports.Tx, ids []course.ID) (map[course.ID]course.Course, error) {
	found, err := tx.Courses.Load(ctx, ids)
	return Complete(found, err, ids)
}

// LoadCategories is LoadCourses for categories.
func LoadCategories(ctx context.Context, tx ports.Tx, ids []category.ID) (map[category.ID]category.Category, error) {
	found, err := tx.Categories.Load(ctx, ids)
	return Complete(found, err, ids)
}

// LoadPartnerships is LoadCourses for partnerships.
func LoadPartnerships(
	ctx context.Context, tx ports.Tx, ids []person.PartnershipID,
) (map[person.PartnershipID]person.Partnership, error) {
	found, err := tx.Partnerships.Load(ctx, ids)
	return Complete(found, err, ids)
}

// LoadPeople is LoadCourses for people.
func LoadPeople(ctx context.Context, tx ports.Tx, ids []person.ID) (map[person.ID]person.Person, error) {
	found, err := tx.People.Load(ctx, ids)
	return Complete(found, err, ids)
}

// Complete returns found, or a fault at the row of each of ids that is not in it.
func Complete[K comparable, V any](found map[K]V, err error, ids []K) (map[K]V, error) {
	if err != nil {
		return nil, err
	}
	var missing []error
	for i, id := range ids {
		if _, ok := found[id]; !ok {
			missing = append(missing, fault.MissingRow(i))
		}
	}
	return found, fault.Join(missing...)
}

package app

import (
	"context"

	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/ports"
)

// loadCourses returns the courses ids, or a fault for each that the school has
// not.
func loadCourses(ctx context.Context, tx ports.Tx, ids []course.ID) (map[course.ID]course.Course, error) {
	found, err := tx.Courses.Load(ctx, ids)
	return complete(found, err, ids)
}

// loadCategories is loadCourses for categories.
func loadCategories(ctx context.Context, tx ports.Tx, ids []category.ID) (map[category.ID]category.Category, error) {
	found, err := tx.Categories.Load(ctx, ids)
	return complete(found, err, ids)
}

// loadPartnerships is loadCourses for partnerships.
func loadPartnerships(
	ctx context.Context, tx ports.Tx, ids []person.PartnershipID,
) (map[person.PartnershipID]person.Partnership, error) {
	found, err := tx.Partnerships.Load(ctx, ids)
	return complete(found, err, ids)
}

// loadPeople is loadCourses for people.
func loadPeople(ctx context.Context, tx ports.Tx, ids []person.ID) (map[person.ID]person.Person, error) {
	found, err := tx.People.Load(ctx, ids)
	return complete(found, err, ids)
}

// complete returns found, or a fault at the row of each of ids that is not in it.
func complete[K comparable, V any](found map[K]V, err error, ids []K) (map[K]V, error) {
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

package usecase

import (
	"context"

	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/text"
	"lyceum/ports"
)

// CourseID returns the ID of the course ref, which is an ID or a permalink. It does not check that
// an ID exists.
func CourseID(ctx context.Context, courses ports.CourseReader, ref string) (course.ID, error) {
	if id, ok := text.UUID(ref); ok {
		return course.ID{UUID: id}, nil
	}
	return courses.IDByPermalink(ctx, ref)
}

type sharer[ID comparable, T any] interface {
	GetManyForShare(ctx context.Context, ids []ID) (map[ID]T, error)
}

// GetAllForShare locks the records ids for share and returns them. For each missing record it
// returns a fault with its index in ids.
func GetAllForShare[ID comparable, T any](ctx context.Context, repo sharer[ID, T], ids []ID) (map[ID]T, error) {
	found, err := repo.GetManyForShare(ctx, ids)
	if err != nil {
		return nil, err
	}
	return found, CheckAll(found, ids)
}

// CheckAll returns a fault, with the index in ids, for each ID that is not in found.
func CheckAll[ID comparable, T any](found map[ID]T, ids []ID) error {
	var missing []error
	for i, id := range ids {
		if _, ok := found[id]; !ok {
			missing = append(missing, fault.RecordNotFoundAt(i))
		}
	}
	return fault.Join(missing...)
}

package usecase

import (
	"context"

	"lyceum/domain/fault"
	"lyceum/domain/school"
)

// SetFreeSlug sets the slug of a new school to the wanted one if it is not blank and no school has
// it, and otherwise to the first one of its name that no school has.
func (d Deps) SetFreeSlug(ctx context.Context, s *school.School, wanted string) error {
	if wanted != "" {
		switch _, err := d.Schools.BySlug(ctx, wanted); {
		case fault.Is(err, fault.NotFound):
			return nil // New or Update has set it
		case err != nil:
			return err
		}
	}
	for slug := range school.Slugs(s.State().Name) {
		_, err := d.Schools.BySlug(ctx, slug)
		if err == nil {
			continue
		}
		if !fault.Is(err, fault.NotFound) {
			return err
		}
		_, err = s.Update(school.Changes{Slug: &slug}, s.State().UpdatedAt)
		return err
	}
	return nil // not reached: the sequence of slugs is infinite
}

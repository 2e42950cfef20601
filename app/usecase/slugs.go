package usecase

import (
	"context"

	"lyceum/domain/fault"
	"lyceum/domain/school"
)

// SetFreeSlug gives a new school a slug that no other school has. It keeps the wanted slug, which
// the caller has already set, if it is not blank and unused. Otherwise it sets the first unused
// slug that can be generated from the school's name.
func (d Deps) SetFreeSlug(ctx context.Context, s *school.School, wanted string) error {
	if wanted != "" {
		switch _, err := d.Schools.BySlug(ctx, wanted); {
		case fault.Is(err, fault.NotFound):
			return nil // the school already has this slug
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

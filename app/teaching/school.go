package teaching

import (
	"context"
	"slices"
	"time"

	"lyceum/app/jobs"
	"lyceum/app/usecase"
	"lyceum/domain/bulk"
	"lyceum/domain/coupon"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/domain/redemption"
	"lyceum/domain/school"
	"lyceum/domain/signin"
)

// Coupons returns a page of coupons.
func (t *Teaching) Coupons(ctx context.Context, s Staff, q query.Query) (query.Result[coupon.State], error) {
	a, err := s.manager()
	if err != nil {
		return query.Result[coupon.State]{}, err
	}
	return t.app.Coupons.List(ctx, a, q)
}

// Coupon returns a coupon.
func (t *Teaching) Coupon(ctx context.Context, s Staff, id coupon.ID) (coupon.State, error) {
	a, err := s.manager()
	if err != nil {
		return coupon.State{}, err
	}
	return t.app.Coupons.Get(ctx, a, id)
}

// CheckRedeemable returns nil if the coupon can be used now, and otherwise why it cannot.
func (t *Teaching) CheckRedeemable(c coupon.State) error { return t.app.Coupons.CheckRedeemable(c) }

// Redemptions returns a page of the redemptions of a coupon.
func (t *Teaching) Redemptions(ctx context.Context, s Staff, id coupon.ID, q query.Query) (query.Result[redemption.Summary], error) {
	a, err := s.manager()
	if err != nil {
		return query.Result[redemption.Summary]{}, err
	}
	found, err := t.app.Redemptions.ListOf(ctx, a, id, q)
	if err == nil {
		err = t.nameRedemptions(ctx, s, found.Items)
	}
	return found, err
}

// CreateCoupon adds a coupon.
func (t *Teaching) CreateCoupon(ctx context.Context, s Staff, p coupon.Params) (coupon.State, error) {
	a, err := s.manager()
	if err != nil {
		return coupon.State{}, err
	}
	return t.app.Coupons.Create(ctx, a, p)
}

// EnableCoupon makes a coupon redeemable, or prevents further redemptions.
func (t *Teaching) EnableCoupon(ctx context.Context, s Staff, id coupon.ID, enabled bool) error {
	a, err := s.manager()
	if err != nil {
		return err
	}
	if enabled {
		return t.app.Coupons.Activate(ctx, a, id)
	}
	return t.app.Coupons.Deactivate(ctx, a, id)
}

// DeleteCoupon deletes a coupon and its redemptions.
func (t *Teaching) DeleteCoupon(ctx context.Context, s Staff, id coupon.ID) error {
	a, err := s.manager()
	if err != nil {
		return err
	}
	return t.app.Coupons.Delete(ctx, a, id)
}

// School returns the school with its settings.
func (t *Teaching) School(ctx context.Context, s Staff) (school.Summary, error) {
	a, err := s.owner()
	if err != nil {
		return school.Summary{}, err
	}
	return t.app.School.Get(ctx, a)
}

// UpdateSchool changes the settings of the school.
func (t *Teaching) UpdateSchool(ctx context.Context, s Staff, e school.Changes) (school.Summary, error) {
	a, err := s.owner()
	if err != nil {
		return school.Summary{}, err
	}
	return t.app.School.Update(ctx, a, e)
}

// Properties returns a page of the definitions of properties.
func (t *Teaching) Properties(ctx context.Context, s Staff, q query.Query) (query.Result[property.State], error) {
	a, err := s.owner()
	if err != nil {
		return query.Result[property.State]{}, err
	}
	return t.app.Properties.List(ctx, a, q)
}

// DefinedProperties returns all properties that the school has defined for a resource.
func (t *Teaching) DefinedProperties(ctx context.Context, s Staff, r property.Resource) ([]property.State, error) {
	return t.app.Properties.Defined(ctx, s.actor.PermitStaff(), r)
}

// Keys returns a page of the API keys, including revoked and expired ones.
func (t *Teaching) Keys(ctx context.Context, s Staff, q query.Query) (query.Result[school.Key], error) {
	a, err := s.owner()
	if err != nil {
		return query.Result[school.Key]{}, err
	}
	return t.app.Keys.List(ctx, a, q)
}

// Key returns the API key with the given ID.
func (t *Teaching) Key(ctx context.Context, s Staff, id school.KeyID) (school.Key, error) {
	a, err := s.owner()
	if err != nil {
		return school.Key{}, err
	}
	return t.app.Keys.Get(ctx, a, id)
}

// CreateKey adds an API key and returns it with its secret. It returns Conflict if the form was
// processed before.
func (t *Teaching) CreateKey(ctx context.Context, s Staff, f Form, p school.KeyParams) (made school.Key, secret string, err error) {
	a, err := s.owner()
	if err != nil {
		return school.Key{}, "", err
	}
	err = t.onlyOnce(ctx, a, f, func(ctx context.Context, a usecase.Actor) (err error) {
		made, secret, err = t.app.Keys.Create(ctx, a, p)
		return err
	})
	return made, secret, err
}

// RotateKey replaces an API key and returns the new one with its secret. It returns Conflict if the
// form was processed before.
func (t *Teaching) RotateKey(
	ctx context.Context, s Staff, f Form, id school.KeyID, overlap time.Duration,
) (made school.Key, secret string, err error) {
	a, err := s.owner()
	if err != nil {
		return school.Key{}, "", err
	}
	err = t.onlyOnce(ctx, a, f, func(ctx context.Context, a usecase.Actor) (err error) {
		made, secret, err = t.app.Keys.Rotate(ctx, a, id, overlap)
		return err
	})
	return made, secret, err
}

// RevokeKey revokes an API key.
func (t *Teaching) RevokeKey(ctx context.Context, s Staff, id school.KeyID) error {
	a, err := s.owner()
	if err != nil {
		return err
	}
	return t.app.Keys.Revoke(ctx, a, id)
}

// MaxFailedJobs is the maximum number of failed jobs that are shown.
const MaxFailedJobs = 100

// shownJobs contains the kinds whose failed jobs are shown.
var shownJobs = []job.Kind{invitation.Kind, signin.Kind, bulk.JobKind, jobs.FileCleanupKind, jobs.CourseRemovalKind}

// FailedJobs returns the jobs of the school that have failed too often, at most MaxFailedJobs, the
// latest first.
func (t *Teaching) FailedJobs(ctx context.Context, s Staff) ([]job.Job, error) {
	a, err := s.manager()
	if err != nil {
		return nil, err
	}
	return t.app.Jobs.Dead(ctx, a.School(), shownJobs, MaxFailedJobs)
}

// RetryJob makes one of the FailedJobs run again.
func (t *Teaching) RetryJob(ctx context.Context, s Staff, id job.ID) error {
	failed, err := t.FailedJobs(ctx, s)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(failed, func(j job.Job) bool { return j.ID == id })
	if i < 0 {
		return fault.RecordNotFound()
	}
	return t.app.Jobs.Retry(ctx, failed[i].Kind, id)
}

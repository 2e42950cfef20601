package app

import (
	"context"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/change"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/membership"
	"lyceum/domain/query"
	"lyceum/domain/redemption"
)

// ChangeRetention is how long changes are kept if the operator configures no other time.
const ChangeRetention = 90 * 24 * time.Hour

// Changes reads the change feed.
type Changes struct {
	deps      usecase.Deps
	retention time.Duration
}

// KeepFor sets how long changes are kept; 0: forever. It must be called before Sweep.
func (u *Changes) KeepFor(d time.Duration) { u.retention = d }

// List returns a page of the feed, oldest first unless q has a sort. It returns Gone if q continues
// after a position that is no longer in the feed.
func (u *Changes) List(ctx context.Context, a Actor, q query.Query) (query.Result[change.Change], error) {
	page, err := u.deps.Read(a).Changes.Page(ctx, q)
	if err != nil || q.Cursor == nil {
		return page, err
	}
	feed, err := u.Feed(ctx, a)
	if err != nil {
		return page, err
	}
	for i, o := range q.Cursor.Keys {
		if o.Attr.Source == "uuid" && !feed.Holds(q.Cursor.Values[i].Int) {
			return page, ErrFeedGone("is older than the changes that are kept")
		}
	}
	return page, nil
}

// ErrFeedGone returns the fault for a cursor that cannot be continued for the given reason.
func ErrFeedGone(reason string) error {
	return fault.Gonef("The cursor %s. Start from a new export, then follow the change feed from its position", reason)
}

// Feed returns the state of the feed.
func (u *Changes) Feed(ctx context.Context, a Actor) (change.Feed, error) {
	return u.deps.Read(a).Changes.Feed(ctx)
}

// Last returns the position of the last readable change; 0: none.
func (u *Changes) Last(ctx context.Context, a Actor) (int64, error) {
	page, err := u.deps.Read(a).Changes.Page(ctx, query.Query{
		Sort: []query.Order{{Attr: change.Schema.Attr("uuid"), Desc: true}}, Page: query.NewPage(1, 1),
	})
	if err != nil || len(page.Items) == 0 {
		return 0, err
	}
	return page.Items[0].Position, nil
}

// Redemptions returns a page of the redemptions of all coupons.
func (u *Changes) Redemptions(ctx context.Context, a Actor, q query.Query) (query.Result[redemption.Summary], error) {
	return u.deps.Read(a).Redemptions.List(ctx, q)
}

// Enrollments returns a page of the enrollments in all courses.
func (u *Changes) Enrollments(ctx context.Context, a Actor, q query.Query) (query.Result[enrollment.Summary], error) {
	return u.deps.Read(a).Enrollments.List(ctx, q)
}

// Memberships returns a page of the memberships of all groups.
func (u *Changes) Memberships(ctx context.Context, a Actor, q query.Query) (query.Result[membership.Membership], error) {
	return u.deps.Read(a).Memberships.List(ctx, q)
}

// Sweep removes the expired changes of all schools from their feeds. There are never more.
func (u *Changes) Sweep(ctx context.Context) (more bool, err error) {
	if u.retention == 0 {
		return false, nil
	}
	return false, u.deps.Schools.ExpireChanges(ctx, u.deps.Clock.Now().Add(-u.retention))
}

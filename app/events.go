package app

import (
	"context"

	"lyceum/domain/event"
	"lyceum/domain/query"
)

// Events is the feed.
type Events struct{ deps }

// List returns a page of the feed, oldest first unless q sorts otherwise.
func (u *Events) List(ctx context.Context, a Actor, q query.Query) (query.Result[event.Event], error) {
	return u.store.Read(a.school).Events.List(ctx, q)
}

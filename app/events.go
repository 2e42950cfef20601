package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/event"
	"lyceum/domain/query"
)

// Events lists the event feed.
type Events struct{ deps usecase.Deps }

// List returns a page of the feed, oldest first unless q has a sort.
func (u *Events) List(ctx context.Context, a Actor, q query.Query) (query.Result[event.Event], error) {
	return u.deps.Store.Read(a.School()).Events.List(ctx, q)
}

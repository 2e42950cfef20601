package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/event"
	"lyceum/domain/query"
)

// Events lists the event feed.
type Events struct{ deps usecase.Deps }

// List returns a page of the feed, oldest first unless q has a sort. A learner sees only their own
// events.
func (u *Events) List(ctx context.Context, a Actor, q query.Query) (query.Result[event.Event], error) {
	a, q = a.Own(q, event.Schema.Attr("person.id"))
	return u.deps.Read(a).Events.List(ctx, q)
}

package httpapi

import (
	"context"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/query"
)

// list returns the handler of a list.
func list[T any](s *server, l lists.Listing[T]) handler { return lists.Handler(s.lists, l) }

// newLists returns what the handlers of lists share.
func (s *server) newLists() *lists.Server {
	return &lists.Server{
		Responder: s.Responder, Base: s.links.Base, Waits: s.waits,
		ListPace: limits.NewPace(s.cfg.ListPause, s.cfg.ListRate), ExportPace: limits.NewPace(s.cfg.ExportPause, s.cfg.ExportRate),
		Defined: s.app.Properties.Defined, Exported: s.app.Audit.Exported, Reauthenticate: s.middleware.Reauthenticate,
		Relationships: relatedTypes, Records: recordTypes, Related: s.newRelated(),
	}
}

// listByRef is like listOf, but the path may contain a reference other than an ID, such as a
// permalink. find resolves the reference.
func listByRef[T any](
	s *server,
	find func(ctx context.Context, a app.Actor, ref string, q query.Query) (query.Result[T], error),
	l lists.Listing[T],
) handler {
	return func(c *gin.Context, a app.Actor) error {
		ref, l := c.Param("id"), l
		l.List = func(ctx context.Context, a app.Actor, q query.Query) (query.Result[T], error) {
			return find(ctx, a, ref, q)
		}
		return list(s, l)(c, a)
	}
}

// listOf returns the handler of the list of the records that belong to the record in the path. It
// calls find instead of l.List.
func listOf[ID request.RecordID, T any](
	s *server,
	find func(ctx context.Context, a app.Actor, id ID, q query.Query) (query.Result[T], error),
	l lists.Listing[T],
) handler {
	return func(c *gin.Context, a app.Actor) error {
		id, err := pathID(c)
		if err != nil {
			return err
		}
		l := l
		l.List = func(ctx context.Context, a app.Actor, q query.Query) (query.Result[T], error) {
			return find(ctx, a, ID{id}, q)
		}
		return list(s, l)(c, a)
	}
}

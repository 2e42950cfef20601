package httpapi

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/school"
)

// removedMeta contains the number of records of each type that a deletion with force=true affected.
type removedMeta struct {
	Removed map[string]int64 `json:"removed"`
}

// forcibleHandler returns the handler that deletes the record in the path, whose type is typ, by
// del. With force=true it calls deleteAll instead, which also changes other records, and responds
// with the number of records of each type; that needs the scope admin.
func forcibleHandler[ID request.RecordID](
	s *server, typ string,
	del func(ctx context.Context, a app.Actor, id ID) error,
	deleteAll func(ctx context.Context, a app.Actor, id ID) (map[string]int64, error),
) handler {
	return func(c *gin.Context, a app.Actor) error {
		force, err := isForced(respond.StateOf(c).Query)
		if err != nil {
			return err
		}
		if !force {
			return deleteHandler(s, del, typ)(c, a)
		}
		if err := a.Require(school.Admin); err != nil {
			return err
		}
		id, err := pathID(c)
		if err != nil {
			return err
		}
		if err := s.checkDeletion(c, id, typ); err != nil {
			return err
		}
		s.ExtendWriteDeadline(c)
		removed, err := deleteAll(c.Request.Context(), a, ID{id})
		if err != nil {
			return err
		}
		return s.Write(c, http.StatusOK, jsonapi.Note{Meta: removedMeta{Removed: removed}})
	}
}

// isForced reports whether a query has force=true. Values other than true and false are Malformed.
func isForced(query []respond.Parameter) (force bool, err error) {
	for _, p := range query {
		if p.Name != "force" {
			continue
		}
		switch {
		case p.Broken || p.Value != "true" && p.Value != "false":
			return false, fault.Malformedf(p.Name, "must be true or false")
		case p.Value == "true":
			force = true
		}
	}
	return force, nil
}

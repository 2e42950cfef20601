package httpapi

import (
	"strconv"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
)

// acceptBulk returns the handler of requests whose rows are about kind, in the
// attribute of that name. Their type may be any.
func (s *server) acceptBulk(kind bulk.Kind) handler {
	return func(c *gin.Context, a app.Actor) error {
		d, err := s.readNew(c)
		if err != nil {
			return err
		}
		rows := bulkRows(d, kind)
		made, err := try(d.Faults, a, func(a app.Actor) (bulk.Job, error) {
			return s.app.Bulk.Accept(c.Request.Context(), a, kind, rows)
		})
		if err != nil {
			return err
		}
		return s.Accepted(c, s.links.bulkJob(s.version, made.ID.UUID), s.bulkJob(a, made))
	}
}

type bulkJobAttributes struct {
	Status      string          `json:"status"`
	RowsTotal   int             `json:"rows_total"`
	RowsDone    int             `json:"rows_done"`
	RowsFailed  int             `json:"rows_failed"`
	CreatedAt   string          `json:"created_at"`
	CompletedAt *string         `json:"completed_at"`
	Errors      []jsonapi.Error `json:"errors"`
}

type bulkJobLinks struct {
	Self string `json:"self"`
}

func (s *server) bulkJob(_ app.Actor, j bulk.Job) jsonapi.Resource {
	errs := make([]jsonapi.Error, len(j.Errors))
	for i, e := range j.Errors {
		errs[i] = rowError(j.Kind, e)
	}
	return jsonapi.Resource{
		Type: bulk.Type,
		ID:   j.ID.String(),
		Attributes: bulkJobAttributes{
			Status:      string(j.Status()),
			RowsTotal:   j.RowsTotal,
			RowsDone:    j.RowsDone,
			RowsFailed:  j.RowsFailed,
			CreatedAt:   timestamp(j.CreatedAt),
			CompletedAt: optionalTimestamp(j.CompletedAt),
			Errors:      errs,
		},
		Links: bulkJobLinks{Self: s.links.bulkJob(s.version, j.ID.UUID)},
	}
}

// rowError is a failure of a row as the request's own answer would have told it.
// A field is a path already, of names that need no escape.
func rowError(kind bulk.Kind, e bulk.RowError) jsonapi.Error {
	told := respond.NewError(respond.StatusOf(e.Kind), e.Detail)
	told.Source.Pointer = request.Pointer(&fault.Fault{Field: kind.String()}) + "/" + strconv.Itoa(e.Row)
	if e.Field != "" {
		told.Source.Pointer += "/" + e.Field
	}
	return told
}

package httpapi

import (
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/documents"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/property"
)

// acceptBulk returns the handler of bulk requests of kind, whose rows are in the attribute named
// after the kind. The document may have any type.
func (s *server) acceptBulk(kind bulk.Kind) handler {
	return func(c *gin.Context, a app.Actor) error {
		if err := s.app.Bulk.CheckBacklog(c.Request.Context(), a); err != nil {
			return err
		}
		d, err := s.readNew(c)
		if err != nil {
			return err
		}
		rows := documents.BulkRows(d, kind)
		made, err := collectFaults(d.Faults, a, func(a app.Actor) (bulk.Job, error) {
			return s.app.Bulk.Accept(c.Request.Context(), a, kind, rows)
		})
		if err != nil {
			return err
		}
		return s.WriteAccepted(c, s.links.bulkJob(s.version, made.ID.UUID), s.bulkJob(a, made))
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
		Links: selfLink{Self: s.links.bulkJob(s.version, j.ID.UUID)},
	}
}

// rowError returns the JSON:API error for a faulty row, with a pointer into the bulk document.
// e.Field is a property, a path whose names need no escaping, or empty for the whole row.
func rowError(kind bulk.Kind, e bulk.RowError) jsonapi.Error {
	rowErr := respond.NewError(respond.StatusOf(e.Kind), e.Detail)
	row := kind.String() + "[" + strconv.Itoa(e.Row) + "]"
	switch {
	case strings.HasPrefix(e.Field, property.Field+"."):
		rowErr.Source.Pointer = request.Pointer(&fault.Fault{Field: row + "." + e.Field})
	case e.Field != "":
		rowErr.Source.Pointer = request.Pointer(&fault.Fault{Field: row}) + "/" + e.Field
	default:
		rowErr.Source.Pointer = request.Pointer(&fault.Fault{Field: row})
	}
	return rowErr
}

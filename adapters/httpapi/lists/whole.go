package lists

import (
	"encoding/csv"
	"path"
	"time"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/listquery"
	"lyceum/adapters/httpapi/respond"
	"lyceum/adapters/limiter"
	"lyceum/app"
	"lyceum/domain/query"
)

// streamList streams all rows of a list as CSV, page by page. It counts as one of the school's
// exports. Like a client that follows links.next, it returns each row that exists during the whole
// stream exactly once.
func streamList[T any](c *gin.Context, s *Server, a app.Actor, l Listing[T], q query.Query, sel Selection) error {
	headers := map[string]string{
		"Content-Type":        respond.MediaCSV,
		"Content-Disposition": "attachment; filename=" + path.Base(c.FullPath()) + ".csv",
		"Cache-Control":       respond.NoCache,
	}
	if err := s.Exported(c.Request.Context(), a, l.sample(a).Type); err != nil {
		return err
	}
	return s.Stream(c, headers, s.ListPace, func(w Flusher) error {
		ctx := c.Request.Context()
		t, err := tableOf(ctx, s, a, l, sel)
		if err != nil {
			return err
		}
		out := csv.NewWriter(w)
		q.Page = query.NewPage(1, query.MaxLimit)
		for first := true; ; first = false {
			slot, err := s.enterPage(c, first)
			if err != nil {
				return err
			}
			result, err := l.List(ctx, a, q)
			slot.Release()
			if err != nil {
				return err
			}
			rows := make([]jsonapi.Resource, len(result.Items))
			for i, row := range result.Items {
				rows[i] = l.ToResource(a, row)
			}
			if err := writeRows(out, t, rows, first); err != nil {
				return err
			}
			if !result.More || len(result.Items) == 0 {
				return nil
			}
			if err := w.Flush(); err != nil {
				return err
			}
			next := l.Schema.Edge(q.Sort, result.Items[len(result.Items)-1], false)
			q.Cursor = &next
		}
	})
}

const (
	// A stream tries pageTries times to get the slot of its next page, with pauses of pagePause.
	pageTries = 20
	pagePause = 500 * time.Millisecond
)

// enterPage waits for a slot for a page of a whole list, of the class Large or a more expensive
// class. If the server is busy, it refuses the first page, and tries again for later pages.
func (s *Server) enterPage(c *gin.Context, first bool) (slot *limiter.Slot, err error) {
	ctx, x := c.Request.Context(), respond.StateOf(c)
	class := listquery.Class(x.Query, x.Route.CountsRows)
	if class == limits.Cheap {
		class = limits.Large
	}
	err = retryPage(ctx, first, func() (err error) {
		slot, err = s.Lanes.EnterClass(ctx, class, x.Client(), 1)
		return err
	})
	return slot, err
}

package lists

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"maps"
	"slices"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/respond"
	"lyceum/adapters/httpapi/table"
	"lyceum/app"
	"lyceum/domain/property"
)

// writeCSV responds with a page of a list as CSV. If there is a next page, a Link header contains
// its URL.
func writeCSV[T any](c *gin.Context, s *Server, a app.Actor, l Listing[T], page []jsonapi.Resource, links jsonapi.Pages, sel Selection) error {
	t, err := tableOf(c.Request.Context(), s, a, l, sel)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	const part = 20 // rows after which the size is checked
	for i := 0; i == 0 || i < len(page); i += part {
		if err := writeRows(w, t, page[i:min(i+part, len(page))], i == 0); err != nil {
			return err
		}
		if err := s.CheckPage(b.Len()); err != nil {
			return err
		}
	}
	if links.Next != "" {
		c.Writer.Header().Add("Link", "<"+links.Next+`>; rel="next"`)
	}
	s.WriteBody(c, respond.ETag(respond.MediaCSV, b.Bytes()), respond.Revalidate, respond.MediaCSV, b.Bytes())
	return nil
}

// tableOf returns the columns of a list, reduced to the selected fields.
func tableOf[T any](ctx context.Context, s *Server, a app.Actor, l Listing[T], sel Selection) (table.Table, error) {
	var names []string
	if l.Properties != (property.Resource{}) {
		defined, err := s.Defined(ctx, a, l.Properties)
		if err != nil {
			return table.Table{}, err
		}
		for _, d := range defined {
			names = append(names, d.Name)
		}
	}
	sample := l.sample(a)
	t := table.New(sample, names)
	if len(sel.fields) == 0 {
		return t, nil
	}
	kept := map[string]bool{}
	for typ, fields := range sel.fields { // a list of several types has the columns of all of them
		if typ == sample.Type || slices.Contains(l.Types, typ) {
			maps.Copy(kept, fields)
		}
	}
	return t.Select(func(name string) bool { return kept[name] }), nil
}

// writeRows writes rows and flushes w. If first is true, it writes the names of the columns before
// them.
func writeRows(w *csv.Writer, t table.Table, rows []jsonapi.Resource, first bool) error {
	if first {
		if err := w.Write(t.Head()); err != nil {
			return err
		}
	}
	for _, r := range rows {
		cells, err := t.Row(r)
		if err != nil {
			return err
		}
		if err := w.Write(cells); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// Flusher is a writer that can send the bytes that have been written so far.
type Flusher interface {
	io.Writer
	Flush() error
}

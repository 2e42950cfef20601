package lyceum

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Query selects and orders the records of a list. The zero Query selects all records in the default
// order.
type Query struct {
	Filter   Filter
	Search   string   // words that must occur in the fields that the list searches
	Sort     []string // attributes; a hyphen reverses the order, as in -created_at
	PageSize int      // number of records per request, at most 1,000; 0: 100

	Include []string            // relationships whose records each page includes, such as course.categories; see Related
	Fields  map[string][]string // by resource type: the attributes and relationships to return; all other fields are zero
	Count   bool                // whether pages have a Total; the server then counts all matching records for each page
}

func (q Query) encode() (string, error) {
	values := url.Values{}
	size := q.PageSize
	if size == 0 {
		size = 100
	}
	values.Set("limit", strconv.Itoa(size))
	if q.Search != "" {
		values.Set("q", q.Search)
	}
	if len(q.Sort) > 0 {
		values.Set("sort", strings.Join(q.Sort, ","))
	}
	if len(q.Include) > 0 {
		values.Set("include", strings.Join(q.Include, ","))
	}
	for kind, fields := range q.Fields {
		values.Set("fields["+kind+"]", strings.Join(fields, ","))
	}
	if q.Count {
		values.Set("count", "true")
	}
	if q.Filter != nil {
		if err := q.Filter.encode("filter", values); err != nil {
			return "", err
		}
	}
	return values.Encode(), nil
}

// Lister reads a list.
type Lister[T any] struct{ endpoint }

// List returns the records that q selects. It requests each page when it is needed, with the link
// in the previous page, so that it returns each record once even if other records are added or
// deleted in the meantime. The iteration ends after the first error.
func (l Lister[T]) List(ctx context.Context, q Query) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page, err := range l.Pages(ctx, q) {
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, record := range page.Data {
				if !yield(record, nil) {
					return
				}
			}
		}
	}
}

// Pages is like List, but returns the records by page, with the included records and the total.
func (l Lister[T]) Pages(ctx context.Context, q Query) iter.Seq2[Page[T], error] {
	return func(yield func(Page[T], error) bool) {
		query, err := q.encode()
		if err != nil {
			yield(Page[T]{}, err)
			return
		}
		for next := l.url() + "?" + query; next != ""; {
			var page Page[T]
			if err := l.client.send(ctx, http.MethodGet, next, nil, &page); err != nil {
				yield(Page[T]{}, err)
				return
			}
			if !yield(page, nil) {
				return
			}
			if next, err = l.follow(page.next); err != nil {
				yield(Page[T]{}, err)
				return
			}
		}
	}
}

// follow returns the URL of the next page, or "" if link is blank. It takes only the query from the
// link, so that the API key is never sent to another server, and links work even if the server
// knows itself by a different name.
func (l Lister[T]) follow(link string) (string, error) {
	u, err := url.Parse(link)
	if err != nil || link == "" {
		return "", err
	}
	return l.url() + "?" + u.RawQuery, nil
}

// Collect returns all records of a list, or the first error.
func Collect[T any](records iter.Seq2[T, error]) ([]T, error) {
	var all []T
	for record, err := range records {
		if err != nil {
			return nil, err
		}
		all = append(all, record)
	}
	return all, nil
}

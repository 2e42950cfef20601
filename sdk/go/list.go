package lyceum

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Query selects and orders the records of a list. The zero value selects all in the default order.
type Query struct {
	Filter   Filter
	Search   string   // words that must occur in the fields that the list searches
	Sort     []string // attributes; a hyphen reverses the order, as in -created_at
	PageSize int      // records of a request, at most 1,000; 0: 100
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
	if q.Filter != nil {
		if err := q.Filter.encode("filter", values); err != nil {
			return "", err
		}
	}
	return values.Encode(), nil
}

// Lister reads a list.
type Lister[T any] struct{ endpoint }

// List returns the records that q selects. Pages are requested when they are needed, by the links
// of the page before, so that each record is returned once even if others are added or deleted. The
// iteration ends after the first error.
func (l Lister[T]) List(ctx context.Context, q Query) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		query, err := q.encode()
		if err != nil {
			yield(none, err)
			return
		}
		for next := l.url() + "?" + query; next != ""; {
			var page struct {
				Data  []T `json:"data"`
				Links struct {
					Next string `json:"next"`
				} `json:"links"`
			}
			if err := l.client.send(ctx, http.MethodGet, next, nil, &page); err != nil {
				yield(none, err)
				return
			}
			for _, record := range page.Data {
				if !yield(record, nil) {
					return
				}
			}
			if next, err = l.follow(page.Links.Next); err != nil {
				yield(none, err)
				return
			}
		}
	}
}

// follow returns the URL of the next page; blank if link is. Only the query is taken from the link,
// so that the API key is sent to no other server, and a server can have another name for itself.
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

// Package crawl reads lists to their ends by following their links, as clients do. It reports
// problems: a row that occurs twice, a wrong number of rows, or a deep page that is slower than the
// first.
package crawl

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Walker reads lists of one server.
type Walker struct {
	URL    string // URL of the server, without a trailing slash
	Key    string // API key
	Limit  int    // number of rows of a page
	Sample int    // number of records whose nested lists are read
}

// Walk is the result of reading one list.
type Walk struct {
	Path        string
	Rows, Pages int
	Repeated    int           // rows whose type and id occurred earlier; events have no id
	First, Last time.Duration // median times of the first and the last hundredth of the pages, at least five pages
}

// document contains the members of a list document that a Walker reads.
type document struct {
	Links struct {
		Next string `json:"next"`
	} `json:"links"`
	Data []struct {
		Type string          `json:"type"`
		ID   json.RawMessage `json:"id"` // a string or, for quiz scores, a number
	} `json:"data"`
}

// Lists returns the paths of all described lists. It replaces {id} in a path with the ids of some
// records of the parent list.
func (w Walker) Lists(ctx context.Context) ([]string, error) {
	var described struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := w.get(ctx, w.URL+"/openapi.json", &described); err != nil {
		return nil, err
	}
	var paths []string
	for path, operations := range described.Paths {
		if !strings.Contains(string(operations["get"]), `"#/components/parameters/Page"`) {
			continue
		}
		parent, rest, nested := strings.Cut(path, "/{")
		if !nested {
			paths = append(paths, path)
			continue
		}
		var some document
		if err := w.get(ctx, fmt.Sprintf("%s%s?limit=%d", w.URL, parent, max(w.Sample, 1)), &some); err != nil {
			return nil, err
		}
		_, rest, _ = strings.Cut(rest, "}")
		for _, r := range some.Data {
			paths = append(paths, parent+"/"+strings.Trim(string(r.ID), `"`)+rest)
		}
	}
	slices.Sort(paths)
	return paths, nil
}

// Read reads the list at a path, which may have a query, from its first page to its last.
func (w Walker) Read(ctx context.Context, path string) (Walk, error) {
	read := Walk{Path: path}
	joint := "?"
	if strings.Contains(path, "?") {
		joint = "&"
	}
	seed, seen := maphash.MakeSeed(), map[uint64]struct{}{}
	var times []time.Duration
	for next := fmt.Sprintf("%s%s%slimit=%d", w.URL, path, joint, w.Limit); next != ""; {
		var page document
		begin := time.Now()
		if err := w.get(ctx, next, &page); err != nil {
			return read, err
		}
		times = append(times, time.Since(begin))
		for _, r := range page.Data {
			if r.ID == nil {
				continue
			}
			id := maphash.String(seed, r.Type+" "+string(r.ID))
			if _, again := seen[id]; again {
				read.Repeated++
			}
			seen[id] = struct{}{}
		}
		read.Rows += len(page.Data)
		read.Pages++
		if full := len(page.Data) == w.Limit; !full && page.Links.Next != "" {
			return read, fmt.Errorf("%s: has %d rows and a next page", next, len(page.Data))
		}
		if next = page.Links.Next; next != "" {
			next = w.URL + next[strings.Index(next, path[:3]):]
		}
	}
	some := min(max(len(times)/100, 5), len(times))
	read.First, read.Last = median(times[:some]), median(times[len(times)-some:])
	return read, nil
}

// Problem returns the problem that r shows, or "" if there is none. rows is the expected number of
// rows; a negative number means that it is unknown.
func (r Walk) Problem(rows int) string {
	switch {
	case r.Repeated > 0:
		return fmt.Sprintf("%d rows came twice", r.Repeated)
	case rows >= 0 && rows != r.Rows:
		return fmt.Sprintf("%d rows, not %d", r.Rows, rows)
	}
	return ""
}

func (w Walker) get(ctx context.Context, address string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	request.Header.Set("X-Api-Key", w.Key)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		where, _ := url.PathUnescape(address)
		return fmt.Errorf("%s: %s: %.300s", where, answer.Status, body)
	}
	return json.Unmarshal(body, into)
}

func median(times []time.Duration) time.Duration {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}

package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/goccy/go-json"
	"lyceum/test/tools/bench/program"
)

// feedRun is the result of reading the event feed to its end.
type feedRun struct {
	pages, rows   int
	first, last   time.Duration // medians of the first and the last twentieth of the pages
	before, after float64       // memory of the server in MiB, before and after
}

// follow reads the whole event feed by following links.next.
func follow(ctx context.Context, server *program.Process, key string) (feedRun, error) {
	w := feedRun{before: program.Resident(server.PID())}
	var took []time.Duration
	next := server.URL + "/v2/events?limit=1000"
	for next != "" {
		began := time.Now()
		var page struct {
			Links struct{ Next string }
			Data  []json.RawMessage
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, next, nil)
		if err != nil {
			return w, err
		}
		request.Header.Set("X-Api-Key", key)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return w, err
		}
		err = json.NewDecoder(response.Body).Decode(&page)
		_ = response.Body.Close()
		if err != nil || response.StatusCode != http.StatusOK {
			return w, fmt.Errorf("%s: %s: %w", next, response.Status, err)
		}
		took, next = append(took, time.Since(began)), page.Links.Next
		w.rows += len(page.Data)
	}
	w.pages, w.after = len(took), program.Resident(server.PID())
	some := max(1, len(took)/20)
	w.first, w.last = median(took[:some]), median(took[len(took)-some:])
	fmt.Fprintf(os.Stderr, "%d events followed\n", w.rows)
	return w, nil
}

func median(all []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

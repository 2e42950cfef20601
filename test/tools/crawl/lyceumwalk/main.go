// Lyceumwalk reads every list of a server to its end and prints the results. It fails if a row
// occurs twice, if a list does not have the expected number of rows, or if the last pages are far
// slower than the first.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"lyceum/test/tools/crawl"
)

// maxRatio is the maximum ratio of the time of the last pages to the time of the first pages.
// tolerance is added to the allowed time, because short times vary.
const (
	maxRatio  = 3
	tolerance = 20 * time.Millisecond
)

func main() {
	var w crawl.Walker
	flag.StringVar(&w.URL, "url", "http://127.0.0.1:8080", "the server")
	flag.StringVar(&w.Key, "key", os.Getenv("LYCEUM_KEY"), "API key; default: $LYCEUM_KEY")
	flag.IntVar(&w.Limit, "limit", 100, "rows of a page")
	flag.IntVar(&w.Sample, "sample", 5, "records whose own lists are read")
	only := flag.String("only", "", "read only lists whose paths contain this text")
	expected := map[string]int{}
	flag.Func("expect", "path=rows, as often as needed", func(text string) error {
		path, count, _ := strings.Cut(text, "=")
		n, err := strconv.Atoi(count)
		expected[path] = n
		return err
	})
	flag.Parse()
	if err := run(context.Background(), w, *only, expected); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w crawl.Walker, only string, expected map[string]int) error {
	paths, err := w.Lists(ctx)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(os.Stdout, "%-75s %9s %7s %6s %10s %10s\n", "list", "rows", "pages", "twice", "first ms", "last ms")
	wrong := 0
	for _, path := range paths {
		if !strings.Contains(path, only) {
			continue
		}
		r, err := w.Read(ctx, path)
		if err != nil {
			return err
		}
		rows, ok := expected[path]
		if !ok {
			rows = -1
		}
		verdict := r.Problem(rows)
		if verdict == "" && r.Last > maxRatio*r.First+tolerance {
			verdict = "the last pages are slow"
		}
		if verdict != "" {
			wrong++
		}
		_, _ = fmt.Fprintf(os.Stdout, "%-75s %9d %7d %6d %10.2f %10.2f  %s\n", r.Path, r.Rows, r.Pages, r.Repeated, ms(r.First), ms(r.Last), verdict)
	}
	if wrong > 0 {
		return fmt.Errorf("%d lists are wrong", wrong)
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

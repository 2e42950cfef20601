// Lyceumsweep requests the first page of every list of a server: filtered by each attribute, in
// each order and with searches. It prints the slowest queries. With access to the server's
// database, it also reports which queries scan a large table. No other program may use the server
// or the database during the run.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"lyceum/test/tools/crawl"
)

// minScanTime is the minimum time that a scan of a large table takes.
const minScanTime = 5 * time.Millisecond

type measuredQuery struct {
	crawl.ListQuery
	rows int
	took time.Duration
	read map[string]int64 // rows of large tables that were read, by table name
}

func main() {
	var w crawl.Walker
	flag.StringVar(&w.URL, "url", "http://127.0.0.1:8080", "the server")
	flag.StringVar(&w.Key, "key", os.Getenv("LYCEUM_KEY"), "API key; LYCEUM_KEY unless given")
	flag.IntVar(&w.Sample, "sample", 5, "records of whose own lists the fullest is asked")
	database := flag.String("database", os.Getenv("LYCEUM_DATABASE_URL"), "the server's database; LYCEUM_DATABASE_URL unless given, may be blank")
	only := flag.String("only", "", "request only lists whose paths contain this text")
	show := flag.Int("show", 25, "how many of the slowest are printed")
	flag.Parse()
	if err := run(context.Background(), w, *database, *only, *show); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w crawl.Walker, database, only string, show int) error {
	queries, err := w.Queries(ctx)
	if err != nil {
		return err
	}
	t, err := openTables(ctx, database)
	if err != nil {
		return err
	}
	var all, suspects []measuredQuery
	for _, q := range queries {
		if !strings.Contains(q.List, only) {
			continue
		}
		a := measuredQuery{ListQuery: q}
		for range 2 { // the first time, pages are read from disk and statements are prepared
			if a.rows, a.took, err = w.Ask(ctx, q); err != nil {
				return err
			}
			if a.took > time.Second {
				break
			}
		}
		if q.Known && a.rows == 0 {
			return fmt.Errorf("%s: does not find an existing row", q)
		}
		all = append(all, a)
		// Some orders have no index and must read the whole table, so sorted lists are not
		// suspects. A query that is faster than minScanTime cannot have scanned a large table.
		if !strings.HasPrefix(q.Query, "sort=") && a.took > minScanTime {
			suspects = append(suspects, a)
		}
	}
	slices.SortStableFunc(all, func(a, b measuredQuery) int { return cmp.Compare(b.took, a.took) })
	_, _ = fmt.Fprintf(os.Stdout, "%d queries; the slowest:\n", len(all))
	printAll(all[:min(show, len(all))])
	scanning, err := t.findScans(ctx, w, suspects)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(os.Stdout, "%d that read a large table from one end to the other\n", len(scanning))
	printAll(scanning)
	if len(scanning) > 0 {
		return fmt.Errorf("%d queries scan large tables", len(scanning))
	}
	return nil
}

func printAll(all []measuredQuery) {
	for _, a := range all {
		_, _ = fmt.Fprintf(os.Stdout, "%8.1f ms %5d rows  %s", float64(a.took)/float64(time.Millisecond), a.rows, a.ListQuery)
		for table, n := range a.read {
			_, _ = fmt.Fprintf(os.Stdout, "  %s: %d", table, n)
		}
		_, _ = fmt.Fprintln(os.Stdout)
	}
}

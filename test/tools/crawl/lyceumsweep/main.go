// Lyceumsweep asks every list of a server for its first page, by each attribute,
// in each order and by words, and prints the questions that took longest. Given
// the server's database, it tells which of them read a large table from one end
// to the other. Nobody else should use either meanwhile.
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

// soon is a time in which no large table is read from one end to the other.
const soon = 5 * time.Millisecond

type asked struct {
	crawl.Question
	rows int
	took time.Duration
	read map[string]int64 // rows of large tables, by their names
}

func main() {
	var w crawl.Walker
	flag.StringVar(&w.URL, "url", "http://127.0.0.1:8080", "the server")
	flag.StringVar(&w.Key, "key", os.Getenv("LYCEUM_KEY"), "API key; LYCEUM_KEY unless given")
	flag.IntVar(&w.Sample, "sample", 5, "records of whose own lists the fullest is asked")
	database := flag.String("database", os.Getenv("LYCEUM_DATABASE_URL"), "the server's database; LYCEUM_DATABASE_URL unless given, may be blank")
	only := flag.String("only", "", "ask the lists whose paths contain this alone")
	show := flag.Int("show", 25, "how many of the slowest are printed")
	flag.Parse()
	if err := run(context.Background(), w, *database, *only, *show); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w crawl.Walker, database, only string, show int) error {
	questions, err := w.Questions(ctx)
	if err != nil {
		return err
	}
	t, err := openTables(ctx, database)
	if err != nil {
		return err
	}
	var all, suspects []asked
	for _, q := range questions {
		if !strings.Contains(q.List, only) {
			continue
		}
		a := asked{Question: q}
		for range 2 { // the first time pages come from disk, and statements are prepared
			if a.rows, a.took, err = w.Ask(ctx, q); err != nil {
				return err
			}
			if a.took > time.Second {
				break
			}
		}
		if q.Known && a.rows == 0 {
			return fmt.Errorf("%s: does not find a row that is there", q)
		}
		all = append(all, a)
		// An order that no index has is that of a whole table, and no large table is
		// read in no time.
		if !strings.HasPrefix(q.Query, "sort=") && a.took > soon {
			suspects = append(suspects, a)
		}
	}
	slices.SortStableFunc(all, func(a, b asked) int { return cmp.Compare(b.took, a.took) })
	_, _ = fmt.Fprintf(os.Stdout, "%d questions; the slowest:\n", len(all))
	printAll(all[:min(show, len(all))])
	guilty, err := t.blame(ctx, w, suspects)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(os.Stdout, "%d that read a large table from one end to the other\n", len(guilty))
	printAll(guilty)
	if len(guilty) > 0 {
		return fmt.Errorf("%d questions read whole tables", len(guilty))
	}
	return nil
}

func printAll(all []asked) {
	for _, a := range all {
		_, _ = fmt.Fprintf(os.Stdout, "%8.1f ms %5d rows  %s", float64(a.took)/float64(time.Millisecond), a.rows, a.Question)
		for table, n := range a.read {
			_, _ = fmt.Fprintf(os.Stdout, "  %s: %d", table, n)
		}
		_, _ = fmt.Fprintln(os.Stdout)
	}
}

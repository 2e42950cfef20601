// Command fairness measures how long requests of one school take while another
// client attacks the server. It starts the server on PostgreSQL in a process of
// its own, with two schools, and prints the figures of each attack as a table.
// `make bench-fairness` runs it. It uses nothing of the server but its assembly,
// so that it can be copied into an older commit and run there.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"lyceum/test/pgtest"
)

// world is what the server's process reports when it is ready.
type world struct{ URL, Attacker, Victim string }

func main() {
	serving := flag.String("serve", "", "") // how the server's process gets its database
	lasts := flag.Duration("duration", 3*time.Second, "length of each attack")
	write := flag.String("write", "", "Markdown file whose table is replaced")
	flag.Parse()
	work := func() error { return measure(context.Background(), *lasts, *write) }
	if *serving != "" {
		work = func() error { return serve(context.Background(), *serving) }
	}
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, "fairness:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, lasts time.Duration, write string) error {
	dsn, drop, err := pgtest.Durable(ctx, false)
	if err != nil {
		return err
	}
	defer drop()
	w, stop, err := start(ctx, dsn)
	if err != nil {
		return err
	}
	defer stop()
	var table strings.Builder
	table.WriteString("| Attack | p50 | p99 | Slowest | Failed | Not ready |\n|---|---|---|---|---|---|\n")
	for _, a := range append([]attack{{name: "none (quiet)"}}, attacks...) {
		row := w.under(ctx, a, lasts)
		table.WriteString(row)
		fmt.Fprint(os.Stderr, row)
		time.Sleep(2 * time.Second) // what the attack has left is done
	}
	return publish(write, table.String())
}

// start starts the server in a process of its own.
func start(ctx context.Context, dsn string) (w world, stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return w, nil, err
	}
	cmd := exec.CommandContext(ctx, self, "-serve", dsn)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return w, nil, err
	}
	if err := cmd.Start(); err != nil {
		return w, nil, err
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &w)
	}
	return w, func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }, err
}

// under measures the victim's requests during an attack, as a row of the table.
func (w world) under(ctx context.Context, a attack, lasts time.Duration) string {
	ctx, cancel := context.WithTimeout(ctx, lasts)
	defer cancel()
	var attackers, own sync.WaitGroup
	for range a.clients {
		client := newClient()
		attackers.Go(func() {
			for ctx.Err() == nil {
				a.once(ctx, client, w)
			}
		})
	}
	var took []time.Duration
	failed, notReady := 0, 0
	own.Go(func() {
		client := newClient()
		for i := 0; ctx.Err() == nil; i++ {
			begin := time.Now()
			status := request(ctx, client, http.MethodGet, w.URL+victims[i%len(victims)], w.Victim, nil)
			if ctx.Err() != nil && status == 0 {
				took = append(took, time.Since(begin)) // still waiting at the end
				return
			}
			took = append(took, time.Since(begin))
			if status != http.StatusOK {
				failed++
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
	own.Go(func() {
		client := newClient()
		for ctx.Err() == nil {
			if request(ctx, client, http.MethodGet, w.URL+"/readyz", "", nil) != http.StatusOK && ctx.Err() == nil {
				notReady++
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	own.Wait()
	attackers.Wait()
	slices.Sort(took)
	at := func(part float64) string {
		return took[min(int(part*float64(len(took))), len(took)-1)].Round(100 * time.Microsecond).String()
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %d of %d | %d |\n", a.name, at(.5), at(.99), at(1), failed, len(took), notReady)
}

// publish prints the table, or writes it where it belongs in a file.
func publish(file, table string) error {
	if file == "" {
		_, err := fmt.Fprint(os.Stdout, table)
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	begin, end := []byte("<!-- table: make bench-fairness writes what stands here -->\n"), []byte("<!-- end of the table -->\n")
	before, rest, found := bytes.Cut(text, begin)
	_, after, closed := bytes.Cut(rest, end)
	if !found || !closed {
		return fmt.Errorf("%s: no place for the table", file)
	}
	return os.WriteFile(file, slices.Concat(before, begin, []byte("\n"+table+"\n"), end, after), 0o644)
}

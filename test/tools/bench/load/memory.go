package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"lyceum/adapters/demo"
	"lyceum/app/transfer"
	"lyceum/app/transfer/format"
	"lyceum/cmd/server"
	secrets "lyceum/domain/school"
	"lyceum/test/tools/bench/program"
)

// memoryKey is the API key of the school in memory. It is the same in every run and valid only in
// this measurement.
var memoryKey = secrets.EncodeSecret(make([]byte, secrets.SecretBytes))

// serveMemory serves a school from the memory store until ctx is canceled. It is the main function
// of a separate process.
func serveMemory(ctx context.Context, addr string, size demo.Size) error {
	cfg := server.Defaults()
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return err
	}
	cfg.Transport.Addr, cfg.Log = addr, slog.New(slog.NewTextHandler(os.Stderr, nil))
	size.Events, size.Answers, size.Memberships = 0, 0, 0
	server.TuneGC(server.Memory)
	s, err := server.New(cfg)
	if err != nil {
		return err
	}
	_, err = s.App().Transfers.ImportNew(ctx, transfer.Import{Open: enrolledOnly(size)})
	if err != nil {
		return err
	}
	printLive()
	debug.FreeOSMemory() // release the garbage of the import, which is not part of the school
	if err := s.Start(ctx); err != nil {
		return err
	}
	<-ctx.Done()
	return s.Stop()
}

// enrolledOnly opens a generated school that has people, enrollments and memoryKey, but no learner
// data.
func enrolledOnly(size demo.Size) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		all, err := demo.Generated("Measured", size)()
		if err != nil {
			return nil, err
		}
		r, w := io.Pipe()
		go func() { _ = w.CloseWithError(errors.Join(withoutAttempts(w, all), all.Close())) }() // closing a pipe never fails
		return r, nil
	}
}

// withoutAttempts copies a school file from lines to w. It adds an API key after the first line and
// omits the lines about attempts.
func withoutAttempts(w io.Writer, lines io.Reader) error {
	in, out := format.NewReader(lines), format.NewWriter(w)
	for {
		line, err := in.Next()
		if errors.Is(err, io.EOF) {
			return out.Close()
		}
		if err != nil {
			return err
		}
		switch line.Kind {
		case format.AttemptKind, format.QuizAttemptKind, format.EndKind:
			continue
		}
		if err := out.Write(line.Record); err != nil {
			return err
		}
		if line.Kind == format.SchoolKind {
			if err := out.Write(format.APIKey{Kind: format.APIKeyKind, Name: "load", Secret: memoryKey}); err != nil {
				return err
			}
		}
	}
}

// memory adds rows that compare the server on the memory store with the server on PostgreSQL. The
// memory store runs with the default settings of its garbage collector.
func (r *report) memory(ctx context.Context, d driver, binary string) error {
	if !slices.ContainsFunc(r.rows, func(before row) bool { return memoryGoal(before.name) > 0 }) {
		return nil
	}
	dir, err := os.MkdirTemp("", "lyceum-memory-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	log := filepath.Join(dir, "log")
	p, err := program.Start(ctx, binary, nil, log, "-scale", fmt.Sprint(r.options.scale), "-memory")
	if err != nil {
		return err
	}
	defer p.Stop()
	d.key, d.postmaster = memoryKey, 0
	s, err := samplesFrom(ctx, p.URL)
	if err != nil {
		return err
	}
	r.loaded = program.Resident(p.PID())
	if r.live, err = readLive(log); err != nil {
		return err
	}
	for _, before := range r.rows {
		goal := memoryGoal(before.name)
		if goal == 0 {
			continue
		}
		got, err := d.median(before.operation, s, p, r.options.rounds)
		if err != nil {
			return err
		}
		line := row{operation: before.operation, at: []result{against(before.result().ours, got)}}
		line.own, line.goal = before.name, goal
		line.name += ", in memory"
		r.add(line)
	}
	r.busy = program.Resident(p.PID())
	return nil
}

// liveLine is the format of the line in the log of the memory store about its live heap in MiB.
const liveLine = "live heap: %f MiB\n"

// printLive writes the size of the live heap to the log.
func printLive() {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Fprintf(os.Stderr, liveLine, float64(m.HeapAlloc)/(1<<20))
}

// readLive returns the size that printLive has written to a log.
func readLive(log string) (mib float64, err error) {
	text, err := os.ReadFile(log)
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), "live heap")
	_, err = fmt.Sscanf("live heap"+rest, liveLine, &mib)
	return mib, err
}

// median measures op for the given number of rounds, after one round that is not counted. It
// returns the outcome with the median rate.
func (d driver) median(op operation, s samples, p *program.Process, rounds int) (outcome, error) {
	var all []outcome
	for range rounds + 1 {
		got, _, err := d.drive(op, s, p, 0)
		if err != nil {
			return outcome{}, err
		}
		all = append(all, got)
	}
	return medianOutcome(all[1:]), nil
}

// memoryGoal returns the expected ratio of the memory store's rate to the rate of PostgreSQL, or 0
// for operations that are not compared.
func memoryGoal(name string) float64 {
	switch {
	case name == "person":
		return 2.5
	case name == "people, page 1":
		return 2
	case strings.HasPrefix(name, "people, page"):
		return 10
	}
	return 0
}

// samplesFrom gets the ids of a page of people from the server.
func samplesFrom(ctx context.Context, url string) (samples, error) {
	var s samples
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/v1/people?limit=100", nil)
	if err != nil {
		return s, err
	}
	request.Header.Set("X-Api-Key", memoryKey)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return s, err
	}
	defer func() { _ = response.Body.Close() }()
	var doc struct {
		Data []struct{ ID string } `json:"data"`
	}
	if err := json.NewDecoder(response.Body).Decode(&doc); err != nil {
		return s, err
	}
	for _, one := range doc.Data {
		s.people = append(s.people, one.ID)
	}
	return s, nil
}

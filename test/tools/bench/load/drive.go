package main

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"
	"lyceum/test/tools/bench/program"
)

// runID makes the new records of this run differ from the records of other runs.
var runID = uuid.NewString()[:8]

// counterBits is the number of low bits of a request number that count the requests of one
// connection. The high bits identify the connection.
const counterBits = 40

// driver sends requests on persistent connections, one at a time on each.
type driver struct {
	key         string
	connections int
	duration    time.Duration
	postmaster  int // process ID of the PostgreSQL server; 0: unknown
}

// outcome is the result of one measurement.
type outcome struct {
	rate     float64 // responses per second
	p50, p99 time.Duration
	cost     float64 // processor time of the server and of PostgreSQL for a request, in clock ticks
	use      program.Usage
}

// drive sends requests of op to a server for d.duration. On each connection the counter in the
// request numbers starts at from. drive returns the counter for the next call, so that no number is
// repeated.
func (d driver) drive(op operation, s samples, server *program.Process, from uint64) (outcome, uint64, error) {
	client := &fasthttp.HostClient{Addr: server.URL[len("http://"):], MaxConns: d.connections, ReadTimeout: 30 * time.Second}
	var (
		wg    sync.WaitGroup
		took  = make([][]time.Duration, d.connections)
		fault = make([]error, d.connections)
		next  = make([]string, d.connections) // the target that the last response of each connection links to
	)
	number := func(c int, n uint64) uint64 { return uint64(c)<<counterBits + n }
	if op.follow { // the first pages, which are requested by their numbers, are not measured
		for c := range next {
			if next[c], fault[c] = d.once(client, op, s, op.target(s, number(c, from)), from); fault[c] != nil {
				return outcome{}, from, fault[c]
			}
		}
	}
	before, began := program.UsageNow(server, d.postmaster), time.Now()
	for c := range d.connections {
		wg.Go(func() {
			for n := from; time.Since(began) < d.duration; n++ {
				sent, target := time.Now(), next[c]
				if target == "" {
					target = op.target(s, number(c, n))
				}
				if next[c], fault[c] = d.once(client, op, s, target, number(c, n)); fault[c] != nil {
					return
				}
				took[c] = append(took[c], time.Since(sent))
			}
		})
	}
	wg.Wait()
	elapsed, after := time.Since(began), program.UsageNow(server, d.postmaster)
	for _, err := range fault {
		if err != nil {
			return outcome{}, from, fmt.Errorf("%s at %s: %w", op.name, server.URL, err)
		}
	}
	most := 0
	for _, one := range took {
		most = max(most, len(one))
	}
	all := slices.Concat(took...)
	slices.Sort(all)
	use := after.Minus(before)
	return outcome{
		rate: float64(len(all)) / elapsed.Seconds(), p50: all[len(all)/2], p99: all[len(all)*99/100],
		cost: (use.Server + use.Database) / float64(len(all)), use: use,
	}, from + uint64(most), nil
}

// once sends the request with the number n to a target and checks the status of the response. If op
// follows pages, once returns the target of links.next, or blank at the end of the list.
func (d driver) once(client *fasthttp.HostClient, op operation, s samples, target string, n uint64) (next string, err error) {
	request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(response)
	request.SetRequestURI("http://" + client.Addr + target)
	request.Header.Set("X-Api-Key", d.key)
	if op.method != "" {
		request.Header.SetMethod(op.method)
	}
	if op.body != nil {
		request.Header.SetContentType("application/vnd.api+json")
		request.SetBodyString(op.body(s, n))
	}
	if err := client.Do(request, response); err != nil {
		return "", err
	}
	if got, want := response.StatusCode(), max(op.status, 200); got != want && (op.status != 0 || got != fasthttp.StatusOK) {
		return "", fmt.Errorf("%s: %d, not %s: %s", request.URI(), got, strconv.Itoa(want), response.Body())
	}
	if op.follow {
		next = nextTarget(response.Body())
	}
	return next, nil
}

// nextTarget returns the path and the query of links.next of a list, or blank if it has no such
// link. It does not parse the document, because the driver shares the processors with the server.
func nextTarget(list []byte) string {
	_, after, ok := bytes.Cut(list, []byte(`"next":"http://`))
	if !ok {
		return ""
	}
	link, _, _ := bytes.Cut(after, []byte(`"`))
	if i := bytes.IndexByte(link, '/'); i >= 0 {
		return string(link[i:])
	}
	return ""
}

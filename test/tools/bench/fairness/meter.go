package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"
	_ "github.com/lib/pq" // the database driver
)

// requestInterval is the time between two measured requests. Requests are sent at this rate even if
// earlier requests have no response yet.
const requestInterval = 10 * time.Millisecond

// stuck is the time without a response after which a request counts as failed, although the phase
// may end before its response. A few such requests do not change the p99.
const stuck = 500 * time.Millisecond

// victims contains the cheap requests whose durations are measured.
var victims = []string{"/v2/people?limit=10", "/v2/courses?limit=10", "/v2/school", "/v2/groups?limit=10"}

// meter measures how fast the server responds to requests of the school that does not attack.
type meter struct {
	serverInfo
	client *http.Client
	reader *http.Client // of the pages
	db     *sqlx.DB
}

// measurement is the result of one phase.
type measurement struct {
	took     []time.Duration // duration of each request; without a response, the time until the end of the phase
	pages    []time.Duration // duration of each page
	failed   int
	notReady int
	bulk     time.Duration // time until a bulk request of one row was applied; 0: not in time
	rare     time.Duration // duration of the only request with the key Rare
}

func newMeter(w serverInfo) (*meter, error) {
	db, err := sqlx.Connect("postgres", w.DSN)
	client := &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64}}
	return &meter{serverInfo: w, client: client, reader: newReader(), db: db}, err
}

// newReader returns a client with another address than the attackers, whose requests without a key
// would otherwise delay its pages: the pages of a network wait for each other.
func newReader() *http.Client {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	return &http.Client{Transport: &http.Transport{DisableCompression: true, DialContext: dialer.DialContext}}
}

func (m *meter) close() { _ = m.db.Close() }

// deleteWork deletes the jobs and the webhooks that an attack has left, of all schools. The server
// uses them at the same time, so the database can abort a statement because of a deadlock.
func (m *meter) deleteWork(ctx context.Context) error {
	const attempts = 5
	var err error
	for range attempts {
		_, err = m.db.ExecContext(ctx, "DELETE FROM jobs; DELETE FROM webhook_deliveries; DELETE FROM webhook_endpoints")
		pause(ctx, time.Second)
		if err == nil {
			break
		}
	}
	return err
}

// duringAttack measures during an attack. It returns the measurement and, by status, the number of
// the attackers' operations.
func (m *meter) duringAttack(ctx context.Context, a attack, lasts time.Duration) (measurement, map[int]int, error) {
	const started = 200 * time.Millisecond // time for the attack to start
	wait, err := startAttack(ctx, m.serverInfo, a, lasts)
	if err != nil {
		return measurement{}, nil, err
	}
	pause(ctx, started)
	s := m.during(ctx, lasts-started)
	sent, err := wait()
	return s, sent, err
}

// during sends requests of the victim for the given duration and returns the measurement.
func (m *meter) during(ctx context.Context, lasts time.Duration) measurement {
	ctx, cancel := context.WithTimeout(ctx, lasts)
	defer cancel()
	var s measurement
	var mu sync.Mutex // guards s
	var all sync.WaitGroup
	all.Go(func() {
		bulk := m.bulk(ctx)
		mu.Lock()
		s.bulk = bulk
		mu.Unlock()
	})
	all.Go(func() {
		for ctx.Err() == nil {
			status := request(ctx, m.client, http.MethodGet, m.URL+"/readyz", "", nil)
			mu.Lock()
			if status != http.StatusOK && ctx.Err() == nil {
				s.notReady++
			}
			mu.Unlock()
			pause(ctx, 100*time.Millisecond)
		}
	})
	all.Go(func() {
		pause(ctx, lasts/2)
		begin := time.Now()
		_ = request(ctx, m.client, http.MethodGet, m.URL+victims[0], m.Rare, nil)
		rare := time.Since(begin)
		mu.Lock()
		s.rare = rare
		mu.Unlock()
	})
	all.Go(func() {
		for ctx.Err() == nil {
			begin := time.Now()
			status := m.Reader.page(ctx, m.reader, m.URL+"/learn/{school}/courses")
			mu.Lock()
			s.pages = append(s.pages, time.Since(begin))
			if status != http.StatusOK && ctx.Err() == nil {
				s.failed++
			}
			mu.Unlock()
			pause(ctx, requestInterval)
		}
	})
	due := time.NewTicker(requestInterval)
	defer due.Stop()
	for i := 0; ctx.Err() == nil; i++ {
		all.Go(func() {
			begin := time.Now()
			status := request(ctx, m.client, http.MethodGet, m.URL+victims[i%len(victims)], m.Victim, nil)
			took := time.Since(begin)
			mu.Lock()
			defer mu.Unlock()
			s.took = append(s.took, took)
			if status != http.StatusOK && (ctx.Err() == nil || took > stuck) {
				s.failed++
			}
		})
		select {
		case <-due.C:
		case <-ctx.Done():
		}
	}
	all.Wait()
	return s
}

// bulk sends a bulk request of one row and returns the time until it is applied, or 0 if that does
// not happen before ctx ends.
func (m *meter) bulk(ctx context.Context) time.Duration {
	begin := time.Now()
	body := fmt.Sprintf(`{"data":{"type":"people","attributes":{"people":[{"email":"v%d@example.test"}]}}}`, begin.UnixNano())
	var job struct{ Data struct{ ID string } }
	if m.get(ctx, http.MethodPost, "/v2/bulk/people", strings.NewReader(body), &job) != http.StatusAccepted {
		return 0
	}
	for ctx.Err() == nil {
		var now struct {
			Data struct{ Attributes struct{ Status string } }
		}
		m.get(ctx, http.MethodGet, "/v2/bulk/jobs/"+job.Data.ID, nil, &now)
		if now.Data.Attributes.Status == "completed" {
			return time.Since(begin)
		}
		pause(ctx, 50*time.Millisecond)
	}
	return 0
}

// get sends a request with the victim's key and decodes the response into answer. It returns the
// status, or 0 if there is no response.
func (m *meter) get(ctx context.Context, method, path string, body io.Reader, answer any) int {
	r, err := http.NewRequestWithContext(ctx, method, m.URL+path, body)
	if err != nil {
		return 0
	}
	r.Header.Set("X-Api-Key", m.Victim)
	resp, err := m.client.Do(r)
	if err != nil {
		return 0
	}
	defer func() { _ = resp.Body.Close() }()
	_ = json.NewDecoder(resp.Body).Decode(answer)
	return resp.StatusCode
}

// profile starts a CPU profile of the server for the next attack, in the first round and only if p
// requests profiles. The returned channel is closed when the profile ends.
func (m *meter) profile(p plan, a attack, round int) <-chan struct{} {
	done := make(chan struct{})
	if p.profiles == "" || m.Profiles == "" || round > 0 {
		close(done)
		return done
	}
	go func() {
		defer close(done)
		resp, err := m.client.Get(fmt.Sprintf("%s/debug/pprof/profile?seconds=%d", m.Profiles, int(p.attack.Seconds())))
		if err != nil {
			return
		}
		defer func() { _ = resp.Body.Close() }()
		f, err := os.Create(filepath.Join(p.profiles, strings.ReplaceAll(strings.ReplaceAll(a.name, " ", "-"), "/", "")+".pprof"))
		if err != nil {
			return
		}
		_, _ = io.Copy(f, resp.Body)
		_ = f.Close()
	}()
	return done
}

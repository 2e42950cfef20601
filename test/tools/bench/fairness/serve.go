package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"regexp"
	"strings"

	"lyceum/adapters/demo"
	"lyceum/adapters/httpapi/reference"
	"lyceum/app"
	"lyceum/cmd/server"
	"lyceum/domain/school"
	"lyceum/test/kit"
)

// library is the path of the largest file of the reference page.
var library = func() string {
	r, err := reference.New("")
	if err != nil {
		panic(err) // the embedded files are invalid
	}
	return "/docs/" + regexp.MustCompile(`scalar-[0-9a-f]+\.js`).FindString(string(r.Page))
}()

// serve fills a new database with the school of the attacker, the school of the victim and other
// schools, and starts the server. It prints serverInfo as JSON and runs until the process is
// killed.
func serve(ctx context.Context, dsn string) error {
	cfg := server.Defaults()
	cfg.Store, cfg.Transport.Addr = server.Postgres, "127.0.0.1:0"
	cfg.Postgres.DSN, cfg.Postgres.MigrateAtStart = dsn, true
	cfg.Metrics.Addr = "127.0.0.1:" + freePort()
	cfg.OutgoingAllowed = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	cfg.Secret = strings.Repeat("s", server.MinSecret) // for webhook endpoints
	dir, err := os.MkdirTemp("", "fairness")
	if err != nil {
		return err
	}
	cfg.Files.Dir = dir
	server.TuneGC(cfg.Store)
	s, err := server.New(cfg)
	if err != nil {
		return err
	}
	server.AddThreads(cfg.Store, os.Getenv("GOMAXPROCS"))
	w := serverInfo{DSN: dsn, Files: dir, Profiles: "http://" + cfg.Metrics.Addr}
	var attacker school.ID
	if attacker, w.Attacker, err = generate(ctx, s.App(), "Attacker", 20_000); err != nil {
		return err
	}
	w.School = attacker.String()
	if _, w.Victim, err = generate(ctx, s.App(), "Victim", 1_000); err != nil {
		return err
	}
	if w.Reader, err = signIn(ctx, s.App(), "victim", size("Victim", 1_000).Email(0)); err != nil {
		return err
	}
	if _, w.Rare, err = generate(ctx, s.App(), "Rare", 1_000); err != nil {
		return err
	}
	if _, w.Wide, err = (kit.School{Name: "Wide", Lines: wideSchool()}).Import(ctx, s.App()); err != nil {
		return err
	}
	var crowded school.ID
	if crowded, w.Crowded, err = (kit.School{Name: "Crowded", Lines: crowdedSchool()}).Import(ctx, s.App()); err != nil {
		return err
	}
	public := true
	if _, err := s.App().Provision.UpdateSchool(ctx, crowded, school.Changes{PublicCovers: &public}); err != nil {
		return err
	}
	if w.Owner, err = signIn(ctx, s.App(), "crowded", owner); err != nil {
		return err
	}
	if w.Additions, err = additionSchools(ctx, s.App()); err != nil {
		return err
	}
	for i := range suspendedSchools {
		id, _, err := generate(ctx, s.App(), fmt.Sprintf("Suspended %d", i), 5_000)
		if err == nil {
			_, err = s.App().Provision.SuspendSchool(ctx, id)
		}
		if err != nil {
			return err
		}
		w.Suspended = append(w.Suspended, id.String())
	}
	if err := s.Start(ctx); err != nil {
		return err
	}
	w.URL = s.URL()
	if w.Assignment, err = firstOf(ctx, w, "assignments"); err != nil {
		return err
	}
	if w.Course, err = firstOf(ctx, w, "courses"); err != nil {
		return err
	}
	if w.Key, err = newKey(); err != nil {
		return err
	}
	if err := json.NewEncoder(os.Stdout).Encode(w); err != nil {
		return err
	}
	select {} // the process is killed
}

// suspendedSchools is the number of schools for the attack that deletes schools. Each school has
// about 65,000 records.
const suspendedSchools = 3

// generate adds a school with generated data and returns its id and an API key.
func generate(ctx context.Context, a *app.App, name string, people int) (school.ID, string, error) {
	return kit.Import(ctx, a, demo.Generated(name, size(name, people)))
}

// size returns the size of a generated school.
func size(name string, people int) demo.Size {
	return demo.Size{
		People: people, Courses: people / 50, Categories: 10, Coupons: 10, Groups: people / 50,
		Enrollments: people * 5, Memberships: people * 2, Events: people, Answers: people, Seed: uint64(people + len(name)),
	}
}

// firstOf returns the id of the first record in one of the attacker's lists.
func firstOf(ctx context.Context, w serverInfo, list string) (string, error) {
	m := meter{serverInfo: w, client: newClient()}
	m.Victim = w.Attacker
	var found struct{ Data []struct{ ID string } }
	if m.get(ctx, http.MethodGet, "/v2/"+list+"?limit=1", nil, &found); len(found.Data) == 0 {
		return "", fmt.Errorf("the attacker has no %s", list)
	}
	return found.Data[0].ID, nil
}

// freePort returns an unused port for profiles.
func freePort() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "0"
	}
	defer func() { _ = l.Close() }()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

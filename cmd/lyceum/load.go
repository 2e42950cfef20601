package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"

	"lyceum/adapters/httpapi/transport"
	"lyceum/adapters/schoolfile"
	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/cmd/server"
	"lyceum/domain/school"
)

// schoolPlan is a school to be loaded at start, with what turns its errors into
// an operator's words.
type schoolPlan struct {
	app.Blueprint
	explain func(error) error
	demo    bool
	lines   string // name of the file of lines that tells of the school, instead of the blueprint
}

// loadedSchool is a school that was loaded.
type loadedSchool struct {
	app.Blueprint
	secrets []string // of the blueprint's keys, in their order
	demo    bool

	categories, courses, people int
}

// plans returns the schools to load, or why these settings do not allow it.
func (c *serveCmd) plans(cfg server.Config) ([]schoolPlan, error) {
	switch {
	case c.Demo:
		return demoPlan(cfg)
	case len(c.Load) == 0:
		return nil, nil
	case cfg.Store != server.Memory:
		return nil, errors.New("serve --load: is for the store memory only")
	}
	var plans []schoolPlan
	for _, name := range c.Load {
		if strings.HasSuffix(strings.ToLower(name), ".jsonl") {
			plans = append(plans, linesPlan(name))
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("serve --load: %w", err)
		}
		file, err := schoolfile.Parse(name, data)
		if err != nil {
			return nil, err
		}
		for i, b := range file.Schools {
			plans = append(plans, schoolPlan{b, func(err error) error { return file.Explain(i, err) }, false, ""})
		}
	}
	return plans, nil
}

// demoPlan keeps the key that everybody knows away from real records and from
// other machines.
func demoPlan(cfg server.Config) ([]schoolPlan, error) {
	if cfg.Store != server.Memory {
		return nil, errors.New("serve --demo: is for the store memory only")
	}
	host, _, _ := net.SplitHostPort(cfg.Transport.Addr) // checked with the other settings
	ip, err := netip.ParseAddr(host)
	if local := host == "localhost" || err == nil && ip.IsLoopback(); !local {
		return nil, fmt.Errorf("serve --demo: is for a loopback address only, not for addr %s", cfg.Transport.Addr)
	}
	if cfg.Transport.Mode == transport.Proxy {
		return nil, errors.New("serve --demo: is for this machine only, not for tls.mode proxy")
	}
	return []schoolPlan{{schoolfile.Demo(), func(err error) error { return err }, true, ""}}, nil
}

// linesPlan is the school of a file that export has written. It has no keys, so
// one is made.
func linesPlan(name string) schoolPlan {
	return schoolPlan{
		Blueprint: app.Blueprint{Keys: []app.KeyPlan{{Name: "admin"}}},
		explain:   func(err error) error { return fmt.Errorf("serve --load: %s: %w", name, err) },
		lines:     name,
	}
}

// load builds the schools.
func load(ctx context.Context, a *app.App, plans []schoolPlan) ([]loadedSchool, error) {
	var loaded []loadedSchool
	for _, p := range plans {
		build := loadBlueprint
		if p.lines != "" {
			build = loadLines
		}
		s, err := build(ctx, a, p)
		if err != nil {
			return nil, p.explain(err)
		}
		loaded = append(loaded, s)
	}
	return loaded, nil
}

func loadBlueprint(ctx context.Context, a *app.App, p schoolPlan) (loadedSchool, error) {
	state, secrets, err := a.Provision.Load(ctx, p.Blueprint)
	b := p.Blueprint
	b.School.ID, b.School.Name = state.ID.UUID, state.Name
	return loadedSchool{b, secrets, p.demo, len(b.Categories), len(b.Courses), len(b.People)}, err
}

// loadLines imports the school of a file, and makes a key for it.
func loadLines(ctx context.Context, a *app.App, p schoolPlan) (loadedSchool, error) {
	done, err := a.Transfers.ImportNew(ctx, app.Import{Open: func() (io.ReadCloser, error) { return os.Open(p.lines) }})
	if err != nil {
		return loadedSchool{}, err
	}
	s := loadedSchool{Blueprint: p.Blueprint}
	s.School.ID, s.School.Name = done.School.ID.UUID, done.School.Name
	for _, k := range done.Kinds {
		switch k.Kind {
		case transfer.CategoryKind:
			s.categories = k.Created
		case transfer.CourseKind:
			s.courses = k.Created
		case transfer.PersonKind:
			s.people = k.Created
		}
	}
	_, secret, err := a.Provision.CreateKey(ctx, done.School.ID, school.KeyTerms{Name: p.Keys[0].Name, Scope: school.Admin})
	s.secrets = []string{secret}
	return s, err
}

// greet tells the keys that were made with the school, which are not shown
// again, and how to use the demo's.
func (s loadedSchool) greet(say func(string, ...any), cfg server.Config, url string) {
	say("School %q (%s): %d categories, %d courses, %d people",
		s.School.Name, s.School.ID, s.categories, s.courses, s.people)
	for i, k := range s.Keys {
		if k.Secret == "" || s.demo {
			say("Key %q: %s", k.Name, s.secrets[i])
		}
	}
	if s.demo {
		flags := ""
		if cfg.Transport.Mode == transport.SelfSigned {
			flags = "--insecure "
		}
		say("Try it: curl %s-H 'X-Api-Key: %s' %s/v1/courses", flags, s.secrets[0], url)
	}
}

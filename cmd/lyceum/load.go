package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"

	"lyceum/adapters/demo"
	"lyceum/adapters/httpapi/transport"
	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/app/transfer/format"
	"lyceum/cmd/server"
	"lyceum/domain/school"
)

// schoolFile is a file whose school is loaded at start.
type schoolFile struct {
	name string
	open func() (io.ReadCloser, error)
	demo bool
}

// loadedSchool is a school that was loaded.
type loadedSchool struct {
	transfer.Imported
	keyName, secret string // of a key to show; blank: the file has its own
	demo            bool
}

// schools returns the files to load, or why these settings do not allow it.
func (c *serveCmd) schools(cfg server.Config) ([]schoolFile, error) {
	switch {
	case c.Demo:
		return []schoolFile{{"demo.jsonl", demo.School, true}}, demoAllowed(cfg)
	case len(c.Load) > 0 && cfg.Store != server.Memory:
		return nil, errors.New("serve --load: is for the store memory only")
	}
	files := make([]schoolFile, len(c.Load))
	for i, name := range c.Load {
		files[i] = schoolFile{name, func() (io.ReadCloser, error) { return os.Open(name) }, false}
	}
	return files, nil
}

// demoAllowed keeps the key that everybody knows away from real records and from
// other machines.
func demoAllowed(cfg server.Config) error {
	if cfg.Store != server.Memory {
		return errors.New("serve --demo: is for the store memory only")
	}
	host, _, _ := net.SplitHostPort(cfg.Transport.Addr) // checked with the other settings
	ip, err := netip.ParseAddr(host)
	if local := host == "localhost" || err == nil && ip.IsLoopback(); !local {
		return fmt.Errorf("serve --demo: is for a loopback address only, not for addr %s", cfg.Transport.Addr)
	}
	if cfg.Transport.Mode == transport.Proxy {
		return errors.New("serve --demo: is for this machine only, not for tls.mode proxy")
	}
	return nil
}

// load imports the schools of files.
func load(ctx context.Context, a *app.App, files []schoolFile) ([]loadedSchool, error) {
	var loaded []loadedSchool
	for _, f := range files {
		s, err := f.load(ctx, a)
		if err != nil {
			return nil, fmt.Errorf("serve --load: %s: %w", f.name, err)
		}
		loaded = append(loaded, s)
	}
	return loaded, nil
}

// load imports the school. One without an API key in its file gets one.
func (f schoolFile) load(ctx context.Context, a *app.App) (loadedSchool, error) {
	s := loadedSchool{demo: f.demo}
	var err error
	if s.Imported, err = a.Transfers.ImportNew(ctx, transfer.Import{Open: f.open}); err != nil {
		return s, err
	}
	switch {
	case s.demo:
		s.keyName, s.secret = "Demo", demo.Key
	case s.created(format.APIKeyKind) == 0:
		s.keyName = "admin"
		_, s.secret, err = a.Provision.CreateKey(ctx, s.School.ID, school.KeyTerms{Name: s.keyName, Scope: school.Admin})
	}
	return s, err
}

// created returns how many records of a kind the file had.
func (s loadedSchool) created(kind string) int {
	for _, k := range s.Kinds {
		if k.Kind == kind {
			return k.Created
		}
	}
	return 0
}

// greet shows the key that was made with the school, which is not shown again, and
// how to use the demo's.
func (s loadedSchool) greet(say func(string, ...any), cfg server.Config, url string) {
	say("School %q (%s): %d categories, %d courses, %d people", s.School.Name, s.School.ID,
		s.created(format.CategoryKind), s.created(format.CourseKind), s.created(format.PersonKind))
	if s.secret != "" {
		say("Key %q: %s", s.keyName, s.secret)
	}
	if s.demo {
		flags := ""
		if cfg.Transport.Mode == transport.SelfSigned {
			flags = "--insecure "
		}
		say("Try it: curl %s-H 'X-Api-Key: %s' %s/v1/courses", flags, s.secret, url)
	}
}

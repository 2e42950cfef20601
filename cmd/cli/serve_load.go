package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"

	"lyceum/adapters/demo"
	"lyceum/adapters/httpapi/transport"
	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/app/transfer/format"
	"lyceum/cmd/server"
	"lyceum/domain/school"
)

// schoolFile is a school file to load at startup.
type schoolFile struct {
	name string
	open func() (io.ReadCloser, error)
	demo bool
}

// newSchool is the file of an empty school. serve loads it into a memory store that would otherwise
// have no school.
var newSchool = schoolFile{"the new school", func() (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(
		fmt.Sprintf(`{"kind": "school", "format": %d, "name": "My school"}`+"\n"+`{"kind": "end"}`, format.Format))), nil
}, false}

type loaded struct {
	transfer.ImportResult
	keyName, secret string // name and secret of the key to print; blank: none
	demo            bool
}

// schools returns the files to load, or an error if the settings do not allow them.
func (c *serveCmd) schools(cfg server.Config) ([]schoolFile, error) {
	switch {
	case c.Demo:
		return []schoolFile{{"demo.jsonl", demo.School, true}}, demoAllowed(cfg)
	case len(c.Load) > 0 && cfg.Store != server.Memory:
		return nil, errors.New("serve --load: is allowed only with --store=memory")
	}
	files := make([]schoolFile, len(c.Load))
	for i, name := range c.Load {
		files[i] = schoolFile{name, func() (io.ReadCloser, error) { return os.Open(name) }, false}
	}
	return files, nil
}

// demoAllowed returns an error if the demo school, whose key is public, would be loaded next to
// real data, or could be used from other machines.
func demoAllowed(cfg server.Config) error {
	if cfg.Store != server.Memory {
		return errors.New("serve --demo: is allowed only with --store=memory")
	}
	host, _, _ := net.SplitHostPort(cfg.Transport.Addr) // validated with the other settings
	ip, err := netip.ParseAddr(host)
	if local := host == "localhost" || err == nil && ip.IsLoopback(); !local {
		return fmt.Errorf("serve --demo: requires a loopback address (addr is %s)", cfg.Transport.Addr)
	}
	if cfg.Transport.Mode == transport.Proxy {
		return errors.New("serve --demo: is not allowed with --tls.mode=proxy")
	}
	return nil
}

func load(ctx context.Context, a *app.App, files []schoolFile) ([]loaded, error) {
	var loaded []loaded
	for _, f := range files {
		s, err := f.load(ctx, a)
		if err != nil {
			return nil, fmt.Errorf("serve --load: %s: %w", f.name, err)
		}
		loaded = append(loaded, s)
	}
	return loaded, nil
}

// load imports the school. It creates an API key if the file contains none and is not the demo
// school.
func (f schoolFile) load(ctx context.Context, a *app.App) (loaded, error) {
	s := loaded{demo: f.demo}
	var err error
	if s.ImportResult, err = a.Transfers.ImportNew(ctx, transfer.Import{Open: f.open}); err != nil {
		return s, err
	}
	switch {
	case s.demo:
		s.keyName, s.secret = "Demo", demo.Key
	case s.created(format.APIKeyKind) == 0:
		s.keyName = "admin"
		_, s.secret, err = a.Provision.CreateKey(ctx, s.School.ID, school.KeyParams{Name: s.keyName, Scope: school.Admin})
	}
	return s, err
}

// created returns the number of records of a kind that the import created.
func (s loaded) created(kind string) int {
	for _, k := range s.Kinds {
		if k.Kind == kind {
			return k.Created
		}
	}
	return 0
}

// printBanner prints what was loaded, the key, and a command to try it.
func (s loaded) printBanner(say func(string, ...any), cfg server.Config, url string) {
	say("School %q (%s): %d categories, %d courses, %d people", s.School.Name, s.School.ID,
		s.created(format.CategoryKind), s.created(format.CourseKind), s.created(format.PersonKind))
	if s.secret != "" {
		say("Key %q: %s", s.keyName, s.secret)
		if !s.demo {
			say("The key is not shown again.")
		}
		flags := ""
		if cfg.Transport.Mode == transport.SelfSigned {
			flags = "--insecure "
		}
		say("Try it: curl %s-H 'X-Api-Key: %s' %s/v2/courses", flags, s.secret, url)
	}
}

// warnWithoutSchool explains how to create a school and sign in on the server at url, if there is
// no school.
func (t terminal) warnWithoutSchool(ctx context.Context, a *app.App, url string) error {
	all, err := a.Provision.Schools(ctx)
	switch {
	case ctx.Err() != nil:
		err = nil // the server is stopping
	case err == nil && len(all) == 0:
		_, err = fmt.Fprintf(t.out, `There is no school yet. Create one, an API key, and a link that signs the owner in to the teaching app:
  %[1]s school create --name "My school" --owner me@example.test
  %[1]s key create --school "My school"
  %[1]s sign-in-link --school "My school" --person me@example.test --base-url %[2]s
`, t.program, url)
	}
	return err
}

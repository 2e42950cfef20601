package server

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"lyceum/adapters/files"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/transport"
	"lyceum/adapters/mail"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/adapters/telemetry"
	"lyceum/adapters/worker"
	"lyceum/app"
	"lyceum/domain/invitation"
)

// Store is where the server keeps its records.
type Store string

// The stores.
const (
	// Memory keeps records as long as the process runs, and no longer.
	Memory Store = "memory"
	// Postgres keeps records in a PostgreSQL database.
	Postgres Store = "postgres"
)

// Config is what a server is assembled by. Defaults returns one that works.
type Config struct {
	Store     Store
	Postgres  pgdb.Config   // for the store Postgres
	Name      string        // stable over restarts; blank: the host name and the address to listen on
	Links     httpapi.Links // blank ones follow from the address listened on
	Transport transport.Config
	Reference bool             // whether /docs shows the reference page of the API
	Mail      mail.Config      // its Link follows from Links
	Admission limits.Admission // zero fields follow from the store
	Rates     limits.Rates     // bound how often clients send requests
	Quotas    app.Quotas       // bound what a school may hold
	Worker    worker.Config    // work behind the requests
	Files     files.Config     // what people hand in
	Metrics   telemetry.Config // its Store follows from Store
	Log       *slog.Logger     // nil: nothing is logged

	// LogClients names the address and the user agent of clients in the log.
	LogClients bool
	// LocalOnly refuses requests to other hosts than this machine, see
	// httpapi.Config.
	LocalOnly bool

	// InvitationLifetime is how long the links in letters hold, from a minute to a
	// year.
	InvitationLifetime time.Duration
	// InvitationsPerDay is how many invitation emails a school sends in a day (UTC);
	// 0: no limit. The others wait for the next day.
	InvitationsPerDay int
}

// Defaults returns the configuration of a server in memory for the machine
// itself.
func Defaults() Config {
	return Config{
		Store: Memory, Transport: transport.Defaults(), Reference: true, LogClients: true,
		Admission: limits.Admission{Waiting: 512, Wait: 1500 * time.Millisecond, RefusalDelay: time.Second},
		Rates:     limits.Rates{WrongKeys: 60, UnknownTokens: 60},
		Mail:      mail.Defaults(), Worker: worker.Defaults(), Files: files.Defaults(), InvitationLifetime: invitation.Lifetime,
		InvitationsPerDay: invitation.MessagesPerDay,
	}
}

// Validate returns all that is wrong with c, each beginning with the name that
// the setting has on the command line, joined by errors.Join.
func (c Config) Validate() error {
	return errors.Join(c.checkName(), c.checkStore(), c.checkLinks(), c.Transport.Validate(), c.Mail.Validate(), c.Worker.Validate(),
		c.checkFiles(), c.checkInvitations(), c.checkAdmission(), c.Metrics.Validate())
}

func (c Config) checkInvitations() error {
	const year = 365 * 24 * time.Hour
	var errs []error
	if c.InvitationLifetime < time.Minute || c.InvitationLifetime > year {
		errs = append(errs, errors.New("invitations.lifetime: is not from 1m to 8760h"))
	}
	if c.InvitationsPerDay < 0 {
		errs = append(errs, errors.New("invitations.per-day: must not be negative"))
	}
	return errors.Join(errs...)
}

// maxRate is the most requests in a minute that a limit can be set to.
const maxRate = 1_000_000

func (c Config) checkAdmission() error {
	var errs []error
	a := c.Admission
	for _, s := range []struct {
		name  string
		value int
	}{{"slots", a.Slots}, {"expensive-slots", a.Expensive}, {"queue", a.Waiting}} {
		if s.value < 0 {
			errs = append(errs, fmt.Errorf("admission.%s: must not be negative", s.name))
		}
	}
	for _, s := range []struct {
		name  string
		value int
	}{{"key", c.Rates.Key}, {"wrong-keys", c.Rates.WrongKeys}, {"unknown-tokens", c.Rates.UnknownTokens}} {
		if s.value < 0 || s.value > maxRate {
			errs = append(errs, fmt.Errorf("rates.%s: is not from 0 to %d", s.name, maxRate))
		}
	}
	if a.Wait < 0 || a.Wait > time.Minute {
		errs = append(errs, errors.New("admission.wait: is not from 0 to 1m"))
	}
	return errors.Join(errs...)
}

// admission returns the bounds of the requests that run at a time. On the store
// Postgres they follow from the pool: cheap requests share its connections, of
// which expensive ones get a quarter.
func (c Config) admission() limits.Admission {
	a := c.Admission
	if c.Store != Postgres {
		return a
	}
	conns := c.Postgres.MaxConns
	if conns == 0 {
		conns = pgdb.DefaultMaxConns
	}
	if a.Slots == 0 {
		a.Slots = 4 * conns
	}
	if a.Expensive == 0 {
		a.Expensive = max(1, conns/4)
	}
	return a
}

func (c Config) checkStore() error {
	var errs []error
	switch c.Store {
	case Memory:
	case Postgres:
		if c.Postgres.DSN == "" {
			errs = append(errs, errors.New("database.url: is missing, store postgres needs it"))
		}
	default:
		errs = append(errs, fmt.Errorf("store: %q is not one of memory, postgres", c.Store))
	}
	switch c.Postgres.Pooler {
	case "", pgdb.PoolerNone, pgdb.PoolerTransaction:
	default:
		errs = append(errs, fmt.Errorf("database.pooler: %q is not one of none, transaction", c.Postgres.Pooler))
	}
	if c.Postgres.MaxConns < 0 {
		errs = append(errs, errors.New("database.pool-size: must not be negative"))
	}
	if c.Postgres.StatementTimeout < 0 {
		errs = append(errs, errors.New("database.statement-timeout: must not be negative"))
	}
	if c.Postgres.DialTimeout < 0 {
		errs = append(errs, errors.New("database.connect-timeout: must not be negative"))
	}
	return errors.Join(errs...)
}

// checkFiles makes sure that files are kept as long as the records that tell of
// them.
func (c Config) checkFiles() error {
	err := c.Files.Validate()
	if c.Store == Postgres && c.Files.Dir == "" {
		err = errors.Join(err, errors.New("files.dir: is missing, store postgres needs it"))
	}
	return err
}

func (c Config) checkLinks() error {
	return errors.Join(
		checkBase("base-url", c.Links.Base), checkBase("app-url", c.Links.App),
		checkBase("academy-url", c.Links.Academy), checkBase("download-url", c.Links.Download),
	)
}

func checkBase(setting, base string) error {
	if base == "" {
		return nil
	}
	u, err := url.Parse(base)
	switch {
	case err != nil:
		return fmt.Errorf("%s: is not an address", setting) // the parser's error may quote a password
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return fmt.Errorf("%s: must be absolute, such as https://school.example", setting)
	case u.User != nil, u.RawQuery != "", u.ForceQuery, u.Fragment != "":
		return fmt.Errorf("%s: must have no user, query or fragment", setting)
	}
	return nil
}

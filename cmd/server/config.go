package server

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"time"

	"lyceum/adapters/files"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/httpapi/invitationpage"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/transport"
	"lyceum/adapters/mail"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/adapters/telemetry"
	"lyceum/adapters/web"
	"lyceum/adapters/worker"
	"lyceum/app"
	"lyceum/app/bulk"
	"lyceum/app/jobs"
	"lyceum/app/webhooks"
	"lyceum/domain/idempotency"
	"lyceum/domain/invitation"
)

// Store is the kind of store that a server uses.
type Store string

// Values of Store.
const (
	// Memory keeps records in the memory of the process.
	Memory Store = "memory"
	// Postgres keeps records in a PostgreSQL database.
	Postgres Store = "postgres"
)

// Config configures a server. Defaults returns a valid Config.
type Config struct {
	Store       Store
	Postgres    pgdb.Config   // settings of the store Postgres
	Name        string        // name of the server, stable across restarts; blank: host name and listen address
	Secret      string        // encrypts the secrets of schools; blank: a random secret with Memory, otherwise none
	Links       httpapi.Links // blank fields: derived from the listener's address
	Transport   transport.Config
	Reference   bool             // whether /docs serves the API reference
	Compression bool             // whether responses are compressed
	Mail        mail.Config      // its Link and SignInLink are set from Links
	Admission   limits.Admission // zero fields: derived from the store
	Rates       limits.Rates     // rate limits of requests
	Quotas      app.Quotas       // quotas of each school
	Worker      worker.Config    // workers for background jobs
	Files       files.Config     // storage of submitted files
	Metrics     telemetry.Config // its Store is set from Store
	Log         *slog.Logger     // nil: no log
	Extension   Extension        // additions of another module

	// LogClients adds the address and the user agent of clients to the access log.
	LogClients bool
	// Look configures the invitation page.
	Look invitationpage.Look
	// Academy means that the server serves the pages for learners below /learn. It has no effect if
	// Links.Academy does not contain {school}, because the academy is then another site.
	Academy bool
	// Demo contains the people of the demo school who can enter its academy with a click; empty:
	// none.
	Demo []web.DemoPerson
	// DemoSlug is the slug of the demo school.
	DemoSlug string
	// DemoKey is the key of the demo school. The home page shows it; empty: none.
	DemoKey string
	// LocalOnly rejects requests for hosts other than this machine, see httpapi.Config.
	LocalOnly bool
	// Origins contains the origins of web pages that may call the API (CORS), or "*" alone for
	// every origin; empty: none.
	Origins []string
	// Media contains the origins from which pages of the academy may load videos and images; empty:
	// none.
	Media []string

	// OutgoingAllowed contains the networks with non-public addresses to which this server may send
	// requests that schools configure; empty: none.
	OutgoingAllowed []netip.Prefix

	// ReplicaReads contains the reads that replicas of the database serve (ExportReads,
	// AnalyticsReads, ListReads), if Postgres.ReplicaDSNs is not empty.
	ReplicaReads []string

	// ChangeDays is the number of days for which the change feed keeps a change, up to 36500. 0
	// means forever.
	ChangeDays int
	// AuditDays is the number of days for which the audit trail keeps an event, up to 36500. 0
	// means forever. Events are kept at least as long as changes.
	AuditDays int

	// WebhookDays is the number of days for which the deliveries of webhooks are kept, up to 36500.
	// 0 means until their endpoint is deleted.
	WebhookDays int
	// BulkDays is the number of days for which finished bulk jobs are kept, up to 36500. 0 means
	// until their school is deleted.
	BulkDays int
	// JobDays is the number of days for which dead jobs of emails and of bulk requests are kept, up
	// to 36500. 0 means until an operator retries them.
	JobDays int
	// ReplayHours is the number of hours for which the response to a request with an Idempotency-Key
	// is kept, from 24 to 8760.
	ReplayHours int

	// InvitationLifetime is the lifetime of invitation links, from one minute to one year.
	InvitationLifetime time.Duration
	// InvitationsPerDay is the maximum number of invitation emails of a school per day (UTC).
	// Further emails are sent on the next day. 0 means no limit.
	InvitationsPerDay int
}

// Defaults returns the configuration of a server with the store Memory on a loopback address.
func Defaults() Config {
	return Config{
		Store: Memory, Transport: transport.Defaults(), Reference: true, Compression: true, Academy: true, LogClients: true,
		Admission: limits.Admission{Waiting: 512, Wait: 1500 * time.Millisecond, RefusalDelay: time.Second},
		Rates:     limits.Rates{Learner: 600, WrongKeys: 60, UnknownTokens: 60},
		Mail:      mail.Defaults(), Worker: worker.Defaults(), Files: files.Defaults(), InvitationLifetime: invitation.LinkLifetime,
		InvitationsPerDay: invitation.MessagesPerDay, ChangeDays: int(app.ChangeRetention / day), AuditDays: int(app.AuditRetention / day),
		WebhookDays: int(webhooks.Retention / day), BulkDays: int(bulk.Retention / day), JobDays: int(jobs.Retention / day),
		ReplayHours:  int(idempotency.Retention / time.Hour),
		ReplicaReads: []string{ExportReads, AnalyticsReads, ListReads},
	}
}

// Validate returns the errors of all settings, joined. Each starts with the name of the setting's
// flag.
func (c Config) Validate() error {
	return errors.Join(c.checkName(), c.checkSecret(), c.checkStore(), c.checkReplicas(), c.checkLinks(), c.checkOrigins(), c.checkMedia(), c.Look.Validate(), c.Transport.Validate(), c.Mail.Validate(), c.Worker.Validate(),
		c.checkFiles(), c.checkInvitations(), c.checkDays("changes.retention-days", c.ChangeDays), c.checkDays("audit.retention-days", c.AuditDays), c.checkDays("webhooks.retention-days", c.WebhookDays),
		c.checkDays("bulk.retention-days", c.BulkDays), c.checkDays("jobs.retention-days", c.JobDays), c.checkReplays(), c.checkAdmission(), c.Metrics.Validate())
}

func (c Config) checkInvitations() error {
	const year = 365 * day
	var errs []error
	if c.InvitationLifetime < time.Minute || c.InvitationLifetime > year {
		errs = append(errs, errors.New("invitations.lifetime: must be between 1m and 8760h"))
	}
	if c.InvitationsPerDay < 0 {
		errs = append(errs, errors.New("invitations.per-day: must not be negative"))
	}
	return errors.Join(errs...)
}

// maxRate is the maximum of a rate limit, in requests per minute.
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
	}{{"key", c.Rates.Key}, {"learner", c.Rates.Learner}, {"wrong-keys", c.Rates.WrongKeys}, {"unknown-tokens", c.Rates.UnknownTokens}} {
		if s.value < 0 || s.value > maxRate {
			errs = append(errs, fmt.Errorf("rates.%s: must be between 0 and %d", s.name, maxRate))
		}
	}
	if a.Wait < 0 || a.Wait > time.Minute {
		errs = append(errs, errors.New("admission.wait: must be between 0 and 1m"))
	}
	return errors.Join(errs...)
}

// admission returns the limits of concurrent requests. With the store Postgres, the defaults depend
// on the size of the pool: four slots per connection for cheap requests, and one slot per four
// connections for expensive requests.
func (c Config) admission() limits.Admission {
	a := c.Admission
	if c.Store != Postgres {
		a.InMemory = true
		return a
	}
	conns := c.Postgres.MaxConns
	if conns == 0 {
		conns = pgdb.DefaultMaxConns
	}
	a.Connections = conns
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
			errs = append(errs, errors.New("database.url: is required with --store=postgres"))
		}
	default:
		errs = append(errs, fmt.Errorf("store: must be one of: memory, postgres; got %q", c.Store))
	}
	switch c.Postgres.Pooler {
	case "", pgdb.PoolerNone, pgdb.PoolerTransaction:
	default:
		errs = append(errs, fmt.Errorf("database.pooler: must be one of: none, transaction; got %q", c.Postgres.Pooler))
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

// checkFiles returns the errors of the settings for submitted files. The store Postgres requires a
// directory, because otherwise the records would outlast the files.
func (c Config) checkFiles() error {
	err := c.Files.Validate()
	if c.Store == Postgres && c.Files.Dir == "" {
		err = errors.Join(err, errors.New("files.dir: is required with --store=postgres"))
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
		return fmt.Errorf("%s: is not a valid URL", setting) // the parser's error may contain a password
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return fmt.Errorf("%s: must be absolute, such as https://school.example", setting)
	case u.User != nil, u.RawQuery != "", u.ForceQuery, u.Fragment != "":
		return fmt.Errorf("%s: must not contain a user name, query or fragment", setting)
	}
	return nil
}

package cli

import (
	"io"
	"log/slog"
	"net/netip"
	"strings"

	"lyceum/adapters/httpapi"
	"lyceum/adapters/httpapi/invitationpage"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/transport"
	"lyceum/adapters/mail"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/adapters/worker"
	"lyceum/app"
	"lyceum/cmd/server"
)

// read returns the secret of the server.
func (s secretSettings) read(r *settingsParser) string {
	return r.secret("server.secret", s.Secret, s.SecretFile)
}

// secret returns the secret of the server, for commands that do not serve.
func (s secretSettings) secret() (string, error) {
	var r settingsParser
	cfg := server.Defaults()
	cfg.Secret = s.read(&r)
	return cfg.Secret, r.with(cfg)
}

// read sets the listener's configuration.
func (s listenSettings) read(r *settingsParser, cfg *transport.Config) {
	cfg.Addr = s.Addr
	cfg.Mode = transport.Mode(s.TLS.Mode)
	cfg.CertFile, cfg.KeyFile = s.TLS.Cert, s.TLS.Key
	cfg.ACME = s.TLS.ACME.read()
	r.countOrNone("connections.max", s.Connections.Max, &cfg.MaxConnections)
	r.countOrNone("connections.per-network", s.Connections.PerNetwork, &cfg.PerNetwork)
	cfg.Proxies = r.prefixes("trusted-proxies", s.TrustedProxies)
}

// prefixes returns the networks in a comma-separated list of IP addresses and CIDR ranges.
func (r *settingsParser) prefixes(setting, list string) (all []netip.Prefix) {
	for _, text := range splitList(list) {
		prefix, err := parsePrefix(text)
		if err != nil {
			r.addError(setting, "%q is not an IP address or a CIDR range, such as 10.0.0.0/8", text)
			prefix = netip.PrefixFrom(netip.IPv6Unspecified(), 128) // placeholder, so that the list is not empty
		}
		all = append(all, prefix)
	}
	return all
}

func parsePrefix(text string) (netip.Prefix, error) {
	if addr, err := netip.ParseAddr(text); err == nil {
		addr = addr.Unmap()
		return addr.Prefix(addr.BitLen())
	}
	p, err := netip.ParsePrefix(text)
	return p.Masked(), err
}

func (s acmeSettings) read() transport.ACMEConfig {
	return transport.ACMEConfig{
		Hosts: splitList(s.Hosts), Email: s.Email, Directory: s.Directory, Authority: s.Authority,
		Cache: s.Cache, HTTPAddr: s.HTTPAddr,
	}
}

// read returns the allowed origins.
func (s corsSettings) read() []string { return splitList(s.Origins) }

// splitList returns the elements of a comma-separated list, without spaces around them. It omits
// empty elements.
func splitList(list string) []string {
	var all []string
	for text := range strings.SplitSeq(list, ",") {
		if text = strings.TrimSpace(text); text != "" {
			all = append(all, text)
		}
	}
	return all
}

func (s linkSettings) read() httpapi.Links {
	return httpapi.Links{Base: s.BaseURL, App: s.AppURL, Academy: s.AcademyURL, Download: s.DownloadURL}
}

func (s pageSettings) read(cfg *server.Config) {
	cfg.Look = invitationpage.Look{Logo: s.Logo, Color: s.Color, Folder: s.Templates}
	cfg.Mail.Templates = s.Templates
}

func (s responseSettings) read(r *settingsParser, cfg *server.Config) {
	cfg.Reference = r.toggle("docs", s.Docs)
	cfg.Academy = r.toggle("academy", s.Academy)
	cfg.Media = splitList(s.MediaSrc)
	cfg.Compression = r.toggle("compression", s.Compression)
}

func (s storeSettings) read(r *settingsParser, cfg *server.Config) {
	cfg.Store = server.Store(s.Store)
	if cfg.Store == server.Postgres {
		cfg.Files.Dir = filesFolder
	}
	cfg.Postgres.DSN = r.secret("database.url", s.Database.URL, s.Database.URLFile)
	cfg.Postgres.DirectDSN = r.secret("database.direct-url", s.Database.DirectURL, s.Database.DirectURLFile)
	cfg.Postgres.ReplicaDSNs = splitList(r.secret("database.replica-urls", s.Database.ReplicaURLs, s.Database.ReplicaURLsFile))
	cfg.ReplicaReads = splitList(s.Database.ReplicaReads)
	r.positiveDuration("database.replica-age", s.Database.ReplicaAge, &cfg.Postgres.ReplicaAge)
	cfg.Postgres.Pooler = pgdb.Pooler(s.Database.Pooler)
	cfg.Postgres.MaxConns = 0
	r.count("database.pool-size", s.Database.PoolSize, &cfg.Postgres.MaxConns)
	r.positiveDuration("database.statement-timeout", s.Database.StatementTimeout, &cfg.Postgres.StatementTimeout)
	r.positiveDuration("database.connect-timeout", s.Database.ConnectTimeout, &cfg.Postgres.DialTimeout)
}

// filesFolder is the default directory of submitted files with --store=postgres.
const filesFolder = "lyceum-files"

func (s fileSettings) read(r *settingsParser, cfg *server.Config) {
	if s.Dir != "" {
		cfg.Files.Dir = s.Dir
	}
	cfg.Files.Secret = r.secret("files.secret", s.Secret, s.SecretFile)
	size := int(cfg.Files.MaxSize)
	r.count("files.max-size", s.MaxSize, &size)
	cfg.Files.MaxSize = int64(size)
}

func (s mailSettings) read(r *settingsParser, cfg *mail.Config) {
	cfg.Mode, cfg.TLS = mail.Mode(s.Mode), mail.TLS(s.TLS)
	cfg.Language = mail.Language(s.Language)
	cfg.From, cfg.Host, cfg.HELO = s.From, s.Host, s.HELO
	r.count("mail.port", s.Port, &cfg.Port)
	cfg.Username, cfg.Password = s.Username, r.secret("mail.password", s.Password, s.PasswordFile)
	r.positiveDuration("mail.timeout", s.Timeout, &cfg.Timeout)
}

func (s admissionSettings) read(r *settingsParser, a *limits.Admission) {
	for _, n := range []struct {
		setting, text string
		to            *int
	}{
		{"slots", s.Slots, &a.Slots},
		{"expensive-slots", s.Expensive, &a.Expensive},
		{"queue", s.Queue, &a.Waiting},
	} {
		if n.text == "0" && n.to != &a.Waiting {
			*n.to = 0
			continue
		}
		r.count("admission."+n.setting, n.text, n.to)
	}
	r.positiveDuration("admission.wait", s.Wait, &a.Wait)
}

func (s rateSettings) read(r *settingsParser, to *limits.Rates) {
	r.countOrNone("rates.key", s.Key, &to.Key)
	r.countOrNone("rates.learner", s.Learner, &to.Learner)
	r.countOrNone("rates.wrong-keys", s.WrongKeys, &to.WrongKeys)
	r.countOrNone("rates.unknown-tokens", s.UnknownTokens, &to.UnknownTokens)
}

func (s quotaSettings) read(r *settingsParser, to *app.Quotas) {
	for _, n := range []struct {
		setting, text string
		to            *int64
	}{{"people", s.People, &to.People}, {"bytes", s.Bytes, &to.Bytes}} {
		quota := int(*n.to)
		r.countOrNone("quotas."+n.setting, n.text, &quota)
		*n.to = int64(quota)
	}
}

func (s workerSettings) read(r *settingsParser, cfg *worker.Config) {
	r.countOrNone("worker.count", s.Count, &cfg.Count)
	r.positiveDuration("worker.poll", s.Poll, &cfg.Poll)
}

func (s migrationSettings) read(r *settingsParser, cfg *server.Config) {
	cfg.Postgres.MigrateAtStart = r.toggle("migrate", s.Migrate)
}

func (s shutdownSettings) read(r *settingsParser, cfg *transport.Config) {
	r.duration("shutdown.timeout", s.Timeout, &cfg.ShutdownTimeout)
	r.duration("shutdown.delay", s.Delay, &cfg.ShutdownDelay)
}

func (s metricsSettings) read(r *settingsParser, cfg *server.Config) {
	cfg.Metrics.Addr, cfg.Metrics.Open = s.Addr, r.toggle("metrics.open", s.Open)
	cfg.Metrics.Version = buildVersion()
}

func (s logSettings) read(r *settingsParser, w io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{}
	switch s.Level {
	case "debug":
		options.Level = slog.LevelDebug
	case "info":
	case "warn":
		options.Level = slog.LevelWarn
	case "error":
		options.Level = slog.LevelError
	default:
		r.addError("log.level", "must be one of: debug, info, warn, error; got %q", s.Level)
	}
	switch s.Format {
	case "text":
		return slog.New(slog.NewTextHandler(w, options))
	case "json":
		return slog.New(slog.NewJSONHandler(w, options))
	}
	r.addError("log.format", "must be one of: text, json; got %q", s.Format)
	return nil
}

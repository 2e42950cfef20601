package cli

import (
	"fmt"
	"strconv"

	"github.com/alecthomas/kong"
	"lyceum/cmd/server"
)

// Settings are parsed by settings_read.go, not by kong, so that all their errors are reported
// together. The name of a setting is that of its flag. A command has only the settings that it
// needs.
type (
	serverSettings struct {
		Name string `help:"Name of this server: unique among the servers on the database and unchanged by a restart. Defaults to the host name and addr." placeholder:"NAME"`
	}

	listenSettings struct {
		Addr           string      `help:"Address to listen on, host:port. An empty host means all addresses; port 0 picks a free port." default:"${addr}"`
		TLS            tlsSettings `embed:"" prefix:"tls."`
		TrustedProxies string      `help:"Trusted proxies for tls.mode proxy: IP addresses or CIDR ranges, separated by commas." placeholder:"LIST"`
	}

	tlsSettings struct {
		Mode string `help:"TLS mode: off (plain HTTP, this machine only), self-signed (a certificate generated at startup), files (tls.cert and tls.key), proxy (plain HTTP from trusted-proxies only), insecure (plain HTTP from anywhere)." default:"${tls_mode}"`
		Cert string `help:"PEM file with the certificate and its chain, for tls.mode files. Reloaded when it changes." placeholder:"FILE"`
		Key  string `help:"PEM file with the private key, for tls.mode files. Reloaded when it changes." placeholder:"FILE"`
	}

	linkSettings struct {
		BaseURL     string `name:"base-url" help:"URL of the API in links. Defaults to the scheme and address of the listener." placeholder:"URL"`
		AppURL      string `name:"app-url" help:"URL of the web application in links. Defaults to base-url/app." placeholder:"URL"`
		AcademyURL  string `name:"academy-url" help:"URL of the learners' site in links. Defaults to base-url/learn." placeholder:"URL"`
		DownloadURL string `name:"download-url" help:"URL of the file host in links. Defaults to base-url/files." placeholder:"URL"`
	}

	docsSettings struct {
		Docs toggle `help:"Serve the API reference at /docs (no key required)." default:"true"`
	}

	storeSettings struct {
		Store    string           `help:"Data store: memory (lost when the server stops) or postgres." default:"${store}"`
		Database databaseSettings `embed:"" prefix:"database."`
	}

	databaseSettings struct {
		URL              Secret `help:"PostgreSQL database, such as postgres://user:password@host/name?sslmode=verify-full." placeholder:"URL"`
		URLFile          string `name:"url-file" help:"File that holds database.url, for mounted secrets." placeholder:"FILE"`
		Pooler           string `help:"Connection pooler in front of the database: none (also for session pooling) or transaction (such as PgBouncer with pool_mode transaction)." default:"none"`
		DirectURL        Secret `name:"direct-url" help:"URL of the database without the pooler, for migrations, long transactions and notifications." placeholder:"URL"`
		DirectURLFile    string `name:"direct-url-file" help:"File that holds database.direct-url, for mounted secrets." placeholder:"FILE"`
		PoolSize         string `help:"Maximum number of database connections for requests and jobs. Readiness checks, notifications, exports and imports use additional connections." default:"12"`
		StatementTimeout string `help:"Timeout of one SQL statement." default:"15s"`
		ConnectTimeout   string `help:"How long to wait at startup for the database to become available." default:"5s"`
	}

	migrationSettings struct {
		Migrate toggle `help:"Apply pending migrations at startup."`
	}

	folderSettings struct {
		Dir string `help:"Directory for submitted files. Defaults to lyceum-files in the working directory; with store memory, files are kept in memory." placeholder:"DIR"`
	}

	fileSettings struct {
		folderSettings `embed:""`

		Secret     Secret `help:"Secret (at least 32 characters) that signs download links; use the same one on all servers. By default a random secret is generated at startup, so links are valid only on this server until it stops." placeholder:"TEXT"`
		SecretFile string `name:"secret-file" help:"File that holds files.secret, for mounted secrets." placeholder:"FILE"`
		MaxSize    string `name:"max-size" help:"Maximum size of a submitted file, in bytes." default:"${files_max_size}" placeholder:"BYTES"`
	}

	admissionSettings struct {
		Slots     string `help:"Maximum number of concurrent requests that are neither searches nor bulk requests. 0 means 4 per processor, or with store postgres 4 per connection of the pool." default:"0"`
		Expensive string `name:"expensive-slots" help:"Maximum number of concurrent searches and bulk requests. 0 means 1 per two processors, or with store postgres 1 per four connections of the pool." default:"0"`
		Queue     string `help:"Maximum number of requests of each class that wait for a slot; at most half of them can be from one school." default:"${admission_queue}"`
		Wait      string `help:"How long a request waits for a slot before the response is 503; at most 1m." default:"${admission_wait}"`
	}

	rateSettings struct {
		Key           string `help:"Maximum number of requests per minute with one API key; 0 means no limit." default:"${rates_key}"`
		WrongKeys     string `name:"wrong-keys" help:"Maximum number of requests per minute with invalid API keys from one client address (IPv6: one /64); 0 means no limit." default:"${rates_wrong_keys}"`
		UnknownTokens string `name:"unknown-tokens" help:"Maximum number of requests per minute for unknown invitations and downloads from one client address (IPv6: one /64); 0 means no limit." default:"${rates_unknown_tokens}"`
	}

	quotaSettings struct {
		People string `help:"Maximum number of people in a school; 0 means no limit." default:"0"`
		Bytes  string `help:"Maximum total size of the submitted files of a school, in bytes; 0 means no limit." default:"0"`
	}

	mailSettings struct {
		Mode         string `help:"Mail delivery: log (log only, nothing is sent) or smtp." default:"${mail_mode}"`
		From         string `help:"Sender address, such as Lyceum <no-reply@school.example>. Without a display name, the name of the school followed by \"via Lyceum\" is used." placeholder:"ADDRESS"`
		Host         string `help:"SMTP server host." placeholder:"HOST"`
		Port         string `help:"SMTP server port; usually 587, or 465 with mail.tls implicit." default:"${mail_port}"`
		Username     string `help:"SMTP user name. If empty, SMTP authentication is off." placeholder:"NAME"`
		Password     Secret `help:"SMTP password." placeholder:"TEXT"`
		PasswordFile string `name:"password-file" help:"File that holds mail.password, for mounted secrets." placeholder:"FILE"`
		TLS          string `name:"tls" help:"Encryption of the SMTP connection: mandatory (STARTTLS required), opportunistic (STARTTLS if offered), implicit (from the first byte) or none." default:"${mail_tls}"`
		HELO         string `name:"helo" help:"HELO/EHLO name. Defaults to the host name." placeholder:"HOST"`
		Timeout      string `help:"Timeout for delivering one message (at most 1m)." default:"${mail_timeout}"`
	}

	invitationSettings struct {
		Lifetime string `help:"Lifetime of invitation links, from 1m to 8760h." default:"${invitations_lifetime}"`
		PerDay   string `name:"per-day" help:"Maximum number of invitation emails of a school per day (UTC); further ones wait for the next day. 0 means no limit." default:"${invitations_per_day}"`
	}

	workerSettings struct {
		Count string `help:"Concurrent background jobs of each kind; 0 disables background work on this server." default:"${worker_count}"`
		Poll  string `help:"How often to poll for jobs without a notification, such as retries." default:"${worker_poll}"`
	}

	logSettings struct {
		Clients toggle `help:"Log the IP address and the user agent of clients in the access log." default:"true"`
		Level   string `help:"Minimum log level: debug, info, warn or error." default:"info"`
		Format  string `help:"Log format on standard error: text or json." default:"text"`
	}

	metricsSettings struct {
		Addr string `help:"Address (host:port) for metrics (/metrics) and profiles (/debug/pprof/). No authentication: keep it private. Off by default." placeholder:"ADDRESS"`
		Open toggle `help:"Allow a metrics.addr that is reachable from other machines."`
	}

	shutdownSettings struct {
		Timeout string `help:"How long in-flight requests may run after SIGINT or SIGTERM." default:"${shutdown_timeout}"`
		Delay   string `help:"How long to keep serving with /readyz at 503 before shutdown begins, so that load balancers can react." default:"${shutdown_delay}"`
	}
)

// settingGroups are the headings of settings in the help. A flag with a heading is a setting; other
// flags belong to one command.
var settingGroups = []kong.Group{
	{Key: "listen", Title: "Settings: listening"},
	{Key: "links", Title: "Settings: links"},
	{Key: "store", Title: "Settings: store"},
	{Key: "admission", Title: "Settings: concurrency limits"},
	{Key: "rates", Title: "Settings: rate limits"},
	{Key: "quotas", Title: "Settings: quotas"},
	{Key: "mail", Title: "Settings: mail"},
	{Key: "worker", Title: "Settings: background work"},
	{Key: "log", Title: "Settings: log"},
	{Key: "metrics", Title: "Settings: metrics"},
	{Key: "shutdown", Title: "Settings: shutdown"},
}

// defaults returns the default values of settings, for the help.
func defaults() kong.Vars {
	d := server.Defaults()
	return kong.Vars{
		"addr": d.Transport.Addr, "tls_mode": string(d.Transport.Mode), "store": string(d.Store),
		"shutdown_timeout": d.Transport.ShutdownTimeout.String(), "shutdown_delay": d.Transport.ShutdownDelay.String(),
		"files_max_size": strconv.FormatInt(d.Files.MaxSize, 10),
		"mail_mode":      string(d.Mail.Mode), "mail_port": strconv.Itoa(d.Mail.Port), "mail_tls": string(d.Mail.TLS),
		"mail_timeout": d.Mail.Timeout.String(), "invitations_lifetime": d.InvitationLifetime.String(),
		"invitations_per_day": strconv.Itoa(d.InvitationsPerDay),
		"admission_queue":     strconv.Itoa(d.Admission.Waiting), "admission_wait": d.Admission.Wait.String(),
		"rates_key": strconv.Itoa(d.Rates.Key), "rates_wrong_keys": strconv.Itoa(d.Rates.WrongKeys),
		"rates_unknown_tokens": strconv.Itoa(d.Rates.UnknownTokens),
		"worker_count":         strconv.Itoa(d.Worker.Count), "worker_poll": d.Worker.Poll.String(),
	}
}

var _ kong.MapperValue = (*toggle)(nil)

// toggle is the text of a boolean setting.
type toggle string

// IsBool reports that the flag needs no value.
func (toggle) IsBool() bool { return true }

// Decode reads the flag's value. A flag without a value is true.
func (t *toggle) Decode(ctx *kong.DecodeContext) error {
	*t = "true"
	if ctx.Scan.Peek().Type == kong.FlagValueToken {
		*t = toggle(fmt.Sprint(ctx.Scan.Pop().Value))
	}
	return nil
}

func (t toggle) on() (bool, error) {
	if t == "" {
		return false, nil
	}
	return strconv.ParseBool(string(t))
}

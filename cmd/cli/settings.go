package cli

import (
	"fmt"
	"strconv"

	"github.com/alecthomas/kong"
	"lyceum/cmd/server"
)

// Settings are parsed by settings_read.go, not by kong, so that all their errors are reported
// together. The name of a setting is the name of its flag. A command has only the settings that it
// needs.
type (
	serverSettings struct {
		Name string `help:"Unique name of this server among the servers that share the database. It must not change on restart. After a restart, the server recognizes its own jobs by this name and resumes them. Defaults to the host name and addr." placeholder:"NAME"`

		secretSettings `embed:""`
	}

	secretSettings struct {
		Secret     Secret `help:"Secret that encrypts the secrets of schools in the database, at least 32 characters. Use the same secret on all servers. By default, with --store=postgres, such secrets cannot be saved." placeholder:"TEXT"`
		SecretFile string `name:"secret-file" help:"File that contains the value of server.secret, such as a mounted secret." placeholder:"FILE"`
	}

	outgoingSettings struct {
		Allow string `help:"Non-public IP addresses or CIDR ranges, separated by commas, to which this server may send requests that schools configure, such as those to identity providers. By default only public addresses are allowed." placeholder:"LIST"`
	}

	listenSettings struct {
		Addr           string             `help:"Address to listen on, host:port. An empty host listens on all addresses. Port 0 picks a free port." default:"${addr}"`
		TLS            tlsSettings        `embed:"" prefix:"tls."`
		TrustedProxies string             `help:"IP addresses or CIDR ranges of the trusted proxies, separated by commas. Required with --tls.mode=proxy." placeholder:"LIST"`
		Connections    connectionSettings `embed:"" prefix:"connections."`
	}

	tlsSettings struct {
		Mode string       `help:"TLS mode: off (plain HTTP, this machine only), self-signed (a certificate generated at startup), files (tls.cert and tls.key), acme (certificates from an authority such as Let's Encrypt), proxy (plain HTTP from trusted-proxies only), insecure (plain HTTP from anywhere)." default:"${tls_mode}"`
		Cert string       `help:"PEM file with the certificate and its chain. Required with --tls.mode=files. Reloaded when it changes." placeholder:"FILE"`
		Key  string       `help:"PEM file with the private key. Required with --tls.mode=files. Reloaded when it changes." placeholder:"FILE"`
		ACME acmeSettings `embed:"" prefix:"acme."`
	}

	acmeSettings struct {
		Hosts     string `help:"Host names of the certificates, separated by commas. Required with --tls.mode=acme." placeholder:"LIST"`
		Cache     string `help:"Directory for the account key and the certificates. Required with --tls.mode=acme." placeholder:"DIR"`
		Email     string `help:"Email address for notices from the certificate authority." placeholder:"EMAIL"`
		HTTPAddr  string `name:"http-addr" help:"Plain HTTP address, host:port, that answers challenges of the certificate authority and redirects pages to HTTPS. Empty turns it off." default:"${acme_http_addr}"`
		Directory string `help:"URL of the ACME directory." default:"${acme_directory}"`
		Authority string `help:"PEM file with the CA certificates to trust for the ACME directory. Defaults to the certificates of the system." placeholder:"FILE"`
	}

	connectionSettings struct {
		Max        string `help:"Maximum number of open connections. 0 means as many as the open-file limit allows, up to 4096." default:"0"`
		PerNetwork string `name:"per-network" help:"Maximum number of open connections per IPv4 address or IPv6 /64. Does not apply to trusted-proxies. 0 means a quarter of connections.max." default:"0"`
	}

	corsSettings struct {
		Origins string `help:"Origins of web pages that may call the API from a browser, such as https://learn.example, separated by commas. * allows every origin. Off by default." placeholder:"LIST"`
	}

	linkSettings struct {
		BaseURL     string `name:"base-url" help:"Base URL of links to the API. Defaults to the scheme and address of this server." placeholder:"URL"`
		AppURL      string `name:"app-url" help:"Base URL of links to the web application, in which {school} stands for the slug of the school. Defaults to base-url followed by /app/{school}: the teaching app of this server." placeholder:"URL"`
		AcademyURL  string `name:"academy-url" help:"Base URL of links to the learners' site, in which {school} stands for the slug of the school. Defaults to base-url followed by /learn/{school}: the academy of this server." placeholder:"URL"`
		DownloadURL string `name:"download-url" help:"Base URL of links to submitted files. Defaults to base-url followed by /files." placeholder:"URL"`
	}

	pageSettings struct {
		Logo      string `help:"HTTPS URL of the logo image on the invitation page." placeholder:"URL"`
		Color     string `help:"Color of the button and links on the invitation page, such as #3157d5." placeholder:"COLOR"`
		Templates string `help:"Directory with templates that replace the invitation page and emails: invitation-page.html, invitation.txt.tmpl, invitation.html.tmpl, sign-in.txt.tmpl, sign-in.html.tmpl." placeholder:"DIR"`
	}

	responseSettings struct {
		Docs        toggle `help:"Serve the API reference at /docs, without an API key. On by default; --docs=false turns it off." default:"true"`
		Academy     toggle `help:"Serve the academy, the pages for learners, at /learn. On by default; --academy=false turns it off. Has no effect if academy-url does not contain {school}, because the academy is then another site." default:"true"`
		MediaSrc    string `name:"media-src" help:"Origins from which the academy shows videos and images, such as https://media.example.org, separated by commas. Videos and images from other origins are shown as links." placeholder:"LIST"`
		Compression toggle `help:"Compress responses with gzip for clients that accept it. On by default; --compression=false turns it off." default:"true"`
	}

	storeSettings struct {
		Store    string           `help:"Data store: memory (data is lost when the server stops) or postgres." default:"${store}"`
		Database databaseSettings `embed:"" prefix:"database."`
	}

	databaseSettings struct {
		URL              Secret `help:"URL of the PostgreSQL database, such as postgres://user:password@host/name?sslmode=verify-full." placeholder:"URL"`
		URLFile          string `name:"url-file" help:"File that contains the value of database.url, such as a mounted secret." placeholder:"FILE"`
		Pooler           string `help:"Connection pooler in front of the database: none (no pooler, or one in session mode) or transaction (a pooler in transaction mode, such as PgBouncer with pool_mode=transaction)." default:"none"`
		DirectURL        Secret `name:"direct-url" help:"URL that bypasses the pooler, for migrations, long transactions and notifications. Used with --database.pooler=transaction." placeholder:"URL"`
		DirectURLFile    string `name:"direct-url-file" help:"File that contains the value of database.direct-url, such as a mounted secret." placeholder:"FILE"`
		ReplicaURLs      Secret `name:"replica-urls" help:"URLs of streaming replicas of the database that serve reads, separated by commas, each with one host. A replica that is away or older than database.replica-age is not used." placeholder:"LIST"`
		ReplicaURLsFile  string `name:"replica-urls-file" help:"File that contains the value of database.replica-urls, such as a mounted secret." placeholder:"FILE"`
		ReplicaAge       string `name:"replica-age" help:"Maximum age of the state that a replica may show. A key that has written within this time reads from the primary." default:"5s"`
		ReplicaReads     string `name:"replica-reads" help:"Reads that replicas serve: exports (including whole lists as CSV), analytics, and lists whose client sends Cache-Control: max-stale. The primary serves all other reads." default:"exports,analytics,lists"`
		PoolSize         string `help:"Maximum number of database connections for requests and jobs. Readiness checks, notifications, the lock on server.name, exports, imports and changes of very many records use additional connections." default:"12"`
		StatementTimeout string `help:"Maximum duration of an SQL statement, except in exports, imports and changes of very many records." default:"15s"`
		ConnectTimeout   string `help:"How long to wait at startup for the database to become available." default:"5s"`
	}

	migrationSettings struct {
		Migrate toggle `help:"Apply pending migrations at startup."`
	}

	changeSettings struct {
		RetentionDays string `name:"retention-days" help:"How many days the change feed keeps a change, up to 36500. 0 keeps changes forever." default:"${changes_retention_days}"`
	}

	auditSettings struct {
		RetentionDays string `name:"retention-days" help:"How many days the audit trail keeps an event, up to 36500. If changes.retention-days is longer or 0, it applies instead. 0 keeps events forever." default:"${audit_retention_days}"`
	}

	webhookSettings struct {
		RetentionDays string `name:"retention-days" help:"How many days the deliveries of webhooks are kept, up to 36500. 0 keeps them until their endpoint is deleted." default:"${webhooks_retention_days}"`
	}

	bulkSettings struct {
		RetentionDays string `name:"retention-days" help:"How many days a bulk job is kept after its last row was applied, up to 36500. 0 keeps it until its school is deleted." default:"${bulk_retention_days}"`
	}

	jobSettings struct {
		RetentionDays string `name:"retention-days" help:"How many days the failed jobs of emails and bulk requests are kept, up to 36500. 0 keeps them until they are retried. Failed jobs of other kinds are always kept." default:"${jobs_retention_days}"`
	}

	idempotencySettings struct {
		RetentionHours string `name:"retention-hours" help:"How many hours the response to a request with an Idempotency-Key is kept, from 24 to 8760." default:"${idempotency_retention_hours}"`
	}

	folderSettings struct {
		Dir string `help:"Directory for submitted files. With --store=postgres it defaults to lyceum-files in the working directory. With --store=memory, files are kept in memory unless a directory is set." placeholder:"DIR"`
	}

	fileSettings struct {
		folderSettings `embed:""`

		Secret     Secret `help:"Secret that signs download links, at least 32 characters. Use the same secret on all servers. By default a random secret is generated at startup, and links are valid only on this server until it stops." placeholder:"TEXT"`
		SecretFile string `name:"secret-file" help:"File that contains the value of files.secret, such as a mounted secret." placeholder:"FILE"`
		MaxSize    string `name:"max-size" help:"Maximum size of a submitted file, in bytes." default:"${files_max_size}"`
	}

	admissionSettings struct {
		Slots     string `help:"Maximum number of concurrent requests of the class cheap: all except searches, bulk requests, large pages, exports, uploads and changes of very many records. 0 means 4 per processor, or with --store=postgres 4 per connection in the pool." default:"0"`
		Expensive string `name:"expensive-slots" help:"Maximum number of concurrent searches and bulk requests. 0 means 1 per 2 processors and at least 2, or with --store=postgres 1 per 4 connections in the pool." default:"0"`
		Queue     string `help:"Maximum number of requests that wait for a slot, separately for each class of requests, such as searches or uploads. At most half of the requests in each queue can be from one school." default:"${admission_queue}"`
		Wait      string `help:"Maximum time that a request waits for a slot, up to 1m. After that the response is 503." default:"${admission_wait}"`
	}

	rateSettings struct {
		Key           string `help:"Maximum number of requests per minute with the same API key. 0 means no limit." default:"${rates_key}"`
		Learner       string `help:"Maximum number of requests per minute with the tokens of the same learner. 0 means no limit." default:"${rates_learner}"`
		WrongKeys     string `name:"wrong-keys" help:"Maximum number of requests per minute with an invalid API key, per IPv4 address or IPv6 /64. 0 means no limit." default:"${rates_wrong_keys}"`
		UnknownTokens string `name:"unknown-tokens" help:"Maximum number of requests per minute, per IPv4 address or IPv6 /64, that ask for a sign-in email or have an invalid coupon code or an invalid link (invitation, download, sign-in or enrollment). 0 means no limit." default:"${rates_unknown_tokens}"`
	}

	quotaSettings struct {
		People string `help:"Maximum number of people in a school. 0 means no limit." default:"0"`
		Bytes  string `help:"Maximum total size of the submitted files of a school, in bytes. 0 means no limit." default:"0"`
	}

	mailSettings struct {
		Mode         string `help:"Mail delivery: log (emails are logged, not sent) or smtp." default:"${mail_mode}"`
		From         string `help:"Sender address, such as Lyceum <no-reply@school.example>. If it has no display name, the display name is the name of the school followed by \"via Lyceum\"." placeholder:"ADDRESS"`
		Host         string `help:"Host name of the SMTP server." placeholder:"HOST"`
		Port         string `help:"Port of the SMTP server: usually 587, or 465 if mail.tls is implicit." default:"${mail_port}"`
		Username     string `help:"SMTP user name. Without it, this server does not authenticate to the SMTP server." placeholder:"NAME"`
		Password     Secret `help:"SMTP password." placeholder:"TEXT"`
		PasswordFile string `name:"password-file" help:"File that contains the value of mail.password, such as a mounted secret." placeholder:"FILE"`
		TLS          string `name:"tls" help:"Encryption of the SMTP connection: mandatory (STARTTLS required), opportunistic (STARTTLS if offered), implicit (from the first byte) or none." default:"${mail_tls}"`
		HELO         string `name:"helo" help:"Name that this server sends in HELO and EHLO. Defaults to the host name." placeholder:"HOST"`
		Language     string `help:"Language of emails: en (English) or de (German). The invitation page uses the language of the browser." default:"${mail_language}"`
		Timeout      string `help:"Maximum time to deliver one message, up to 1m." default:"${mail_timeout}"`
	}

	invitationSettings struct {
		Lifetime string `help:"Lifetime of invitation links, from 1m to 8760h." default:"${invitations_lifetime}"`
		PerDay   string `name:"per-day" help:"Maximum number of invitation emails per school and day (UTC). Further emails are sent on the next day. 0 means no limit." default:"${invitations_per_day}"`
	}

	workerSettings struct {
		Count string `help:"Maximum number of concurrent background jobs of each kind. 0 disables background work on this server." default:"${worker_count}"`
		Poll  string `help:"How often to look for due jobs that were not announced by a notification, such as retries." default:"${worker_poll}"`
	}

	logSettings struct {
		Clients toggle `help:"Include the IP address and user agent of clients in the access log. On by default; --log.clients=false turns it off." default:"true"`
		Level   string `help:"Minimum log level: debug, info, warn or error." default:"info"`
		Format  string `help:"Log format on standard error: text or json." default:"text"`
	}

	metricsSettings struct {
		Addr string `help:"Address, host:port, at which to serve metrics (/metrics) and profiles (/debug/pprof/). Requests to it need no authentication, so keep the address private. Off by default." placeholder:"ADDRESS"`
		Open toggle `help:"Allow a metrics.addr that other machines can reach."`
	}

	shutdownSettings struct {
		Timeout string `help:"Maximum time for requests in progress to finish after SIGINT or SIGTERM." default:"${shutdown_timeout}"`
		Delay   string `help:"How long to continue to serve requests after SIGINT or SIGTERM, while /readyz returns 503 so that load balancers stop sending requests." default:"${shutdown_delay}"`
	}
)

// settingGroups contains the headings of settings in the help. A flag with a heading is a setting;
// other flags belong to a single command.
var settingGroups = []kong.Group{
	{Key: "listen", Title: "Settings: listening"},
	{Key: "links", Title: "Settings: links"},
	{Key: "pages", Title: "Settings: pages"},
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
		"addr": d.Transport.Addr, "tls_mode": string(d.Transport.Mode),
		"acme_http_addr": d.Transport.ACME.HTTPAddr, "acme_directory": d.Transport.ACME.Directory, "store": string(d.Store),
		"shutdown_timeout": d.Transport.ShutdownTimeout.String(), "shutdown_delay": d.Transport.ShutdownDelay.String(),
		"changes_retention_days":      strconv.Itoa(d.ChangeDays),
		"audit_retention_days":        strconv.Itoa(d.AuditDays),
		"webhooks_retention_days":     strconv.Itoa(d.WebhookDays),
		"bulk_retention_days":         strconv.Itoa(d.BulkDays),
		"jobs_retention_days":         strconv.Itoa(d.JobDays),
		"idempotency_retention_hours": strconv.Itoa(d.ReplayHours),
		"files_max_size":              strconv.FormatInt(d.Files.MaxSize, 10),
		"mail_mode":                   string(d.Mail.Mode), "mail_port": strconv.Itoa(d.Mail.Port), "mail_tls": string(d.Mail.TLS),
		"mail_language": string(d.Mail.Language),
		"mail_timeout":  d.Mail.Timeout.String(), "invitations_lifetime": d.InvitationLifetime.String(),
		"invitations_per_day": strconv.Itoa(d.InvitationsPerDay),
		"admission_queue":     strconv.Itoa(d.Admission.Waiting), "admission_wait": d.Admission.Wait.String(),
		"rates_key": strconv.Itoa(d.Rates.Key), "rates_wrong_keys": strconv.Itoa(d.Rates.WrongKeys),
		"rates_learner":        strconv.Itoa(d.Rates.Learner),
		"rates_unknown_tokens": strconv.Itoa(d.Rates.UnknownTokens),
		"worker_count":         strconv.Itoa(d.Worker.Count), "worker_poll": d.Worker.Poll.String(),
	}
}

var _ kong.MapperValue = (*toggle)(nil)

// toggle is the text of a boolean setting. settingsParser parses it.
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

package main

import (
	"fmt"
	"strconv"

	"github.com/alecthomas/kong"
	"lyceum/cmd/server"
)

// Settings are read as texts, whatever they mean, so that all that is wrong
// with them can be told at once; parsesettings.go gives them their meaning. A setting's
// name is that of its flag. A command has only the settings that it needs.
type (
	serverSettings struct {
		Name string `help:"Name of this server, the same after a restart and unlike that of every other server on the database. By default the host name and addr." placeholder:"NAME"`
	}

	listenSettings struct {
		Addr           string      `help:"Address to listen on, host:port. Without a host it is every address, with port 0 a free port." default:"${addr}"`
		TLS            tlsSettings `embed:"" prefix:"tls."`
		TrustedProxies string      `help:"Proxies to believe in tls.mode proxy: IP addresses or CIDR ranges, separated by commas." placeholder:"LIST"`
	}

	tlsSettings struct {
		Mode string `help:"How connections are secured: off (plain HTTP, this machine only), self-signed (a pair made at start), files (tls.cert and tls.key), proxy (plain HTTP from trusted-proxies only), insecure (plain HTTP from anywhere)." default:"${tls_mode}"`
		Cert string `help:"PEM file with the certificate and its chain, for tls.mode files. Read again when it changes." placeholder:"FILE"`
		Key  string `help:"PEM file with the private key, for tls.mode files. Read again when it changes." placeholder:"FILE"`
	}

	linkSettings struct {
		BaseURL     string `name:"base-url" help:"Address of the API in links. By default the scheme and address listened on." placeholder:"URL"`
		AppURL      string `name:"app-url" help:"Address of the web application in links. By default base-url/app." placeholder:"URL"`
		AcademyURL  string `name:"academy-url" help:"Address of the learners' site in links. By default base-url/learn." placeholder:"URL"`
		DownloadURL string `name:"download-url" help:"Address of the file host in links. By default base-url/files." placeholder:"URL"`
	}

	docsSettings struct {
		Docs toggle `help:"Show the reference page of the API at /docs, without a key." default:"true"`
	}

	storeSettings struct {
		Store    string           `help:"Where records are kept: memory (until the server stops) or postgres." default:"${store}"`
		Database databaseSettings `embed:"" prefix:"database."`
	}

	databaseSettings struct {
		URL              Secret `help:"PostgreSQL database, such as postgres://user:password@host/name?sslmode=verify-full." placeholder:"URL"`
		URLFile          string `name:"url-file" help:"File that holds database.url, for mounted secrets." placeholder:"FILE"`
		Pooler           string `help:"What stands in front of the database: none (or a pooler of sessions) or transaction (a pooler of transactions, such as PgBouncer with pool_mode transaction)." default:"none"`
		DirectURL        Secret `name:"direct-url" help:"Address of the database past the pooler, for migrations, long transactions and notifications." placeholder:"URL"`
		DirectURLFile    string `name:"direct-url-file" help:"File that holds database.direct-url, for mounted secrets." placeholder:"FILE"`
		PoolSize         string `help:"Connections to the database for requests and jobs. Readiness, notifications, exports and imports have further ones." default:"12"`
		StatementTimeout string `help:"Longest time that one statement may run." default:"15s"`
		ConnectTimeout   string `help:"Longest wait at start for a database that is not there yet." default:"5s"`
	}

	migrationSettings struct {
		Migrate toggle `help:"Bring the database's schema up to date at start."`
	}

	folderSettings struct {
		Dir string `help:"Folder in which files that people hand in are kept. By default lyceum-files in the working directory, on the store memory none: they are gone when the server stops." placeholder:"DIR"`
	}

	fileSettings struct {
		folderSettings `embed:""`

		Secret     Secret `help:"Text of 32 characters or more that signs the links to files, the same on all servers. By default one is made at start: links then hold on this server only, until it stops." placeholder:"TEXT"`
		SecretFile string `name:"secret-file" help:"File that holds files.secret, for mounted secrets." placeholder:"FILE"`
		MaxSize    string `name:"max-size" help:"Bytes that a file which is handed in may have." default:"${files_max_size}" placeholder:"BYTES"`
	}

	admissionSettings struct {
		Slots     string `help:"Cheap requests that run at a time; 0 chooses by the store: 4 for each processor, on postgres 4 for each connection of the pool." default:"0"`
		Expensive string `name:"expensive-slots" help:"Searches and bulk requests that run at a time; 0 chooses by the store: 1 for two processors, on postgres 1 for four connections of the pool." default:"0"`
		Queue     string `help:"Requests of a class that may wait for a slot; those of one school may be half of them." default:"${admission_queue}"`
		Wait      string `help:"How long a request waits for a slot before it is answered 503; at most 1m." default:"${admission_wait}"`
	}

	rateSettings struct {
		Key           string `help:"Requests of one key that are accepted in a minute; 0: any number." default:"${rates_key}"`
		WrongKeys     string `name:"wrong-keys" help:"Requests with wrong keys of one client address (IPv6: of one /64) that are answered in a minute; 0: any number." default:"${rates_wrong_keys}"`
		UnknownTokens string `name:"unknown-tokens" help:"Requests for unknown invitations and downloads of one client address (IPv6: of one /64) that are answered in a minute; 0: any number." default:"${rates_unknown_tokens}"`
	}

	quotaSettings struct {
		People string `help:"People that a school may have; 0: any number." default:"0"`
		Bytes  string `help:"Bytes that the files of all submissions of a school may have together; 0: any number." default:"0"`
	}

	mailSettings struct {
		Mode         string `help:"What becomes of letters: log (they are noted in the log and not sent) or smtp." default:"${mail_mode}"`
		From         string `help:"Sender of letters, such as Lyceum <no-reply@school.example>. Without a name it is that of the school with via Lyceum after it." placeholder:"ADDRESS"`
		Host         string `help:"Mail server that takes the letters." placeholder:"HOST"`
		Port         string `help:"Port of the mail server; usually 587, with mail.tls implicit 465." default:"${mail_port}"`
		Username     string `help:"User name at the mail server. Without one it is not told who sends." placeholder:"NAME"`
		Password     Secret `help:"Password at the mail server." placeholder:"TEXT"`
		PasswordFile string `name:"password-file" help:"File that holds mail.password, for mounted secrets." placeholder:"FILE"`
		TLS          string `name:"tls" help:"How the connection to the mail server is encrypted: mandatory (STARTTLS or nothing), opportunistic (STARTTLS if offered), implicit (from the first byte) or none." default:"${mail_tls}"`
		HELO         string `name:"helo" help:"Name by which to greet the mail server. By default the machine's." placeholder:"HOST"`
		Timeout      string `help:"Longest time that the delivery of one letter may take; at most 1m." default:"${mail_timeout}"`
	}

	invitationSettings struct {
		Lifetime string `help:"How long the link in an invitation holds; from 1m to 8760h." default:"${invitations_lifetime}"`
		PerDay   string `name:"per-day" help:"Invitation emails that a school sends in a day (UTC); the others wait for the next day. 0 is no limit." default:"${invitations_per_day}"`
	}

	workerSettings struct {
		Count string `help:"Jobs of each kind that this server does at a time behind the requests; 0 leaves them to other servers." default:"${worker_count}"`
		Poll  string `help:"How often to look for jobs that nobody has told of, such as those to be tried again." default:"${worker_poll}"`
	}

	logSettings struct {
		Clients toggle `help:"Name the address and the user agent of clients in the log of requests." default:"true"`
		Level   string `help:"Least level that is logged: debug, info, warn or error." default:"info"`
		Format  string `help:"Form of the log on standard error: text or json." default:"text"`
	}

	metricsSettings struct {
		Addr string `help:"Address of a listener of its own for metrics (/metrics) and profiles (/debug/pprof/), host:port, without a key; keep it private. By default there is none." placeholder:"ADDRESS"`
		Open toggle `help:"Allow a metrics.addr that other machines can reach."`
	}

	shutdownSettings struct {
		Timeout string `help:"How long requests in flight may go on after SIGINT or SIGTERM." default:"${shutdown_timeout}"`
		Delay   string `help:"How long everything is still answered before that while /readyz says 503, so that load balancers notice." default:"${shutdown_delay}"`
	}
)

// settingGroups are the headings of settings in the help. Flags under a heading
// are settings; those without are the command's own.
var settingGroups = []kong.Group{
	{Key: "listen", Title: "Settings: listening"},
	{Key: "links", Title: "Settings: links"},
	{Key: "store", Title: "Settings: store"},
	{Key: "admission", Title: "Settings: requests at a time"},
	{Key: "rates", Title: "Settings: requests in a minute"},
	{Key: "quotas", Title: "Settings: what a school may hold"},
	{Key: "mail", Title: "Settings: mail"},
	{Key: "worker", Title: "Settings: work behind the requests"},
	{Key: "log", Title: "Settings: log"},
	{Key: "metrics", Title: "Settings: metrics"},
	{Key: "shutdown", Title: "Settings: stopping"},
}

// defaults are those of the assembly, so that they are written down once.
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

// toggle is a setting that is on or off, kept as it was written.
type toggle string

// IsBool tells kong that the flag needs no value.
func (toggle) IsBool() bool { return true }

// Decode takes the flag's value, true where it has none.
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

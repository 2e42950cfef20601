package httpapi

import (
	"cmp"
	"net/http"
	"net/netip"
	"time"

	"lyceum/adapters/httpapi/downloads"
	"lyceum/adapters/httpapi/invitationpage"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/lists"
	"lyceum/adapters/httpapi/middleware"
	"lyceum/adapters/httpapi/transport"
	"lyceum/domain/submission"
)

// Config is the configuration of the API. The zero Config serves every request, with
// relative links.
type Config struct {
	Links     Links
	Transport middleware.Transport // nil: every request is served, as over plain HTTP
	Downloads downloads.Config

	// Client returns the address of a request's client for the log; nil: neither
	// addresses nor user agents are logged.
	Client func(r *http.Request) netip.Addr
	// LocalOnly refuses requests for hosts other than this machine, and requests from web pages of
	// other hosts (DNS rebinding). It is for a server with a publicly known key.
	LocalOnly bool
	// Origins contains the origins of web pages that may call the API (CORS), or "*" alone for
	// every origin; empty: none.
	Origins []string

	// Begin is the URL to which the page of an accepted invitation links, unless Academy is set;
	// empty: no link.
	Begin string
	// Academy serves the pages below /learn; nil: there are none. It must call WriteHeader, even
	// for the status 200.
	Academy http.Handler
	// Teaching serves the pages of the teaching app below /app, like Academy; nil: there are none.
	Teaching http.Handler
	// DemoRoles contains the roles in which visitors of the home page can enter the academy of the
	// demo school; empty: none. DemoEntry is the URL to which the home page posts the chosen role.
	DemoRoles []string
	DemoEntry string
	// Look configures the invitation page. It must be valid.
	Look invitationpage.Look

	// DemoKey is the key of the demo school, shown on the home page. If it is empty, no key is
	// shown.
	DemoKey string

	// NoReference disables the page of the API reference.
	NoReference bool
	// NoCompression disables the compression of responses.
	NoCompression bool

	// PageBytes is the maximum size of a page of a list in bytes; 0: 16 MiB.
	PageBytes int
	// BodyLimit is the maximum size of a request body in bytes; 0: 1 MiB.
	BodyLimit int64
	// BodyTime is the time limit for reading a body, from the first read; 0: transport.ReadTimeout.
	BodyTime time.Duration
	// UploadLimit is the maximum size of a submitted file in bytes; 0: 100 MiB.
	UploadLimit int64
	// UploadPause is the time after which an upload without any progress is aborted; 0:
	// 15 s.
	UploadPause time.Duration
	// UploadTime is the time limit of an upload; at most and by default submission.UploadTime,
	// because files without a submission are deleted later.
	UploadTime time.Duration
	// UploadRate is the minimum average rate of an upload in bytes per second; 0: 2 KiB.
	UploadRate int64
	// ExportPause is the time after which an export without any progress is aborted; 0:
	// one minute.
	ExportPause time.Duration
	// ExportRate is the minimum average rate of an export in bytes per second; 0: 4 MiB. The database
	// keeps all deleted rows during an export, so a client must read faster than a whole list.
	ExportRate int64
	// ListPause is like ExportPause, but for a whole list; 0: 10 s.
	ListPause time.Duration
	// ListRate is like ExportRate, but for a whole list; 0: 32 KiB.
	ListRate int64
	// TimeLimit is the time limit of a request; 0: 30 s.
	TimeLimit time.Duration

	// Admission limits the number of concurrent requests.
	Admission limits.Admission
	// Rates limit the number of requests of a client per minute.
	Rates limits.Rates
	// Address returns the address of a request's client, or the zero Addr if it is unknown; nil:
	// the remote address of the connection.
	Address func(r *http.Request) netip.Addr

	// Observe is called for each request after its response; nil: not called.
	Observe middleware.Observer

	// Reads says which requests may be served by replicas.
	Reads middleware.ReplicaReads

	// Draining reports whether the server is about to stop; nil: never. While it returns true,
	// /readyz responds with 503, so that load balancers send no new requests.
	Draining func() bool
}

// middleware returns the configuration of the middleware. cfg must be a result of withDefaults.
func (cfg Config) middleware() middleware.Config {
	return middleware.Config{
		Transport: cfg.Transport, LocalOnly: cfg.LocalOnly, Origins: cfg.Origins, BodyLimit: cfg.BodyLimit, BodyTime: cfg.BodyTime,
		TimeLimit: cfg.TimeLimit, ListTime: lists.ListTime, Address: cfg.Address, Client: cfg.Client, Observe: cfg.Observe,
		Reads: cfg.Reads,
	}
}

func (cfg Config) withDefaults() Config {
	if cfg.Transport == nil {
		cfg.Transport = func(*http.Request) (bool, bool) { return true, false }
	}
	cfg.PageBytes = cmp.Or(cfg.PageBytes, 16<<20)
	cfg.BodyLimit = cmp.Or(cfg.BodyLimit, 1<<20)
	cfg.BodyTime = cmp.Or(cfg.BodyTime, transport.ReadTimeout)
	cfg.UploadLimit = cmp.Or(cfg.UploadLimit, 100<<20)
	cfg.UploadPause = cmp.Or(cfg.UploadPause, 15*time.Second)
	cfg.UploadTime = cmp.Or(cfg.UploadTime, submission.UploadTime)
	cfg.UploadRate = cmp.Or(cfg.UploadRate, 2<<10)
	cfg.ExportPause = cmp.Or(cfg.ExportPause, time.Minute)
	cfg.ExportRate = cmp.Or(cfg.ExportRate, 4<<20)
	cfg.ListPause = cmp.Or(cfg.ListPause, 10*time.Second)
	cfg.ListRate = cmp.Or(cfg.ListRate, 32<<10)
	cfg.TimeLimit = cmp.Or(cfg.TimeLimit, 30*time.Second)
	cfg.Admission = cfg.Admission.WithDefaults()
	if cfg.Address == nil {
		cfg.Address = func(r *http.Request) netip.Addr {
			remote, _ := netip.ParseAddrPort(r.RemoteAddr)
			return remote.Addr()
		}
	}
	if cfg.Observe == nil {
		cfg.Observe = func(string, string, int, int, time.Duration) {}
	}
	if cfg.Draining == nil {
		cfg.Draining = func() bool { return false }
	}
	cfg.Downloads = cfg.Downloads.WithDefaults()
	return cfg
}

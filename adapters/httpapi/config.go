package httpapi

import (
	"net/http"
	"net/netip"
	"time"

	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/transport"
)

// Config is how the API answers. The zero Config serves every request, with
// links that are relative.
type Config struct {
	Links     Links
	Transport Transport // nil: every request may be answered, and none came by HTTPS
	Downloads Downloads

	// Client returns the address of a request's client for the log; nil: the log
	// names neither addresses nor user agents.
	Client func(r *http.Request) netip.Addr
	// LocalOnly refuses requests to another host than this machine and requests
	// from pages of another one, as a browser sends them that a page has tricked
	// by DNS rebinding. It is for a server whose key is public.
	LocalOnly bool

	// NoReference leaves out the page on which people read about the API.
	NoReference bool

	// BodyLimit is how many bytes a request body may have; 0 means 1 MiB.
	BodyLimit int64
	// BulkBodyLimit is BodyLimit for requests about many records; 0 means 8 MiB.
	BulkBodyLimit int64
	// BodyTime is how long a body may take to arrive, from when it is read on; 0 means
	// as long as a whole request may.
	BodyTime time.Duration
	// UploadLimit is how many bytes a file that is handed in may have; 0 means
	// 100 MiB.
	UploadLimit int64
	// UploadPause is how long a client that hands in a file may send nothing; 0
	// means 15 seconds.
	UploadPause time.Duration
	// UploadTime is how long it may take in all; 0 means an hour.
	UploadTime time.Duration
	// UploadRate is the least average rate at which a file must arrive, in bytes
	// per second; 0 means 2 KiB.
	UploadRate int64
	// ExportPause is how long a client of an export may take nothing; 0 means 10
	// seconds.
	ExportPause time.Duration
	// ExportRate is the least average rate at which an export must be read, in
	// bytes per second; 0 means 32 KiB.
	ExportRate int64
	// ExportTime is how long an export may take in all; 0 means an hour.
	ExportTime time.Duration
	// TimeLimit is how long a request may take; 0 means 30 seconds.
	TimeLimit time.Duration

	// LongTime is that for requests that change all the records of a course; 0
	// means 10 minutes.
	LongTime time.Duration

	// Admission bounds the requests that run at a time.
	Admission limits.Admission
	// Rates bound how often clients send requests.
	Rates limits.Rates
	// Address returns the address of the client that a request comes from, the zero
	// Addr if it is unknown; nil: that of the other end of the connection.
	Address func(r *http.Request) netip.Addr

	// Observe is told of each request once it is answered; nil: nobody is.
	Observe Observer

	// Draining makes /readyz refuse while it returns true, so that nobody sends
	// new requests to a server that is about to stop; nil: never.
	Draining func() bool
}

// Transport says how a request came: whether it may be answered over that way
// at all, and whether it came by HTTPS.
type Transport func(r *http.Request) (answerable, https bool)

// Observer is told of a request: its method, the template of its route (blank
// when it has none), the status and the bytes of the answer, and how long it
// took.
type Observer func(method, route string, status, bytes int, took time.Duration)

func (cfg Config) withDefaults() Config {
	if cfg.Transport == nil {
		cfg.Transport = func(*http.Request) (bool, bool) { return true, false }
	}
	if cfg.BodyLimit == 0 {
		cfg.BodyLimit = 1 << 20
	}
	if cfg.BulkBodyLimit == 0 {
		cfg.BulkBodyLimit = 8 << 20
	}
	if cfg.BodyTime == 0 {
		cfg.BodyTime = transport.ReadTimeout
	}
	if cfg.UploadLimit == 0 {
		cfg.UploadLimit = 100 << 20
	}
	if cfg.UploadPause == 0 {
		cfg.UploadPause = 15 * time.Second
	}
	if cfg.UploadTime == 0 {
		cfg.UploadTime = time.Hour
	}
	if cfg.UploadRate == 0 {
		cfg.UploadRate = 2 << 10
	}
	if cfg.ExportPause == 0 {
		cfg.ExportPause = 10 * time.Second
	}
	if cfg.ExportRate == 0 {
		cfg.ExportRate = 32 << 10
	}
	if cfg.ExportTime == 0 {
		cfg.ExportTime = time.Hour
	}
	if cfg.TimeLimit == 0 {
		cfg.TimeLimit = 30 * time.Second
	}
	if cfg.LongTime == 0 {
		cfg.LongTime = 10 * time.Minute
	}
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
	cfg.Downloads = cfg.Downloads.withDefaults()
	return cfg
}

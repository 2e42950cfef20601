package httpapi

import (
	"net/http"
	"time"
)

// Config is how the API answers. The zero Config serves every request, with
// links that are relative.
type Config struct {
	Links     Links
	Transport Transport // nil: every request may be answered, and none came by HTTPS
	Downloads Downloads

	// NoReference leaves out the page on which people read about the API.
	NoReference bool

	// BodyLimit is how many bytes a request body may have; 0 means 1 MiB.
	BodyLimit int64
	// BulkBodyLimit is BodyLimit for requests about many records; 0 means 8 MiB.
	BulkBodyLimit int64
	// TimeLimit is how long a request may take; 0 means 30 seconds.
	TimeLimit time.Duration

	// Draining makes /readyz refuse while it returns true, so that nobody sends
	// new requests to a server that is about to stop; nil: never.
	Draining func() bool
}

// Transport says how a request came: whether it may be answered over that way
// at all, and whether it came by HTTPS.
type Transport func(r *http.Request) (answerable, https bool)

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
	if cfg.TimeLimit == 0 {
		cfg.TimeLimit = 30 * time.Second
	}
	if cfg.Draining == nil {
		cfg.Draining = func() bool { return false }
	}
	cfg.Downloads = cfg.Downloads.withDefaults()
	return cfg
}

package server

import (
	"time"

	"lyceum/adapters/outgoing"
	"lyceum/adapters/sso"
	"lyceum/ports"
)

const (
	// providerTimeout is the maximum duration of a request to an identity provider.
	providerTimeout = 5 * time.Second
	// providerBody is the maximum size of its response in bytes.
	providerBody = 64 << 10
)

// providers returns the identity providers of all schools.
func providers(cfg Config, clock ports.Clock) ports.IdentityProviders {
	client := outgoing.NewClient(outgoing.Config{Allowed: cfg.OutgoingAllowed, Timeout: providerTimeout, MaxBody: providerBody})
	return sso.New(client, clock, cfg.Log)
}

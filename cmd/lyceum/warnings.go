package main

import (
	"fmt"
	"strings"

	"lyceum/adapters/httpapi/transport"
	"lyceum/adapters/mail"
	"lyceum/cmd/server"
)

// warnings returns what is allowed but hardly meant for real schools.
func warnings(cfg server.Config) []string {
	var all []string
	switch base := cfg.Links.Base; {
	case cfg.Transport.Mode == transport.Insecure:
		all = append(all, "tls.mode insecure answers plain HTTP from anywhere, so keys and people's data can be read on the way.")
	case cfg.Transport.Mode == transport.Proxy && base == "":
		all = append(all, "base-url is not set, so links lead to this server and not to its proxy.")
	case cfg.Transport.Mode == transport.Proxy && strings.HasPrefix(base, "http:"):
		all = append(all, "base-url is not https, so the proxy's clients are led to plain HTTP.")
	}
	for _, p := range cfg.Transport.Proxies {
		if p.Bits() < 8 {
			all = append(all, fmt.Sprintf("trusted-proxies has %s, so nearly every client can claim that it is the proxy.", p))
		}
	}
	if cfg.Metrics.Open && cfg.Metrics.Addr != "" {
		all = append(all, "metrics.open is set, so every client that reaches metrics.addr can read metrics and profiles without a key.")
	}
	if cfg.Mail.Mode == mail.Log && (cfg.Store == server.Postgres || cfg.Mail.Host != "") {
		all = append(all, "mail.mode is log, so nobody is sent the invitation that they are due.")
	}
	if cfg.Store == server.Memory && cfg.Worker.Count == 0 {
		all = append(all, "worker.count is 0 on the store memory, which no other server shares, so no letter is delivered and no bulk request applied.")
	}
	if cfg.Store == server.Postgres && cfg.Files.Secret == "" {
		all = append(all, "files.secret is not set, so links to files hold on this server only, until it stops.")
	}
	return all
}

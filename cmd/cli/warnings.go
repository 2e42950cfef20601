package cli

import (
	"fmt"
	"strings"

	"lyceum/adapters/httpapi/transport"
	"lyceum/adapters/mail"
	"lyceum/cmd/server"
)

// warnings returns warnings about settings that are allowed but unusual in production.
func warnings(cfg server.Config) []string {
	var all []string
	switch base := cfg.Links.Base; {
	case cfg.Transport.Mode == transport.Insecure:
		all = append(all, "tls.mode is insecure: API keys and personal data are sent unencrypted.")
	case cfg.Transport.Mode == transport.Proxy && base == "":
		all = append(all, "base-url is not set: links point to this server instead of the proxy.")
	case cfg.Transport.Mode == transport.Proxy && strings.HasPrefix(base, "http:"):
		all = append(all, "base-url is not https: links point to plain HTTP.")
	}
	for _, p := range cfg.Transport.Proxies {
		if p.Bits() < 8 {
			all = append(all, fmt.Sprintf("trusted-proxies has %s, so nearly every client can pose as the proxy.", p))
		}
	}
	if cfg.Metrics.Open && cfg.Metrics.Addr != "" {
		all = append(all, "metrics.open is set: every client that reaches metrics.addr can read metrics and profiles.")
	}
	if cfg.Mail.Mode == mail.Log && (cfg.Store == server.Postgres || cfg.Mail.Host != "") {
		all = append(all, "mail.mode is log: invitation emails will not be sent.")
	}
	if cfg.Store == server.Memory && cfg.Worker.Count == 0 {
		all = append(all, "worker.count is 0 with --store=memory: background jobs will never run.")
	}
	if cfg.Store == server.Memory && cfg.Postgres.DSN != "" {
		all = append(all, "database.url is set, but it is used only with --store=postgres.")
	}
	if cfg.Store == server.Postgres && cfg.Files.Secret == "" {
		all = append(all, "files.secret is not set: download links are valid only on this server until it stops.")
	}
	return all
}

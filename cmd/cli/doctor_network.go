package cli

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"lyceum/adapters/clock"
	"lyceum/adapters/httpapi/transport"
	"lyceum/adapters/mail"
	"lyceum/cmd/server"
)

// certificateNotice is the time before the expiry of a certificate at which doctor starts to warn.
const certificateNotice = 14 * 24 * time.Hour

func checkMail(ctx context.Context, d *diagnosis, cfg server.Config) {
	if cfg.Mail.Mode != mail.SMTP {
		d.ok("mail", "not used, because mail.mode is %s", cfg.Mail.Mode)
		return
	}
	sender, err := mail.NewSender(cfg.Mail, clock.NewSystem())
	if err == nil {
		err = sender.Check(ctx)
	}
	if err != nil {
		err = fmt.Errorf("mail.host: %w", err)
	}
	what := "accepts connections"
	if cfg.Mail.Username != "" {
		what = "accepts the user name and password"
	}
	d.report("mail", err, "%s:%d %s", cfg.Mail.Host, cfg.Mail.Port, what)
}

func checkCertificate(ctx context.Context, d *diagnosis, cfg server.Config) {
	if a := cfg.Transport.ACME; cfg.Transport.Mode == transport.ACME {
		d.report("certificate", a.CheckDirectory(ctx), "%s issues certificates for %s", a.Directory, strings.Join(a.Hosts, ", "))
		return
	}
	if cfg.Transport.Mode != transport.Files {
		d.ok("certificate", "not used, because tls.mode is %s", cfg.Transport.Mode)
		return
	}
	pair, err := tls.LoadX509KeyPair(cfg.Transport.CertFile, cfg.Transport.KeyFile)
	if err != nil {
		d.failure("certificate", fmt.Errorf("tls.cert, tls.key: %w", err))
		return
	}
	now, leaf := time.Now(), pair.Leaf
	switch until := leaf.NotAfter.UTC().Format(time.DateTime); {
	case now.After(leaf.NotAfter):
		d.failure("certificate", fmt.Errorf("tls.cert: expired at %s UTC", until))
	case now.Before(leaf.NotBefore):
		d.failure("certificate", fmt.Errorf("tls.cert: is valid only from %s UTC", leaf.NotBefore.UTC().Format(time.DateTime)))
	case leaf.NotAfter.Sub(now) < certificateNotice:
		d.warn("certificate", "expires at %s UTC", until)
	default:
		d.ok("certificate", "valid until %s UTC", until)
	}
	base, err := url.Parse(cfg.Links.Base)
	if err == nil && cfg.Links.Base != "" && leaf.VerifyHostname(base.Hostname()) != nil {
		d.failure("certificate", fmt.Errorf("tls.cert: is not valid for %s, the host of base-url", base.Hostname()))
	}
}

func checkAddress(ctx context.Context, d *diagnosis, cfg server.Config) {
	addr := cfg.Transport.Addr
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		d.warn("addr", "%s is in use, perhaps by a running server", addr)
	case err != nil:
		d.failure("addr", fmt.Errorf("addr: %w", err))
	default:
		d.report("addr", l.Close(), "%s is free", addr)
	}
}

// checkLinks checks the base URLs that are set. Only base-url must lead to this program.
func checkLinks(ctx context.Context, d *diagnosis, cfg server.Config) {
	for _, link := range []struct{ setting, base, path string }{
		{"base-url", cfg.Links.Base, "/healthz"},
		{"app-url", cfg.Links.App, ""},
		{"academy-url", cfg.Links.Academy, ""},
		{"download-url", cfg.Links.Download, ""},
	} {
		if link.base == "" {
			continue
		}
		u, err := url.Parse(link.base)
		if err == nil {
			_, err = net.DefaultResolver.LookupHost(ctx, u.Hostname())
		}
		if err != nil {
			d.failure(link.setting, fmt.Errorf("%s: %w", link.setting, err))
			continue
		}
		status, err := getStatus(ctx, strings.TrimSuffix(link.base, "/")+link.path)
		switch {
		case err != nil:
			d.warn(link.setting, "no response: %s", err)
		case link.path != "" && status != http.StatusOK:
			d.warn(link.setting, "%s returned %d", link.base+link.path, status)
		default:
			d.ok(link.setting, "%s responds", link.base)
		}
	}
}

// getStatus returns the status of a GET request.
func getStatus(ctx context.Context, address string) (int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return 0, err
	}
	client := http.Client{Timeout: doctorTimeout}
	response, err := client.Do(request)
	if err != nil {
		return 0, errors.Unwrap(err) // omit the method and the address
	}
	return response.StatusCode, response.Body.Close()
}

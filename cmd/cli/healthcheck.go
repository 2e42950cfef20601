package cli

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"time"

	"lyceum/adapters/httpapi/transport"
)

const checkTimeout = 5 * time.Second

type healthcheckCmd struct {
	Settings healthSettings `embed:"" group:"listen"`
}

// healthSettings contains the settings of the listener that a client needs to reach the server.
type healthSettings struct {
	Addr string `help:"Address on which the server listens, host:port." default:"${addr}"`
	TLS  struct {
		Mode string `help:"TLS mode of the server, as given to ${program} serve." default:"${tls_mode}"`
	} `embed:"" prefix:"tls."`
}

// Run requests /readyz and returns an error unless the server is ready.
func (c *healthcheckCmd) Run(ctx context.Context, t terminal) error {
	host, port, err := net.SplitHostPort(c.Settings.Addr)
	if err != nil {
		return fmt.Errorf("addr: %q must have the form host:port, such as 127.0.0.1:8080", c.Settings.Addr)
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	url := transport.Mode(c.Settings.TLS.Mode).Scheme() + "://" + net.JoinHostPort(host, port) + "/readyz"
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	client := http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		// The certificate is valid for the names that clients use, not for this address. The
		// request contains no secret.
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, // #nosec G402
	}}
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("not ready: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s returned %s", url, response.Status)
	}
	_, err = fmt.Fprintln(t.out, "ready")
	return err
}

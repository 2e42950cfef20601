package outgoing_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/outgoing"
)

func TestPublic(t *testing.T) {
	for address, public := range map[string]bool{
		"8.8.8.8": true, "203.0.114.1": true, "2606:4700::1111": true, "::ffff:8.8.8.8": true,
		"127.0.0.1": false, "0.0.0.0": false, "0.1.2.3": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false,
		"169.254.169.254": false, "100.100.100.200": false, "192.0.0.8": false, "198.18.0.1": false, "224.0.0.1": false, "255.255.255.255": false,
		"::": false, "::1": false, "fe80::1": false, "fe80::1%eth0": false, "fc00::1": false, "fd00:ec2::254": false, "ff02::1": false,
		"::ffff:127.0.0.1": false, "::127.0.0.1": false, "64:ff9b::7f00:1": false, "2002:7f00:1::": false, "2001:db8::1": false, "2001:0:1::": false, "fec0::1": false,
	} {
		t.Run(address, func(t *testing.T) {
			is.New(t).Equal(outgoing.Public(netip.MustParseAddr(address)), public)
		})
	}
}

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// serve starts a server and returns its URL.
func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func get(ctx context.Context, client *http.Client, url string) (status int, body string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return 0, "", err
	}
	response, err := client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = response.Body.Close() }()
	read, err := io.ReadAll(response.Body)
	return response.StatusCode, string(read), err
}

func TestPrivateAddressesAreRefused(t *testing.T) {
	is := is.New(t)
	asked := false
	url := serve(t, func(http.ResponseWriter, *http.Request) { asked = true })
	others := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("127.0.0.2/32")}
	closed := outgoing.NewClient(outgoing.Config{Allowed: others, Timeout: time.Second, MaxBody: 1 << 10})
	for _, address := range []string{url, strings.Replace(url, "127.0.0.1", "localhost", 1)} {
		_, _, err := get(t.Context(), closed, address)
		is.True(errors.Is(err, outgoing.ErrPrivate))
	}
	is.True(!asked)
	status, _, err := get(t.Context(), outgoing.NewClient(outgoing.Config{Allowed: loopback, Timeout: time.Second, MaxBody: 1 << 10}), url)
	is.NoErr(err)
	is.Equal(status, http.StatusOK)
}

func TestBounds(t *testing.T) {
	client := outgoing.NewClient(outgoing.Config{Allowed: loopback, Timeout: 300 * time.Millisecond, MaxBody: 1 << 10})
	endless := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 512)); err != nil {
				return
			}
		}
	}
	for name, h := range map[string]http.HandlerFunc{
		"a server that does not respond": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"a body that is never complete": func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write([]byte("a"))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
		"an endless body":     endless,
		"a body that is long": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 1<<10+1)) },
		"a long header": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X", strings.Repeat("a", 9<<10))
		},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			start := time.Now()
			_, _, err := get(t.Context(), client, serve(t, h))
			is.True(err != nil)
			is.True(time.Since(start) < 5*time.Second)
		})
	}
	t.Run("a body of the maximum size", func(t *testing.T) {
		is := is.New(t)
		_, body, err := get(t.Context(), client, serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 1<<10)) }))
		is.NoErr(err)
		is.Equal(len(body), 1<<10)
	})
	t.Run("a redirect is not followed", func(t *testing.T) {
		is := is.New(t)
		asked := false
		other := serve(t, func(http.ResponseWriter, *http.Request) { asked = true })
		status, _, err := get(t.Context(), client, serve(t, http.RedirectHandler(other, http.StatusFound).ServeHTTP))
		is.NoErr(err)
		is.Equal(status, http.StatusFound)
		is.True(!asked)
	})
}

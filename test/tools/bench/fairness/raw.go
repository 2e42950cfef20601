package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// raw sends bytes on a new connection and returns the status of the response, or 0 if there is none.
// It uses another address than the probes, because some limits are those of an address.
func raw(ctx context.Context, w serverInfo, parts ...string) int {
	from := net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.2:0"))}
	c, err := from.DialContext(ctx, "tcp", strings.TrimPrefix(w.URL, "http://"))
	if err != nil {
		return 0
	}
	defer func() { _ = c.Close() }()
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		for _, part := range parts {
			if _, err := io.WriteString(c, part); err != nil {
				return
			}
		}
	}()
	status := 0
	if response, err := http.ReadResponse(bufio.NewReader(c), nil); err == nil {
		status = response.StatusCode
		_ = response.Body.Close()
	}
	_ = c.Close()
	<-sent
	return status
}

var (
	manyFields  = "GET / HTTP/1.1\r\nHost: a\r\n" + strings.Repeat("a:\r\n", 14_000) + "\r\n"
	smallChunks = strings.Repeat("1\r\na\r\n", 100_000) + "0\r\n\r\n"
	probes      = strings.Repeat("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n", 20)
)

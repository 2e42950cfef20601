package outgoing

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
)

// pipe returns a limited connection and the end of its server.
func pipe(t *testing.T) (client *connection, server net.Conn) {
	t.Helper()
	inner, server := net.Pipe()
	t.Cleanup(func() { _, _ = inner.Close(), server.Close() })
	return limit(inner), server
}

// A server that sends single bytes causes a limited number of reads per second; the next response has
// free reads again.
func TestReadsArePaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		client, server := pipe(t)
		go func() {
			for range 200 {
				_, _ = server.Write([]byte{'a'})
			}
		}()
		for range 2 {
			client.begin(100)
			start := time.Now()
			_, err := io.ReadFull(client, make([]byte, 100))
			is.NoErr(err)
			is.Equal(time.Since(start), (100-freeReads)*pause)
		}
	})
}

// A server cannot send more than a response of the maximum size takes, whatever the client writes.
func TestBytesAreLimited(t *testing.T) {
	is := is.New(t)
	client, server := pipe(t)
	go func() { _, _ = server.Write(bytes.Repeat([]byte{'a'}, 1001)) }()
	client.begin(1000)
	_, err := io.ReadFull(client, make([]byte, 500))
	is.NoErr(err)
	go func() { _, _ = server.Read(make([]byte, 1)) }()
	_, err = client.Write([]byte{'?'})
	is.NoErr(err)
	_, err = io.ReadFull(client, make([]byte, 500))
	is.NoErr(err)
	_, err = client.Read(make([]byte, 1))
	is.True(errors.Is(err, errLong))
}

// A server cannot request many writes within a response.
func TestWritesDuringAResponseAreLimited(t *testing.T) {
	is := is.New(t)
	client, server := pipe(t)
	go func() { _, _ = io.Copy(io.Discard, server) }()
	client.begin(1000)
	for range 100 { // a long request
		_, err := client.Write([]byte{'?'})
		is.NoErr(err)
	}
	go func() { _, _ = server.Write([]byte{'a'}) }()
	_, err := client.Read(make([]byte, 1))
	is.NoErr(err)
	for range lateWrites {
		_, err := client.Write([]byte{'?'})
		is.NoErr(err)
	}
	_, err = client.Write([]byte{'?'})
	is.True(errors.Is(err, errLong))
}

// While the certificates of other servers are verified, a handshake waits.
func TestVerificationsTakeTurns(t *testing.T) {
	is := is.New(t)
	d := dialer{verifying: make(chan struct{}, 1)}
	d.verifying <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	verify := d.tlsConfig(ctx, "example.com").VerifyConnection
	cancel()
	is.True(errors.Is(verify(tls.ConnectionState{}), context.Canceled))
	is.Equal(len(d.verifying), 1) // the other verification still has its place
}

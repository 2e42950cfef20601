package outgoing

import (
	"bytes"
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
)

// pipe returns a limited connection and the end of its server.
func pipe(t *testing.T, size int64) (client *connection, server net.Conn) {
	t.Helper()
	inner, server := net.Pipe()
	t.Cleanup(func() { _, _ = inner.Close(), server.Close() })
	return limit(inner, size), server
}

// A server that sends single bytes causes a limited number of reads per second; the next request has
// free reads again.
func TestReadsArePaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		client, server := pipe(t, 1000)
		defer func() { _ = server.Close() }()
		go func() {
			for {
				if _, err := server.Read(make([]byte, 1)); err != nil {
					return
				}
				for range 100 {
					_, _ = server.Write([]byte{'a'})
				}
			}
		}()
		for range 2 {
			_, err := client.Write([]byte{'?'})
			is.NoErr(err)
			start := time.Now()
			_, err = io.ReadFull(client, make([]byte, 100))
			is.NoErr(err)
			is.Equal(time.Since(start), (100-freeReads)*pause)
		}
	})
}

// A server cannot send more than a response of the maximum size takes.
func TestBytesAreLimited(t *testing.T) {
	is := is.New(t)
	client, server := pipe(t, 1000)
	most := 1000*framing + handshakeBytes
	go func() { _, _ = server.Write(bytes.Repeat([]byte{'a'}, most+1)) }()
	_, err := io.ReadFull(client, make([]byte, most))
	is.NoErr(err)
	_, err = client.Read(make([]byte, 1))
	is.True(errors.Is(err, errLong))
}

package outgoing

import (
	"bytes"
	"context"
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
	return limit(inner, &turn{ended: true}), server
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

// A handshake waits until it is its turn, gives its slot back before it waits for the server, and
// takes no turns after its end.
func TestHandshakesTakeTurns(t *testing.T) {
	is := is.New(t)
	slots := make(chan struct{}, 1)
	first, second := &turn{ctx: t.Context(), slots: slots}, &turn{ctx: t.Context(), slots: slots}
	is.NoErr(first.begin())
	is.NoErr(first.begin()) // holds a slot already
	began := make(chan error)
	go func() { began <- second.begin() }()
	select {
	case err := <-began:
		t.Fatal("two at a time", err)
	case <-time.After(10 * time.Millisecond):
	}
	first.end()
	is.NoErr(<-began)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	is.True(errors.Is((&turn{ctx: ctx, slots: slots}).begin(), context.Canceled))
	second.stop()
	is.Equal(len(slots), 0)
	is.NoErr(second.begin())
	is.Equal(len(slots), 0)
}

// A connection holds its slot from a read until it reads or writes again, or is closed.
func TestSlotOfAConnection(t *testing.T) {
	is := is.New(t)
	slots := make(chan struct{}, 1)
	inner, server := net.Pipe()
	client := limit(inner, &turn{ctx: t.Context(), slots: slots})
	go func() { _, _ = io.Copy(server, server) }()
	for range 3 {
		_, err := client.Write([]byte{'?'})
		is.NoErr(err)
		is.Equal(len(slots), 0)
		_, err = client.Read(make([]byte, 1))
		is.NoErr(err)
		is.Equal(len(slots), 1)
	}
	is.NoErr(client.Close())
	is.Equal(len(slots), 0)
	is.NoErr(server.Close())
}

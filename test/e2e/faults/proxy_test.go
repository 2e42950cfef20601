package faults

import (
	"context"
	"io"
	"net"
	"testing"
	"time"

	"github.com/matryer/is"
)

// echo starts a server that sends back its input. After each read it sends the number of bytes to
// the channel came.
func echo(t *testing.T) (addr string, came chan int) {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	came = make(chan int, 100)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = c.Close() }()
				buf := make([]byte, 100)
				for {
					n, err := c.Read(buf)
					came <- n // 0 at the end of the input
					if err != nil {
						return
					}
					_, _ = c.Write(buf[:n])
				}
			}()
		}
	}()
	return l.Addr().String(), came
}

// proxyToEcho returns a proxy to an echo server, and a working connection through the proxy.
func proxyToEcho(t *testing.T) (*proxy, net.Conn, chan int) {
	t.Helper()
	addr, came := echo(t)
	p, err := newProxy(addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.stop)
	c, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", p.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if !answers(t, c, processTimeout) || <-came != 1 {
		t.Fatal("the proxy does not pass")
	}
	return p, c, came
}

// answers sends a byte and reports whether the server sends it back within d.
func answers(t *testing.T, c net.Conn, d time.Duration) bool {
	t.Helper()
	_, _ = c.Write([]byte("x"))
	return comes(c, d)
}

func comes(c net.Conn, d time.Duration) bool {
	_ = c.SetReadDeadline(time.Now().Add(d))
	_, err := io.ReadFull(c, make([]byte, 1))
	return err == nil
}

const moment = 100 * time.Millisecond

func TestProxyModes(t *testing.T) {
	t.Run("a black hole delays everything", func(t *testing.T) {
		is := is.New(t)
		p, c, came := proxyToEcho(t)
		p.set(blackHole)
		is.True(!answers(t, c, moment))
		is.Equal(len(came), 0)
		p.set(pass)
		is.True(comes(c, processTimeout))
	})
	t.Run("a half-open connection loses the response", func(t *testing.T) {
		is := is.New(t)
		p, c, came := proxyToEcho(t)
		p.set(oneWay)
		is.True(!answers(t, c, moment))
		is.Equal(<-came, 1)
		p.set(pass)
		is.True(!comes(c, processTimeout))
	})
	t.Run("a reset ends connections", func(t *testing.T) {
		is := is.New(t)
		p, c, _ := proxyToEcho(t)
		p.set(reset)
		is.True(!answers(t, c, processTimeout))
	})
	t.Run("latency delays each piece", func(t *testing.T) {
		is := is.New(t)
		p, c, _ := proxyToEcho(t)
		p.set(slow)
		began := time.Now()
		is.True(answers(t, c, processTimeout) && time.Since(began) >= 2*delay)
	})
	t.Run("the database keeps the connections of a lost machine", func(t *testing.T) {
		is := is.New(t)
		p, c, came := proxyToEcho(t)
		p.isolate()
		is.True(!answers(t, c, moment))
		is.NoErr(c.Close())
		time.Sleep(moment)
		is.Equal(len(came), 0)
		p.stop()
		is.Equal(<-came, 0)
	})
}

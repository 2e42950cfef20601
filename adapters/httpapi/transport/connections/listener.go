package connections

import (
	"errors"
	"net"
	"sync"
	"syscall"
	"time"
)

// The pause after a failed accept starts at minPause and doubles up to maxPause.
const (
	minPause = 5 * time.Millisecond
	maxPause = time.Second
)

// sendBuffer limits how many bytes of a response the operating system keeps for a client that has
// not read them. By default the system keeps up to 4 MiB for each connection, so that some hundred
// slow downloads would slow down the responses to all others.
const sendBuffer = 128 << 10

// Listener returns a listener that accepts the connections of inner within the limits, and closes
// those beyond the limits immediately. If the process or the system has no file descriptor or
// memory for a connection, the listener closes the connection that has waited longest for a
// request, pauses, and tries again.
func (l *Limiter) Listener(inner net.Listener) net.Listener {
	return &listener{Listener: inner, limiter: l, closed: make(chan struct{})}
}

type listener struct {
	net.Listener
	limiter *Limiter
	closing sync.Once
	closed  chan struct{}
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	var pause time.Duration
	for {
		c, err := l.Listener.Accept()
		switch {
		case err == nil:
			if t, ok := c.(*net.TCPConn); ok {
				_ = t.SetWriteBuffer(sendBuffer) // otherwise, the default of the system applies
			}
			if admitted := l.limiter.admit(c); admitted != nil {
				return admitted, nil
			}
			_ = c.Close()
			pause = 0
		case isShortage(err):
			pause = min(max(2*pause, minPause), maxPause)
			l.limiter.relieve(err, pause)
			select {
			case <-time.After(pause):
			case <-l.closed:
			}
		default:
			return nil, err
		}
	}
}

// Close implements net.Listener.
func (l *listener) Close() error {
	l.closing.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// isShortage reports whether err means that file descriptors or memory are exhausted, which can be
// temporary.
func isShortage(err error) bool {
	for _, e := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// relieve closes the connection that has waited longest, after an accept failed with err.
func (l *Limiter) relieve(err error, pause time.Duration) {
	l.mu.Lock()
	l.closeLongest(&l.waiting)
	l.mu.Unlock()
	l.log.Warn("cannot accept a connection", "error", err, "pause", pause)
}

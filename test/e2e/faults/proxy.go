package faults

import (
	"context"
	"net"
	"sync"
	"time"
)

// mode determines what a proxy does with data.
type mode int

const (
	pass      mode = iota
	slow           // delays each piece of data
	blackHole      // holds all data until the mode ends
	oneWay         // forwards statements, but holds the responses of the database
	reset          // resets all connections, including new ones
)

// delay is the delay of each piece of data in the mode slow.
const delay = 40 * time.Millisecond

// proxy is a TCP proxy between a server and the database.
type proxy struct {
	addr   string
	listen net.Listener

	mu     sync.Mutex
	target string // host:port
	mode   mode
	change chan struct{} // closed at the next change of mode
	links  map[*link]bool
}

// link is a connection through the proxy.
type link struct {
	in, out *net.TCPConn
	dead    bool // whether data is never forwarded again; guarded by p.mu
	once    sync.Once
}

func newProxy(target string) (*proxy, error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{addr: l.Addr().String(), listen: l, target: target, change: make(chan struct{}), links: map[*link]bool{}}
	go p.accept()
	return p, nil
}

func (p *proxy) accept() {
	for {
		in, err := p.listen.Accept()
		if err != nil {
			return
		}
		go p.connect(in.(*net.TCPConn))
	}
}

func (p *proxy) connect(in *net.TCPConn) {
	p.mu.Lock()
	target, now := p.target, p.mode
	p.mu.Unlock()
	out, err := (&net.Dialer{Timeout: time.Second}).DialContext(context.Background(), "tcp", target)
	if err != nil || now == reset {
		_ = in.SetLinger(0)
		_ = in.Close()
		if err == nil {
			_ = out.Close()
		}
		return
	}
	l := &link{in: in, out: out.(*net.TCPConn)}
	p.mu.Lock()
	p.links[l] = true
	p.mu.Unlock()
	go p.forward(l, l.in, l.out, false)
	p.forward(l, l.out, l.in, true)
}

// set changes the mode. At the end of the mode oneWay it resets all connections, as if the server
// detected only then that the connections were lost.
func (p *proxy) set(m mode) {
	p.mu.Lock()
	reset := m == reset || p.mode == oneWay
	p.mode = m
	all := p.wakeAll()
	for _, l := range all {
		l.dead = l.dead || reset // set dead before a waiting piece checks the mode
	}
	p.mu.Unlock()
	for _, l := range all {
		if reset {
			p.close(l, true)
		}
	}
}

// redirect makes later connections lead to another target.
func (p *proxy) redirect(target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target = target
}

// isolate stops forwarding on the existing connections and leaves them open.
func (p *proxy) isolate() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.wakeAll() {
		l.dead = true
	}
}

package faults

import (
	"net"
	"time"
)

// forward copies data from one end of a link to the other. back reports whether the data comes from
// the database.
func (p *proxy) forward(l *link, from, to *net.TCPConn, back bool) {
	buf := make([]byte, 1<<16)
	for {
		n, err := from.Read(buf)
		if !p.mayForward(l, back) {
			return // the link is dead; set closes it
		}
		if err == nil {
			_, err = to.Write(buf[:n])
		}
		if err != nil {
			p.close(l, false)
			return
		}
	}
}

// mayForward waits until a piece of data may be forwarded. It returns false if the data must never
// be forwarded.
func (p *proxy) mayForward(l *link, back bool) bool {
	late := false
	for {
		p.mu.Lock()
		now, change, dead := p.mode, p.change, l.dead
		p.mu.Unlock()
		switch {
		case dead:
			return false
		case now == slow && !late:
			time.Sleep(delay)
			late = true
		case now == blackHole || now == oneWay && back:
			<-change
		default:
			return true
		}
	}
}

// wakeAll makes every waiting piece of data check the mode again, and returns all links. The caller
// must hold p.mu.
func (p *proxy) wakeAll() []*link {
	close(p.change)
	p.change = make(chan struct{})
	all := make([]*link, 0, len(p.links))
	for l := range p.links {
		all = append(all, l)
	}
	return all
}

func (p *proxy) close(l *link, reset bool) {
	l.once.Do(func() {
		if reset {
			_ = l.in.SetLinger(0)
			_ = l.out.SetLinger(0)
		}
		_, _ = l.in.Close(), l.out.Close()
		p.mu.Lock()
		delete(p.links, l)
		p.mu.Unlock()
	})
}

// stop ends the proxy and all connections.
func (p *proxy) stop() {
	_ = p.listen.Close()
	p.set(reset)
}

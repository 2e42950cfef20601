package connections

import (
	"net/netip"

	"lyceum/adapters/limiter"
)

// networkOf returns the network of an address, or nil for a trusted proxy. Callers of the methods
// in this file must hold the lock.
func (l *Limiter) networkOf(address netip.Addr) *network {
	if l.cfg.Trusted != nil && l.cfg.Trusted(address) {
		return nil
	}
	id := limiter.Network(address)
	if n := l.networks[id]; n != nil {
		return n
	}
	return &network{id: id}
}

func (l *Limiter) wait(c *connection) {
	c.ofAll = l.waiting.PushBack(c)
	if c.network != nil {
		c.ofNetwork = c.network.waiting.PushBack(c)
	}
}

func (l *Limiter) stopWaiting(c *connection) {
	if c.ofAll == nil {
		return
	}
	l.waiting.Remove(c.ofAll)
	if c.network != nil {
		c.network.waiting.Remove(c.ofNetwork)
	}
	c.ofAll, c.ofNetwork = nil, nil
}

func (l *Limiter) remove(c *connection) {
	l.stopWaiting(c)
	delete(l.open, c.Conn)
	if c.network == nil {
		return
	}
	c.network.open--
	l.removeUnused(c.network)
}

// removeUnused removes a network that has neither a connection nor a request.
func (l *Limiter) removeUnused(n *network) {
	if n.open == 0 && n.requests == 0 {
		delete(l.networks, n.id)
	}
}

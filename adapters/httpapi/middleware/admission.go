package middleware

import (
	"bytes"
	"time"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/listquery"
	"lyceum/adapters/httpapi/respond"
	"lyceum/adapters/limiter"
)

// slowBody is the time after which the credentials of a request are checked again when its body has
// arrived.
const slowBody = time.Second

// admit waits for a slot of the request's class and holds it while the handler runs. Slots are
// shared fairly between schools and keys. admit reads the body first, so that a client that sends
// slowly holds no slot. Handlers of exports take their slots themselves, and handlers of uploads
// read the body themselves.
func (m *Middleware) admit(c *gin.Context) {
	x := respond.StateOf(c)
	class := classOf(c)
	if class == limits.Export {
		return
	}
	if class != limits.Upload {
		begin := time.Now()
		body, parsing, err := m.buffer(c)
		defer body.Release() // at the end of the request, because the body is in memory until then
		defer parsing.Release()
		if err == nil && time.Since(begin) > slowBody {
			err = m.Reauthenticate(c)
		}
		if err != nil {
			m.Fail(c, err)
			return
		}
	}
	defer func() { x.Slot.Release() }() // the handler may exchange the slot
	if err := m.enter(c, class, slotsOf(c, class)); err != nil {
		m.Fail(c, err)
		return
	}
	c.Next()
}

// enter waits for n slots of a class for a request that holds none.
func (m *Middleware) enter(c *gin.Context, class limits.Class, n int) (err error) {
	x := respond.StateOf(c)
	x.Slots = n
	x.Slot, err = m.Lanes.EnterClass(c.Request.Context(), class, x.Client(), n)
	return err
}

// ChargeRecords counts the n records in the body of a request toward the rate limit of a learner.
func (m *Middleware) ChargeRecords(c *gin.Context, n int) {
	if x := respond.StateOf(c); x.Actor.IsLearner() {
		m.rates.Learner.Charge(c.Writer.Header(), x.RateKey(), (n-1)/recordsPerRequest)
	}
}

const (
	// recordsPerSlot is the number of records of a page for which it takes one more slot.
	recordsPerSlot = 32
	// objectsPerSlot is the number of JSON objects of a body for which it takes one more slot. A
	// record contains several objects, unless it is invalid, and may cost as much as a small request.
	objectsPerSlot = 128
	// skippedPerSlot is the number of rows before a page for which it takes one more slot.
	skippedPerSlot = 5_000
	// bytesPerSlot is the number of bytes of a body, for example of a relationship with 60
	// identifiers, for which it takes one more slot.
	bytesPerSlot = 4 << 10
	// manyCommas is the number of commas in a body of a bulk request from which it counts as large:
	// as many as 64 KiB of usual rows have. Invalid rows can have two bytes.
	manyCommas = 2000
	// allSlots is at least the number of slots that a school can hold in any class.
	allSlots = 1 << 16
)

// slotsOf returns the number of slots that a request of the given class takes. A page of long
// records, a long query, a large body, and the rows of a large bulk request occupy a processor for
// many milliseconds. Such requests therefore take several slots, so that a school has one of them at
// a time next to other schools, and the other schools find a free processor.
func slotsOf(c *gin.Context, class limits.Class) int {
	switch reads := respond.IsRead(c.Request.Method); {
	case class == limits.Cheap && reads:
		q := respond.StateOf(c).Query
		skipped := int(min(listquery.Skipped(q)/skippedPerSlot, allSlots))
		return 1 + listquery.Records(q)/recordsPerSlot + skipped + len(c.Request.URL.RawQuery)/queryPerUnit
	case class == limits.Cheap:
		body := bodyInMemory(c)
		return 1 + max(len(body)/bytesPerSlot, bytes.Count(body, []byte("{"))/objectsPerSlot)
	case class == limits.Expensive && !reads:
		if body := bodyInMemory(c); len(body) > smallBody || bytes.Count(body, []byte(",")) > manyCommas {
			return allSlots
		}
	}
	return 1
}

// bodyInMemory returns the body that was read into memory, or nil.
func bodyInMemory(c *gin.Context) []byte {
	if b, ok := c.Request.Body.(*BufferedBody); ok {
		return b.Bytes()
	}
	return nil
}

// manyNames is the size in bytes of a body that refers to about 100 records.
const manyNames = 8 << 10

// classOf returns the admission class of a request. It depends on the route and, for GET, on the
// parameters. For a route with ChangesMany, it also depends on the size of the body.
func classOf(c *gin.Context) limits.Class {
	x := respond.StateOf(c)
	if x.Whole {
		return limits.Export
	}
	if size := c.Request.ContentLength; x.Route.ChangesMany && (size < 0 || size > manyNames) {
		return limits.Long
	}
	if x.Route.Class != limits.Cheap || !respond.IsRead(c.Request.Method) {
		return x.Route.Class
	}
	return listquery.Class(x.Query, x.Route.CountsRows)
}

// EnterKeyless waits for a slot for a lookup by a request without a known key. It returns an error
// if the network of the request has used up its quota under limit. Networks share the slots fairly.
// The quota is checked again after the wait, so that concurrent requests exceed it at most by the
// number of slots.
func (m *Middleware) EnterKeyless(c *gin.Context, limit limits.RateLimit) (*limiter.Slot, error) {
	network := m.Network(c)
	if err := limit.Check(c.Writer.Header(), network); err != nil {
		return nil, err
	}
	slot, err := m.Lanes.Enter(c.Request.Context(), m.Lanes.Keyless, limiter.Origin{School: network}, limits.TooManyRequests)
	if err != nil {
		return slot, err
	}
	return slot, limit.Check(c.Writer.Header(), network)
}

// Network returns the network of the client; zero if its address is unknown.
func (m *Middleware) Network(c *gin.Context) [16]byte {
	return limiter.Network(m.cfg.Address(c.Request))
}

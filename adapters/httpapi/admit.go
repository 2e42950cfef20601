package httpapi

import (
	"bytes"
	"io"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/admission"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/respond"
)

// admit lets a request of an actor run when it is the turn of its school and key.
// It comes after authentication and right before the handler. The body is read
// before, so that a client that sends slowly holds no slot.
func (s *server) admit(c *gin.Context) {
	x := respond.StateOf(c)
	lane := s.laneOf(c)
	if lane == s.Lanes.Exports {
		return // an export takes its slot itself
	}
	if lane != s.Lanes.Uploads {
		body, err := s.receive(c)
		defer body.Release() // once the request is over: until then the body is in memory
		if err != nil {
			s.Fail(c, err)
			return
		}
	}
	slot, err := s.Lanes.Enter(c.Request.Context(), lane, x.Origin(), limits.TooManyRequests)
	defer slot.Release()
	if err != nil {
		s.Fail(c, err)
		return
	}
	x.Slot = slot
	c.Next()
}

// smallBody is the size, in bytes, up to which a body keeps no slot once it is read:
// all that wait for a slot of their class do not fill the memory with such bodies.
const smallBody = 64 << 10

// receive reads the body of a request into memory, as far as it may be read, and
// returns the slot that the body keeps there. A body that is too large is left to the
// handler, which finds it again.
func (s *server) receive(c *gin.Context) (*admission.Slot, error) {
	body := c.Request.Body
	if body == nil || body == http.NoBody || c.Request.ContentLength == 0 {
		return nil, nil
	}
	limit, lane := s.bodyLimit(c), s.Lanes.Bodies
	if limit > s.cfg.BodyLimit {
		lane = s.Lanes.LargeBodies
	}
	slot, err := s.Lanes.Enter(c.Request.Context(), lane, respond.StateOf(c).Origin(), limits.TooManyRequests)
	if err != nil {
		return slot, err
	}
	// The time in which the body must arrive begins now: before, the key may have been
	// looked up in a database that answers late. A server that cannot set it is stricter.
	_ = http.NewResponseController(c.Writer).SetReadDeadline(time.Now().Add(s.cfg.BodyTime))
	held, err := s.hold(c, body, limit)
	if err != nil {
		return slot, err
	}
	c.Request.Body = held
	if held.Len() <= smallBody {
		slot.Release()
		slot = nil
	}
	return slot, nil
}

// heldBody is a body that is in memory.
type heldBody struct {
	*bytes.Reader
	io.Closer
	all []byte
}

// hold reads a body, and one byte more than it may have if it has more. A body that is
// not small waits for its turns before the rest of it is read.
func (s *server) hold(c *gin.Context, body io.ReadCloser, limit int64) (*heldBody, error) {
	var read bytes.Buffer
	size := c.Request.ContentLength
	if size < 0 || size > limit {
		size = limit
	}
	if _, err := read.ReadFrom(io.LimitReader(body, min(smallBody, limit)+1)); err != nil {
		return nil, respond.Unread("body", err)
	}
	if read.Len() > smallBody {
		if err := s.waitTurns(c, int(size/bodyPerTurn)); err != nil {
			return nil, err
		}
		if c.Request.ContentLength > 0 {
			read.Grow(int(size) - read.Len() + bytes.MinRead)
		}
		if _, err := read.ReadFrom(io.LimitReader(body, limit+1-int64(read.Len()))); err != nil {
			return nil, respond.Unread("body", err)
		}
	}
	return &heldBody{bytes.NewReader(read.Bytes()), body, read.Bytes()}, nil
}

// enterKeyless returns the slot in which a request without a known key looks
// something up, unless its network has no quota left under limit. The networks of
// clients take turns. The quota is checked again after the wait, so that requests
// which arrive together exceed it by the number of slots at most.
func (s *server) enterKeyless(c *gin.Context, limit limits.RateLimit) (*admission.Slot, error) {
	network := s.network(c)
	if err := limit.Check(c.Writer.Header(), network); err != nil {
		return nil, err
	}
	slot, err := s.Lanes.Enter(c.Request.Context(), s.Lanes.Keyless, admission.Origin{Key: network}, limits.TooManyRequests)
	if err != nil {
		return slot, err
	}
	return slot, limit.Check(c.Writer.Header(), network)
}

// network returns what stands for the network of the client: the address, of IPv6
// the first 64 bits, which one client commands.
func (s *server) network(c *gin.Context) [16]byte {
	address := s.cfg.Address(c.Request).Unmap()
	if address.Is6() {
		prefix, _ := address.WithZone("").Prefix(64) // 64 bits are not too many
		address = prefix.Addr()
	}
	if !address.IsValid() {
		return [16]byte{}
	}
	return address.As16()
}

package httpapi

import (
	"bytes"
	"cmp"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/admission"
)

const tooMany = "Too many requests are running; try again later"

// admit lets a request of an actor run when it is the turn of its school and key.
// It comes after authentication and right before the handler. The body is read
// before, so that a client that sends slowly holds no slot.
func (s *server) admit(c *gin.Context) {
	x := exchangeOf(c)
	lane := s.laneOf(c)
	if lane == nil {
		return // an export, which takes its slot itself
	}
	if lane != s.lanes.uploads {
		if err := s.receive(c); err != nil {
			s.fail(c, err)
			return
		}
	}
	slot, err := s.enter(c.Request.Context(), lane, originOf(x.actor), tooMany)
	defer slot.Release()
	if err != nil {
		s.fail(c, err)
		return
	}
	x.slot = slot
	c.Next()
}

// laneOf returns the slots of the class of a request.
func (s *server) laneOf(c *gin.Context) *admission.Limiter {
	switch {
	case c.FullPath() == exportPath:
		return nil
	case isHandIn(c):
		return s.lanes.uploads
	case isLong(c):
		return s.lanes.long
	case strings.Contains(c.FullPath(), "/bulk/") && c.Request.Method == http.MethodPost,
		isRead(c.Request.Method) && searches(exchangeOf(c).query):
		return s.lanes.expensive
	}
	return s.lanes.cheap
}

// identifying is the attributes by which a record is found through an index, in every
// list that has them.
var identifying = []string{"uuid", "id", "email", "code", "permalink"}

// searches reports whether a list with those parameters may have to read many
// records to find a few: by words, by an order, or by a filter other than one for
// the identity of a record.
func searches(query []pair) bool {
	for _, p := range query {
		name := strings.ToLower(p.name)
		switch {
		case name == "q" || name == "sort":
			if p.value != "" {
				return true
			}
		case strings.HasPrefix(name, "filter["):
			attribute, predicate, _ := strings.Cut(strings.TrimPrefix(name, "filter["), "]")
			equal := predicate == "" || predicate == "[eq]" || predicate == "[in]" || predicate == "[]"
			if !equal || !slices.Contains(identifying, attribute[strings.LastIndex(attribute, ".")+1:]) {
				return true
			}
		}
	}
	return false
}

// receive reads the body of a request into memory, as far as it may be read. A body
// that is too large is left to the handler, which finds it again.
func (s *server) receive(c *gin.Context) error {
	body := c.Request.Body
	if body == nil || body == http.NoBody || c.Request.ContentLength == 0 {
		return nil
	}
	slot, err := s.enter(c.Request.Context(), s.lanes.bodies, originOf(exchangeOf(c).actor), tooMany)
	defer slot.Release()
	if err != nil {
		return err
	}
	limit := cmp.Or(exchangeOf(c).bodyLimit, s.cfg.BodyLimit)
	var read bytes.Buffer
	if size := c.Request.ContentLength; size > 0 {
		read.Grow(int(min(size, limit)) + bytes.MinRead)
	}
	if _, err := read.ReadFrom(io.LimitReader(body, limit+1)); err != nil {
		return unread("body", err)
	}
	c.Request.Body = struct {
		io.Reader
		io.Closer
	}{&read, body}
	return nil
}

// enterKeyless returns the slot in which a request without a known key looks
// something up, unless its network has no quota left under limit. The networks of
// clients take turns. The quota is checked again after the wait, so that requests
// which arrive together exceed it by the number of slots at most.
func (s *server) enterKeyless(c *gin.Context, limit rateLimit) (*admission.Slot, error) {
	network := s.network(c)
	if err := limit.check(c, network); err != nil {
		return nil, err
	}
	slot, err := s.enter(c.Request.Context(), s.lanes.keyless, admission.Origin{Key: network}, tooMany)
	if err != nil {
		return slot, err
	}
	return slot, limit.check(c, network)
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

package respond

import (
	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"lyceum/adapters/limiter"
)

// responsePerUnit is the number of bytes of a response that count as one request. Reading and
// encoding them takes about as much processor time as 16 KiB of a body.
const responsePerUnit = 16 << 10

// ChargePage delays later requests of a network according to the size of a page in bytes.
func (r *Responder) ChargePage(network [16]byte, size int) {
	if units := size / responsePerUnit; units > 0 {
		r.Spacings.Networks.Charge(limiter.Origin{School: network}, units)
	}
}

// charge delays later requests of the key according to the size of a response in bytes, while
// another school is active. The size is known only now, and counts even if the client already has
// the response. The part of the request's weight that is due to the number of its records is
// deducted.
func (r *Responder) charge(c *gin.Context, size int) {
	x := StateOf(c)
	if units := size/responsePerUnit - x.RecordUnits; units > 0 && x.Actor.School().UUID != uuid.Nil {
		r.Spacings.Schools.ChargeBesideOthers(x.Origin(), units)
	}
}

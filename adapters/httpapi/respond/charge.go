package respond

import (
	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
)

// responsePerUnit is the number of bytes of a response that count as one request. Reading and
// encoding them takes about as much processor time as 16 KiB of a body.
const responsePerUnit = 16 << 10

// ChargePage delays later requests of a network according to the size of a page in bytes.
func (r *Responder) ChargePage(network [16]byte, size int) {
	if units := size / responsePerUnit; units > 0 {
		r.Spacings.Networks.Charge(network, units)
	}
}

// charge delays later requests of the school according to the size of a response in bytes, while
// another school is active. The size is known only now, and counts even if the client already has
// the response. The part of the request's weight that is due to the number of its records is
// deducted.
func (r *Responder) charge(c *gin.Context, size int) {
	x := StateOf(c)
	school := x.Actor.School().UUID
	if units := size/responsePerUnit - x.RecordUnits; units > 0 && school != uuid.Nil {
		r.Spacings.Schools.ChargeBesideOthers(school, units)
	}
}

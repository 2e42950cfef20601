package crowd

import (
	"encoding/binary"
	"encoding/hex"
	"time"

	"github.com/google/uuid"
)

// kind sets the numbers of one kind of record apart from those of another.
type kind uint64

const (
	ofCategory kind = iota + 1
	ofCoupon
	ofPerson
	ofPart
	ofCourse
	ofQuiz
	ofQuestion
	ofAssignment
	ofActivity
	ofGroup
	ofMembership
	ofEnrollment
	ofAttempt
	ofRun
	ofEvent
)

// begin is when the first person came, and span how long it went on until the
// last event; the school of another seed lived at the same time.
var begin = time.Date(2025, time.January, 6, 8, 0, 0, 0, time.UTC)

const span = 330 * 24 * time.Hour

// chance returns bits that follow from the seed, the kind and the number.
func (g *generator) chance(k kind, n int) uint64 {
	return mix(mix(mix(g.Seed)+uint64(k)) + uint64(n)) // numbers are not negative
}

// mix spreads x over 64 bits (the finalizer of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// pick returns a number from 0 to n-1.
func (g *generator) pick(k kind, number, n int) int {
	return int(g.chance(k, number) % uint64(n)) // n is above 0 and an int
}

// id returns the id of a record that was made at the given time, of the form of
// version 7: ids of later records stand behind those of earlier ones.
func (g *generator) id(k kind, n int, at time.Time) uuid.UUID {
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:], uint64(at.UnixMilli())<<16) // the time is after 1970
	bits := g.chance(k, n)
	more := mix(bits)
	binary.BigEndian.PutUint16(id[6:], uint16(more>>48)) // 16 bits of it
	binary.BigEndian.PutUint64(id[8:], bits)
	id[6], id[8] = id[6]&0x0f|0x70, id[8]&0x3f|0x80
	return id
}

// token returns the secret part of a link.
func (g *generator) token(k kind, n int) string {
	var b [20]byte
	x := g.chance(k, n)
	for i := range 3 {
		x = mix(x)
		binary.BigEndian.PutUint64(b[min(8*i, 12):], x)
	}
	return hex.EncodeToString(b[:])
}

// part returns the instant at n of total parts of the span between two times.
func part(from, to time.Time, n, total int) time.Time {
	return from.Add(time.Duration(float64(to.Sub(from)) * float64(n) / float64(max(total, 1)))).Truncate(time.Millisecond)
}

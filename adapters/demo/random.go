package demo

import "time"

// kind selects the sequence of random numbers of one kind of record.
type kind uint64

const (
	ofCoupon kind = iota + 1
	ofPerson
	ofPartnership
	ofCourse
	ofQuestion
	ofActivity
	ofGroup
	ofEnrollment
	ofAttempt
	ofEvent
)

// begin is the time of the first person, and span is the time from then to the last event. Both are
// the same for every seed.
var begin = time.Date(2025, time.January, 6, 8, 0, 0, 0, time.UTC)

const span = 330 * 24 * time.Hour

// randomBits returns 64 random bits that depend only on the seed, the kind and the number.
func (s Size) randomBits(k kind, n int) uint64 {
	return mix(mix(mix(s.Seed)+uint64(k)) + uint64(n)) // safe, because n is not negative
}

// mix spreads x over 64 bits (the finalizer of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// pick returns a number from 0 to n-1.
func (s Size) pick(k kind, number, n int) int {
	return int(s.randomBits(k, number) % uint64(n)) // safe, because n is positive
}

// part divides the time between from and to into total equal parts, and returns the start of the
// n-th part (0-based).
func part(from, to time.Time, n, total int) time.Time {
	return from.Add(time.Duration(float64(to.Sub(from)) * float64(n) / float64(max(total, 1)))).Truncate(time.Millisecond)
}

package demo

import (
	"time"

	"lyceum/domain/fault"
)

// Size is how much of everything a generated school has.
type Size struct {
	People, Courses, Categories, Coupons int
	Groups                               int    // every other one holds a course
	Enrollments                          int    // as learners, those that follow from groups included
	Memberships                          int    // as members
	Events                               int    // of the feed
	Answers                              int    // to questions of quizzes
	Seed                                 uint64 // 1 and up

	// FeedEnd is the time of the last event of the school that the lines are for: an
	// import leaves out what is not later. Zero: it has none.
	FeedEnd time.Time
}

// instructorEvery is how many people there are to an instructor, who teaches.
const instructorEvery = 50

// waitingEvery is how many people there are to one who has not accepted the
// invitation yet, and so learns nothing.
const waitingEvery = 10

// most is the largest number of anything.
const most = 1_000_000_000

// Validate returns what is wrong with s, faults on the fields people, courses,
// categories, coupons, groups, enrollments, memberships, events, answers and
// seed.
func (s Size) Validate() error {
	var errs []error
	for _, n := range []struct {
		field string
		value int
	}{
		{"people", s.People},
		{"courses", s.Courses},
		{"categories", s.Categories},
		{"coupons", s.Coupons},
		{"groups", s.Groups},
		{"enrollments", s.Enrollments},
		{"memberships", s.Memberships},
		{"events", s.Events},
		{"answers", s.Answers},
	} {
		switch {
		case n.value < 0:
			errs = append(errs, fault.Invalidf(n.field, "must not be negative"))
		case n.value > most:
			errs = append(errs, fault.Invalidf(n.field, "must be at most %d", most))
		}
	}
	if s.Seed == 0 {
		errs = append(errs, fault.Invalidf("seed", "must be 1 or more"))
	}
	if len(errs) > 0 {
		return fault.Join(errs...)
	}
	if possible := s.learners() * s.Courses; s.Enrollments > possible {
		errs = append(errs, fault.Invalidf("enrollments",
			"must be at most %d: %d people in %d courses, each once", possible, s.learners(), s.Courses))
	}
	if possible := s.learners() * s.open(); s.Memberships > possible {
		errs = append(errs, fault.Invalidf("memberships",
			"must be at most %d: %d people in %d groups without a course, each once", possible, s.learners(), s.open()))
	}
	for _, n := range []struct {
		field string
		value int
	}{{"events", s.Events}, {"answers", s.Answers}} {
		if n.value > 0 && s.Enrollments == 0 {
			errs = append(errs, fault.Invalidf(n.field, "must be 0 where nobody is enrolled"))
		}
	}
	return fault.Join(errs...)
}

// learners is how many of the people can be enrolled.
func (s Size) learners() int { return s.People - s.People/waitingEvery }

// who returns the number of the n-th person who can be enrolled.
func who(n int) int { return n + n/(waitingEvery-1) }

// open is how many groups hold no course: the first and every other one.
func (s Size) open() int { return (s.Groups + 1) / 2 }

// share returns how many of total things the n-th of so many gets, and how many
// those before it get.
func share(total, among, n int) (own, before int) {
	base, rest := total/among, total%among
	own, before = base, n*base+min(n, rest)
	if n < rest {
		own++
	}
	return own, before
}

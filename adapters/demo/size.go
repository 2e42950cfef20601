package demo

import (
	"time"

	"lyceum/domain/fault"
)

// Size is the number of records of each kind in a generated school.
type Size struct {
	People, Courses, Categories, Coupons int
	Groups                               int // every second one contains a course
	// Enrollments is the number of enrollments as learner, including those through groups.
	Enrollments int
	Memberships int    // memberships as member
	Events      int    // events in the event feed
	Answers     int    // answers to questions of quizzes
	Submissions int    // submitted files; at most one for each enrollment
	Seed        uint64 // at least 1

	// FeedEnd is the time of the last event of the school into which the lines are imported; zero:
	// there is none. The import skips events that are not after it.
	FeedEnd time.Time
}

// instructorEvery determines how many people are instructors: one in every 50.
const instructorEvery = 50

// waitingEvery determines how many people have not accepted the invitation: one in every 10. These
// people have no enrollments.
const waitingEvery = 10

// maxCount is the maximum of each count in Size.
const maxCount = 1_000_000_000

// Validate returns faults on the fields people, courses, categories, coupons, groups,
// enrollments, memberships, events, answers, submissions and seed.
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
		{"submissions", s.Submissions},
	} {
		switch {
		case n.value < 0:
			errs = append(errs, fault.Invalidf(n.field, "must not be negative"))
		case n.value > maxCount:
			errs = append(errs, fault.Invalidf(n.field, "must be at most %d", maxCount))
		}
	}
	if s.Seed == 0 {
		errs = append(errs, fault.Invalidf("seed", "must be at least 1"))
	}
	if len(errs) > 0 {
		return fault.Join(errs...)
	}
	if possible := s.learners() * s.Courses; s.Enrollments > possible {
		errs = append(errs, fault.Invalidf("enrollments",
			"must be at most %d (%d people in %d courses)", possible, s.learners(), s.Courses))
	}
	if possible := s.learners() * s.openGroups(); s.Memberships > possible {
		errs = append(errs, fault.Invalidf("memberships",
			"must be at most %d (%d people in %d groups without a course)", possible, s.learners(), s.openGroups()))
	}
	if s.Submissions > s.Enrollments {
		errs = append(errs, fault.Invalidf("submissions", "must be at most %d, the number of enrollments", s.Enrollments))
	}
	for _, n := range []struct {
		field string
		value int
	}{{"events", s.Events}, {"answers", s.Answers}} {
		if n.value > 0 && s.Enrollments == 0 {
			errs = append(errs, fault.Invalidf(n.field, "must be 0 without enrollments"))
		}
	}
	return fault.Join(errs...)
}

// learners returns the number of people who can be enrolled.
func (s Size) learners() int { return s.People - s.People/waitingEvery }

// enrollablePerson returns the index of the n-th person who can be enrolled. Both are 0-based.
func enrollablePerson(n int) int { return n + n/(waitingEvery-1) }

// openGroups returns the number of groups without a course: the first group and every second one
// after it.
func (s Size) openGroups() int { return (s.Groups + 1) / 2 }

// portion divides total into nearly equal parts; among is the number of parts. It returns the n-th
// part (0-based) and the sum of the parts before it.
func portion(total, among, n int) (own, before int) {
	base, rest := total/among, total%among
	own, before = base, n*base+min(n, rest)
	if n < rest {
		own++
	}
	return own, before
}

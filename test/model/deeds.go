package model

import (
	"slices"
	"time"
)

// The school of a history: what people do is named by these numbers.
const (
	people  = 3
	courses = 2
	// Each course has, in this order, a text, a video, a quiz and an assignment.
	activities              = 4
	text, video, test, work = 0, 1, 2, 3
	questions               = 3
)

// deed is one thing that was done, and done without a fault.
type deed struct {
	what           string
	person, course int
	activity       int
	question       int
	right          bool
	watched        int64 // millionths
	name           string
	at             time.Time
	submission     string // the id that was given
}

// chronicle is all deeds of a history, oldest first.
type chronicle []deed

// enrolled returns since when a person is enrolled in a course; nil when not.
func (c chronicle) enrolled(person, course int) *time.Time {
	var since *time.Time
	for _, d := range c {
		if d.person != person || d.course != course {
			continue
		}
		switch {
		case d.what == "enroll" && since == nil:
			since = &d.at
		case d.what == "unenroll":
			since = nil
		}
	}
	return since
}

// gone tells whether a person was deleted.
func (c chronicle) gone(person int) bool {
	return slices.ContainsFunc(c, func(d deed) bool { return d.what == "delete" && d.person == person })
}

// called returns the first name of a person.
func (c chronicle) called(person int, name string) string {
	for _, d := range c {
		if d.what == "rename" && d.person == person {
			name = d.name
		}
	}
	return name
}

// opens is the deeds by which a first attempt begins.
var opens = []string{"view", "watch", "complete", "answer", "submit", "retake"}

// attempts returns the deeds of a person in a course, attempt by attempt.
func (c chronicle) attempts(person, course int) []chronicle {
	var all []chronicle
	for _, d := range c {
		if d.person != person || d.course != course || !slices.Contains(opens, d.what) {
			continue
		}
		if len(all) == 0 || d.what == "retake" {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], d)
	}
	return all
}

// progress returns the percentage of activities completed in an attempt, in
// hundredths, and when one was last completed: explicitly, by a file, by most of
// the video, or by answers to all questions within one run.
func (c chronicle) progress() (int64, *time.Time) {
	done, answered := map[int]bool{}, map[int]bool{}
	var last *time.Time
	for _, d := range c {
		completes := false
		switch d.what {
		case "complete", "submit":
			completes = true
		case "watch":
			completes = d.watched >= 900_000
		case "answer":
			answered[d.question] = true
			if completes = len(answered) == questions; completes {
				answered = map[int]bool{}
			}
		}
		if completes && !done[d.activity] {
			done[d.activity], last = true, &d.at
		}
	}
	return nearest(len(done), activities), last
}

// nearest returns which percentage, in hundredths, part is of whole. The nearest
// is searched for, from above.
func nearest(part, whole int) int64 {
	best := int64(10000)
	for p := best; p >= 0; p-- {
		if distance(p, part, whole) < distance(best, part, whole) {
			best = p
		}
	}
	return best
}

// distance returns how far p hundredths of a percent are from part of whole, as
// a multiple of a small unit.
func distance(p int64, part, whole int) int64 {
	d := p*int64(whole) - int64(part)*10000
	return max(d, -d)
}

// runs returns the answers of an attempt, run by run: when all questions have an
// answer the next answer begins another. In each the last word on a question
// counts.
func (c chronicle) runs() []map[int]deed {
	var all []map[int]deed
	for _, d := range c {
		if d.what != "answer" {
			continue
		}
		if len(all) == 0 || len(all[len(all)-1]) == questions {
			all = append(all, map[int]deed{})
		}
		all[len(all)-1][d.question] = d
	}
	return all
}

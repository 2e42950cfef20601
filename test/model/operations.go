package model

import (
	"slices"
	"time"
)

// The size of the school. Operations refer to people and courses by index.
const (
	people  = 3
	courses = 2
	// Each course has a text, a video, a quiz and an assignment, in this order.
	activities              = 4
	text, video, test, work = 0, 1, 2, 3
	questions               = 3
)

// operation is one step of a history. Do sets at and submission.
type operation struct {
	what           string
	person, course int
	activity       int
	question       int
	right          bool
	watched        int64 // millionths
	name           string
	at             time.Time
	submission     string // id of the submission
}

// history contains the operations that succeeded, oldest first.
type history []operation

// enrolled returns the time since which a person is enrolled in a course, or nil if the person is
// not enrolled.
func (c history) enrolled(person, course int) *time.Time {
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

// isDeleted reports whether a person was deleted.
func (c history) isDeleted(person int) bool {
	return slices.ContainsFunc(c, func(d operation) bool { return d.what == "delete" && d.person == person })
}

// firstName returns the current first name of a person. name is the first name before the history.
func (c history) firstName(person int, name string) string {
	for _, d := range c {
		if d.what == "rename" && d.person == person {
			name = d.name
		}
	}
	return name
}

// startsAttempt lists the operations that belong to an attempt. They start the first attempt if
// there is none.
var startsAttempt = []string{"view", "watch", "complete", "answer", "submit", "retake"}

// attempts returns the operations of a person in a course, grouped by attempt.
func (c history) attempts(person, course int) []history {
	var all []history
	for _, d := range c {
		if d.person != person || d.course != course || !slices.Contains(startsAttempt, d.what) {
			continue
		}
		if len(all) == 0 || d.what == "retake" {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], d)
	}
	return all
}

// progress returns the percentage of activities completed in an attempt, in hundredths of a
// percent, and the time of the last completion. An activity is completed by an explicit request, by
// submitting a file, by watching most of the video, or by answering all questions in one quiz
// attempt.
func (c history) progress() (int64, *time.Time) {
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

// nearest returns part of whole in hundredths of a percent, rounded half up. To differ from the
// code under test, it tries all values instead of dividing.
func nearest(part, whole int) int64 {
	best := int64(10000)
	for p := best; p >= 0; p-- {
		if distance(p, part, whole) < distance(best, part, whole) {
			best = p
		}
	}
	return best
}

// distance returns how far p hundredths of a percent are from part/whole, multiplied by
// 10000*whole.
func distance(p int64, part, whole int) int64 {
	d := p*int64(whole) - int64(part)*10000
	return max(d, -d)
}

// quizAttempts returns the answers of an attempt, grouped by quiz attempt. When all questions are
// answered, the next answer starts a new quiz attempt. In each quiz attempt, only the last answer
// to a question counts.
func (c history) quizAttempts() []map[int]operation {
	var all []map[int]operation
	for _, d := range c {
		if d.what != "answer" {
			continue
		}
		if len(all) == 0 || len(all[len(all)-1]) == questions {
			all = append(all, map[int]operation{})
		}
		all[len(all)-1][d.question] = d
	}
	return all
}

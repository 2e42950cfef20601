package model

import (
	"fmt"
	"slices"
	"time"
)

// picture contains the rows of the lists of a school, one line for each row, without generated ids.
// Lists without a promised order are sorted.
type picture struct {
	Enrollments, Courses, Scores, Answers, Events, Submissions []string
}

const stamp = "2006-01-02T15:04:05.000Z"

func instant(t *time.Time) string {
	if t == nil {
		return "null"
	}
	return t.UTC().Format(stamp)
}

func percent(hundredths int64) string { return fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100) }

func fullName(first string) string { return first + " Example" }

// expect computes the expected lists from the history.
func (c history) expect() picture {
	var p picture
	for person := range people {
		if c.isDeleted(person) {
			continue
		}
		name := fullName(c.firstName(person, firstName(person)))
		for course := range courses {
			c.expectOf(&p, person, course, name)
		}
	}
	p.Events = c.events()
	for _, list := range []*[]string{&p.Enrollments, &p.Courses, &p.Scores, &p.Answers, &p.Submissions} {
		slices.Sort(*list)
	}
	return p
}

func (c history) expectOf(p *picture, person, course int, name string) {
	attempts := c.attempts(person, course)
	who := name + " in " + courseName(course)
	if since := c.enrolled(person, course); since != nil {
		latest := int64(0)
		for _, a := range attempts {
			progress, last := a.progress()
			latest = progress
			p.Courses = append(p.Courses, fmt.Sprintf(
				"%s since %s attempt true progress %s last %s", who, instant(since), percent(progress), instant(last)))
		}
		if len(attempts) == 0 {
			p.Courses = append(p.Courses, fmt.Sprintf(
				"%s since %s attempt false progress 0.00 last null", who, instant(since)))
		}
		p.Enrollments = append(p.Enrollments, fmt.Sprintf(
			"%d in %d since %s progress %s", person, course, instant(since), percent(latest)))
	}
	for number, a := range attempts {
		for i, run := range a.quizAttempts() {
			var right int
			var last time.Time
			for q, d := range run {
				if d.right {
					right++
				}
				if d.at.After(last) {
					last = d.at
				}
				p.Answers = append(p.Answers, fmt.Sprintf("%s attempt %d question %d/%d %s %v at %s",
					who, number+1, q+1, questions, response(d.right), d.right, instant(&d.at)))
			}
			if i == len(a.quizAttempts())-1 {
				p.Scores = append(p.Scores, fmt.Sprintf("%s attempt %d completed %d/%d progress %s correct %s last %s",
					who, number+1, len(run), questions, percent(nearest(len(run), questions)), percent(nearest(right, len(run))),
					instant(&last)))
			}
		}
		for _, d := range a {
			if d.what == "submit" {
				p.Submissions = append(p.Submissions, fmt.Sprintf("%s of %s at %s", d.submission, who, instant(&d.at)))
			}
		}
	}
}

// events computes the event feed. An event has the time of its operation or, if that is not after
// the time of the last event, the time of the last event plus one millisecond.
func (c history) events() []string {
	var feed []string
	var last time.Time
	for _, d := range c {
		if d.what != "view" && d.what != "watch" {
			continue
		}
		at := d.at
		if !at.After(last) {
			at = last.Add(time.Millisecond)
		}
		last = at
		if c.isDeleted(d.person) {
			continue
		}
		line := fmt.Sprintf("%s viewed %d of %d by %d", instant(&at), d.activity, d.course, d.person)
		if d.what == "watch" {
			line += fmt.Sprintf(" up to %d", d.watched)
		}
		feed = append(feed, line)
	}
	return feed
}

func firstName(person int) string { return []string{"Ada", "Grace", "Alan"}[person] }

func courseName(course int) string { return []string{"Greek", "Latin"}[course] }

func response(right bool) string {
	if right {
		return "Yes"
	}
	return "No"
}

// Package activity is one step of a course: something to read, a video to watch,
// a quiz to answer, an assignment to hand in.
package activity

import (
	"time"

	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// Type is the plural noun by which documents and faults name activities.
const Type = "activities"

// ID identifies an activity.
type ID = course.ActivityID

// Activity is one step of one course.
type Activity struct{ s State }

// State is the plain record of an activity, and what lists show.
type State struct {
	ID                   ID
	Course               course.ID
	Title                string
	Content              Content
	CreatedAt, UpdatedAt time.Time
}

// New returns an activity of a course. The title obeys text.Name; a video has a
// length.
func New(id ID, c course.ID, title string, content Content, now time.Time) (Activity, error) {
	title, err := text.Name("title", title)
	if err := fault.Join(err, content.check()); err != nil {
		return Activity{}, err
	}
	return Activity{State{ID: id, Course: c, Title: title, Content: content, CreatedAt: now, UpdatedAt: now}}, nil
}

// Restore returns the activity that a store kept as s.
func Restore(s State) Activity { return Activity{s} }

// State returns the activity's record.
func (a Activity) State() State { return a.s }

// Package activity defines one step of a course: a text to read, a video to watch, a quiz to answer
// or an assignment to submit a file for.
package activity

import (
	"time"

	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// Type is the resource type of activities in documents and faults.
const Type = "activities"

// ID identifies an activity.
type ID = course.ActivityID

// Activity is one step of one course.
type Activity struct{ s State }

// State is the plain record of an activity. Lists contain it without its text.
type State struct {
	ID     ID
	Course course.ID
	Slot
	Title                string
	Content              Content
	ArchivedAt           *time.Time // nil: not archived
	CreatedAt, UpdatedAt time.Time
}

// Slot identifies an activity within its course and gives its position.
type Slot struct {
	Key      string // a slug (text.Slug), unique in the course; never changes
	Position int    // from 1; 0 while the activity is archived
}

// New returns an activity of a course. The key must satisfy text.Slug, the title text.Name and the
// content Content.Check.
func New(id ID, c course.ID, p Slot, title string, content Content, now time.Time) (Activity, error) {
	_, errKey := text.Slug("key", p.Key)
	title, errTitle := text.Name("title", title)
	if err := fault.Join(errKey, errTitle, content.Check()); err != nil {
		return Activity{}, err
	}
	return Activity{State{ID: id, Course: c, Slot: p, Title: title, Content: content, CreatedAt: now, UpdatedAt: now}}, nil
}

// Restore returns the activity that a store saved as s.
func Restore(s State) Activity { return Activity{s} }

// State returns the plain record of the activity.
func (a Activity) State() State { return a.s }

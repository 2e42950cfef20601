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
	ID     ID
	Course course.ID
	Place
	Title                string
	Content              Content
	ArchivedAt           *time.Time // nil while the course shows it
	CreatedAt, UpdatedAt time.Time
}

// Place is how a course names an activity and where it stands there.
type Place struct {
	Key      string // a slug (text.Slug), of which a course has no two alike; it never changes
	Position int    // 1 is the first of the course; 0 while the activity is archived
}

// New returns an activity of a course. The key obeys text.Slug and the title
// text.Name; a video has a length.
func New(id ID, c course.ID, p Place, title string, content Content, now time.Time) (Activity, error) {
	_, errKey := text.Slug("key", p.Key)
	title, errTitle := text.Name("title", title)
	if err := fault.Join(errKey, errTitle, content.Check()); err != nil {
		return Activity{}, err
	}
	return Activity{State{ID: id, Course: c, Place: p, Title: title, Content: content, CreatedAt: now, UpdatedAt: now}}, nil
}

// Restore returns the activity that a store kept as s.
func Restore(s State) Activity { return Activity{s} }

// State returns the activity's record.
func (a Activity) State() State { return a.s }

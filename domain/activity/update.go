package activity

import (
	"time"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// Archived reports whether the course no longer shows the activity.
func (s State) Archived() bool { return archived(&s) }

var archived = Schema.Boolean("archived")

// CheckNotArchived returns a fault if the activity is archived, because learners cannot work in an
// archived activity.
func (s State) CheckNotArchived() error {
	if s.Archived() {
		return fault.Invalidf("activity", "is archived")
	}
	return nil
}

// WithoutText returns the record without its text, as lists return it and as rules receive it.
func (s State) WithoutText() State {
	s.Content.Text = ""
	return s
}

// Update sets the title, the content and the position of the activity. It archives the activity at
// the given time or, if archived is nil, restores it. The position of an archived activity is
// always 0. A new position alone does not change UpdatedAt.
func (a *Activity) Update(title string, content Content, position int, archived *time.Time, now time.Time) error {
	title, err := text.Name("title", title)
	if err := fault.Join(err, content.Check()); err != nil {
		return err
	}
	stays := archived == nil && !a.s.Archived() || archived != nil && a.s.Archived() && archived.Equal(*a.s.ArchivedAt)
	if title != a.s.Title || content != a.s.Content || !stays {
		a.s.UpdatedAt = now
	}
	a.s.Title, a.s.Content, a.s.Position = title, content, position
	if !stays {
		a.s.ArchivedAt = archived
	}
	if a.s.Archived() {
		a.s.Position = 0
	}
	return nil
}

// Archive hides the activity from the course. Its learner data is kept.
func (a *Activity) Archive(now time.Time) {
	a.s.Position, a.s.ArchivedAt, a.s.UpdatedAt = 0, &now, now
}

package activity

import (
	"time"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// Archived tells whether the course shows the activity no more.
func (s State) Archived() bool { return archived(&s) }

var archived = Schema.Boolean("archived")

// CheckLive says whether learners may do anything in the activity: not in one
// that is archived.
func (s State) CheckLive() error {
	if s.Archived() {
		return fault.Invalidf("activity", "is archived")
	}
	return nil
}

// Revise gives the activity a title, a content and a position of its course, in
// which it stands from now on, or, unless archived is nil, has not stood since
// then. To move to another position is no change of the activity itself.
func (a *Activity) Revise(title string, content Content, position int, archived *time.Time, now time.Time) error {
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

// Archive takes the activity out of its course. What has been learned in it
// stays.
func (a *Activity) Archive(now time.Time) {
	a.s.Position, a.s.ArchivedAt, a.s.UpdatedAt = 0, &now, now
}

package course

import (
	"time"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// Edit is what is to be changed of a course's own attributes; nil leaves one as
// it is.
type Edit struct {
	Name, Permalink *string
}

// Edit changes the course and tells whether anything is different then; the time
// of the change is noted only if so. Name and permalink obey the rules of New;
// all that is wrong is told at once, and then nothing is changed.
func (c *Course) Edit(e Edit, now time.Time) (changed bool, err error) {
	name, link := c.s.Name, c.s.Permalink
	var errName, errLink error
	if e.Name != nil {
		name, errName = text.Name("name", *e.Name)
	}
	if e.Permalink != nil {
		link, errLink = permalink(*e.Permalink)
	}
	if err := fault.Join(errName, errLink); err != nil {
		return false, err
	}
	if name == c.s.Name && link == c.s.Permalink {
		return false, nil
	}
	c.s.Name, c.s.Permalink, c.s.UpdatedAt = name, link, now
	return true, nil
}

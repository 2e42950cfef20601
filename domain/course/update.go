package course

import (
	"time"

	"lyceum/domain/fault"
	"lyceum/domain/property"
	"lyceum/domain/text"
)

// Changes contains new values for the attributes of a course. A nil field leaves its attribute
// unchanged.
type Changes struct {
	Name, Permalink *string
	Properties      property.Changes

	// Check receives the state before the changes. If it returns an error, nothing is changed.
	Check func(State) error
}

// Update applies e and reports whether the course changed. Only a change sets UpdatedAt. The name
// and the permalink must satisfy the rules of New. All faults are returned together; if there are
// any, nothing is changed.
func (c *Course) Update(e Changes, now time.Time) (changed bool, err error) {
	if e.Check != nil {
		if err := e.Check(c.s); err != nil {
			return false, err
		}
	}
	name, link := c.s.Name, c.s.Permalink
	var errName, errLink error
	if e.Name != nil {
		name, errName = text.Name("name", *e.Name)
	}
	if e.Permalink != nil {
		link, errLink = permalink(*e.Permalink)
	}
	properties, errProperties := c.s.Properties.Update(e.Properties)
	if err := fault.Join(errName, errLink, errProperties); err != nil {
		return false, err
	}
	if name == c.s.Name && link == c.s.Permalink && properties == c.s.Properties {
		return false, nil
	}
	c.s.Name, c.s.Permalink, c.s.Properties, c.s.UpdatedAt = name, link, properties, now
	return true, nil
}

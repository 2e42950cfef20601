package faults

import (
	"fmt"
	"strings"
)

// bulkPeople adds people to a group with a bulk request.
func bulkPeople(c *client) (pendingWrite, bool) {
	if c.rng.IntN(3) > 0 {
		return pendingWrite{}, false
	}
	var e Entry
	var rows []string
	for i := range 10 {
		l := c.newLearner(fmt.Sprintf("bulk-%d", i))
		rows = append(rows, fmt.Sprintf(`{"email":%q,"groups":%q}`, l.email, evening))
		e.Adds = append(append(e.Adds, Row{person, l.email, ""}), l.join(evening, c.school.eveningCourses)...)
	}
	return c.bulk("people", rows, e), true
}

func bulkGroups(c *client) (pendingWrite, bool) {
	if c.rng.IntN(6) > 0 {
		return pendingWrite{}, false
	}
	var e Entry
	var rows []string
	for i := range 3 {
		name := c.name(fmt.Sprintf("Bulk group %d", i))
		rows = append(rows, fmt.Sprintf(`{"name":%q,"courses":%q}`, name, c.school.courses[reading]))
		e.Adds = append(e.Adds, Row{team, "", name})
	}
	return c.bulk("groups", rows, e), true
}

func (c *client) bulk(kind string, rows []string, e Entry) pendingWrite {
	return pendingWrite{
		request: post(202, "/v1/bulk/"+kind, `{"data":{"type":"bulk","attributes":{%q:[%s]}}}`, kind, strings.Join(rows, ",")),
		entry:   e,
		done:    func(t exchange, e *Entry) { e.Job = idOf(t.body) },
	}
}

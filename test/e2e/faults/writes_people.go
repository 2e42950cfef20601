package faults

import (
	"fmt"
	"net/http"
	"slices"
)

func createPerson(c *client) (pendingWrite, bool) {
	l := c.newLearner("person")
	return pendingWrite{
		request: post(201, "/v2/people", `{"data":{"type":"people","attributes":{"email":%q,"first_name":"Ada"}}}`, l.email),
		entry:   Entry{Adds: []Row{{person, l.email, "Ada"}}},
		done: func(t exchange, e *Entry) {
			l.id = idOf(t.body)
			e.Adds = append(e.Adds, Row{idKind, l.email, l.id})
			c.people = append(c.people, l)
			c.names[l] = "Ada"
		},
	}, true
}

func renamePerson(c *client) (pendingWrite, bool) {
	l, ok := c.pick(func(*learner) bool { return true })
	before, now := c.names[l], c.name("Ada")
	return pendingWrite{
		request: request{
			method: http.MethodPatch, path: "/v2/people/" + l.id, expected: []int{200},
			body: fmt.Appendf(nil, `{"data":{"type":"people","id":%q,"attributes":{"first_name":%q}}}`, l.id, now),
		},
		entry: Entry{Drops: []Row{{person, l.email, before}}, Adds: []Row{{person, l.email, now}}},
		done:  func(exchange, *Entry) { c.names[l] = now },
	}, ok
}

// enrollPerson enrolls a person in two courses. Either both enrollments are saved or none.
func enrollPerson(c *client) (pendingWrite, bool) {
	l, ok := c.pick(func(l *learner) bool { return !l.in[learn] || !l.in[reading] })
	if !ok {
		return pendingWrite{}, false
	}
	return pendingWrite{
		request: relate("/v2/people/"+l.id+"/relationships/courses", "enrolled-courses", c.school.courses[learn], c.school.courses[reading]),
		entry:   Entry{Adds: l.enroll(learn, reading)},
	}, true
}

func unenroll(c *client) (pendingWrite, bool) {
	l, ok := c.pick(func(l *learner) bool { return l.in[reading] })
	if !ok {
		return pendingWrite{}, false
	}
	delete(l.in, reading)
	return pendingWrite{
		request: remove("/v2/people/"+l.id+"/relationships/courses", identifiers("enrolled-courses", c.school.courses[reading])),
		entry:   Entry{Drops: []Row{{enrolled, l.email, reading}}},
	}, true
}

func remove(path, document string) request {
	return request{method: http.MethodDelete, path: path, body: []byte(document), expected: []int{204}}
}

func joinGroup(c *client) (pendingWrite, bool) {
	l, ok := c.pick(func(l *learner) bool { return !l.groups[evening] })
	if !ok {
		return pendingWrite{}, false
	}
	return pendingWrite{
		request: relate("/v2/people/"+l.id+"/relationships/groups", "membership-groups", c.school.evening),
		entry:   Entry{Adds: l.join(evening, c.school.eveningCourses)},
	}, true
}

func leaveGroup(c *client) (pendingWrite, bool) {
	l, ok := c.pick(func(l *learner) bool { return l.groups[evening] })
	if !ok {
		return pendingWrite{}, false
	}
	delete(l.groups, evening)
	return pendingWrite{
		request: remove("/v2/people/"+l.id+"/relationships/groups", identifiers("membership-groups", c.school.evening)),
		entry:   Entry{Drops: []Row{{member, l.email, evening}}},
	}, true
}

// deletePerson deletes a person with all records, unless too few other people are left.
func deletePerson(c *client) (pendingWrite, bool) {
	if len(c.people) < 6 {
		return pendingWrite{}, false
	}
	i := c.rng.IntN(len(c.people))
	l := c.people[i]
	c.people = slices.Delete(c.people, i, i+1)
	return pendingWrite{
		request: request{method: http.MethodDelete, path: "/v2/people/" + l.id, expected: []int{204}},
		entry:   Entry{Erases: l.email},
	}, true
}

// redeem redeems a coupon. The coupon scarce soon has no usages left.
func redeem(c *client) (pendingWrite, bool) {
	l, ok := c.pick(func(*learner) bool { return true })
	if !ok {
		return pendingWrite{}, false
	}
	code := plenty
	if c.rng.IntN(4) == 0 {
		code = scarce
	}
	w := pendingWrite{
		request: post(201, "/v2/coupons/"+c.school.coupons[code]+"/redemptions",
			`{"data":{"type":"coupon_redemptions","relationships":{%s}}}`, toOne("person", "people", l.id)),
		entry: Entry{Adds: []Row{{redemptions, l.email, code}}},
	}
	if code == scarce {
		w.expected = append(w.expected, http.StatusUnprocessableEntity)
	}
	return w, true
}

package faults

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// catalog contains the writes of staff.
var catalog = []kind{
	{"create a category", createCategory},
	{"create a coupon", createCoupon},
	{"create a group", createGroup},
	{"add people to a group", addPeople},
	{"add people to a group", addPeople},
	{"add a course to a group", addCourse},
	{"delete a group", deleteGroup},
	{"people in bulk", bulkPeople},
	{"groups in bulk", bulkGroups},
	{"change a structure", changeStructure},
	{"change a structure", changeStructure},
}

// named returns a write that creates a record with the given name.
func (c *client) named(typ, kind, name string) pendingWrite {
	return pendingWrite{
		request: post(201, "/v2/"+typ, `{"data":{"type":%q,"attributes":{"name":%q}}}`, typ, name),
		entry:   Entry{Adds: []Row{{kind, "", name}}},
		done:    func(t exchange, e *Entry) { e.Adds = append(e.Adds, Row{idKind, "", idOf(t.body)}) },
	}
}

func createCategory(c *client) (pendingWrite, bool) {
	return c.named("categories", category, c.name("Category")), true
}

func createCoupon(c *client) (pendingWrite, bool) {
	code := strings.ReplaceAll(c.name("C"), " ", "")
	return pendingWrite{request: newCoupon(code, 5), entry: Entry{Adds: []Row{{coupon, "", code}}}}, true
}

func newCoupon(code string, usages int) request {
	return post(201, "/v2/coupons", `{"data":{"type":"coupons","attributes":{"code":%q,"currency_code":"EUR","start_on":"2020-01-01",`+
		`"format":"fixed","value":5,"maximum_usages":%d}}}`, code, usages)
}

func createGroup(c *client) (pendingWrite, bool) {
	g := &group{name: c.name("Group"), courses: map[string]bool{}}
	w := c.named("groups", team, g.name)
	w.done = func(t exchange, _ *Entry) {
		g.id = idOf(t.body)
		c.groups = append(c.groups, g)
	}
	return w, len(c.groups) < 4
}

func (c *client) group(is func(*group) bool) (*group, bool) { return pick(c.rng, c.groups, is) }

// addPeople adds two people to a group and thus enrolls them in its courses. Either both people are
// added or none.
func addPeople(c *client) (pendingWrite, bool) {
	g, ok := c.group(func(*group) bool { return true })
	if !ok || len(c.people) < 2 {
		return pendingWrite{}, false
	}
	i := c.rng.IntN(len(c.people) - 1)
	var e Entry
	var ids []string
	for _, l := range c.people[i : i+2] {
		ids = append(ids, l.id)
		e.Adds = append(e.Adds, l.join(g.name, g.courses)...)
	}
	return pendingWrite{request: relate("/v2/groups/"+g.id+"/relationships/people", "people", ids...), entry: e}, true
}

// addCourse adds a course to a group, which enrolls its members.
func addCourse(c *client) (pendingWrite, bool) {
	g, ok := c.group(func(g *group) bool { return len(g.courses) < 2 })
	if !ok {
		return pendingWrite{}, false
	}
	name := []string{writing, reading}[len(g.courses)]
	g.courses[name] = true
	var e Entry
	for _, l := range c.people {
		if l.groups[g.name] {
			e.Adds = append(e.Adds, l.enroll(name)...)
		}
	}
	return pendingWrite{request: relate("/v2/groups/"+g.id+"/relationships/courses", "courses", c.school.courses[name]), entry: e}, true
}

// deleteGroup deletes a group. Its members remain enrolled in its courses.
func deleteGroup(c *client) (pendingWrite, bool) {
	if len(c.groups) < 4 {
		return pendingWrite{}, false
	}
	g := c.groups[0]
	c.groups = c.groups[1:]
	e := Entry{Drops: []Row{{team, "", g.name}}}
	for _, l := range c.people {
		if l.groups[g.name] {
			delete(l.groups, g.name)
			e.Drops = append(e.Drops, Row{member, l.email, g.name})
		}
	}
	return pendingWrite{request: request{method: http.MethodDelete, path: "/v2/groups/" + g.id, expected: []int{204}}, entry: e}, true
}

// changeStructure creates a course and later replaces its structure.
func changeStructure(c *client) (pendingWrite, bool) {
	if c.course == "" {
		w := c.named("courses", course, c.name("Course"))
		done, name := w.done, w.entry.Adds[0].Detail
		w.done = func(t exchange, e *Entry) {
			done(t, e)
			c.course, c.plan = idOf(t.body), name+":"
			e.Adds = append(e.Adds, Row{structure, "", c.plan})
		}
		return w, true
	}
	name, _, _ := strings.Cut(c.plan, ":")
	now, activities := name+":", []string{}
	titles := map[string]bool{}
	for range 1 + c.rng.IntN(5) {
		titles[fmt.Sprintf("a%d", c.rng.IntN(9))] = true
	}
	for _, key := range slices.Sorted(maps.Keys(titles)) {
		title := fmt.Sprintf("%s-%d", key, c.n)
		now += " " + title
		activities = append(activities, fmt.Sprintf(`{"key":%q,"title":%q,"kind":"text"}`, key, title))
	}
	before := c.plan
	c.plan = now
	return pendingWrite{
		request: request{
			method: http.MethodPut, path: "/v2/courses/" + c.course + "/structure", expected: []int{200}, limit: longestStructure,
			body: fmt.Appendf(nil, `{"data":{"type":"course_structures","attributes":{"activities":[%s]}}}`, strings.Join(activities, ",")),
		},
		entry: Entry{Drops: []Row{{structure, "", before}}, Adds: []Row{{structure, "", now}}},
	}, true
}

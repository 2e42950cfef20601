package faults

import (
	"context"
	"fmt"
)

// finder reads the records of a school.
type finder struct {
	*caller
	school *school
	found  Found
	emails map[string]string // email addresses of people, by id
	err    error             // the first error
}

// find reads all records that the clients have written, through the lists of the API.
func find(ctx context.Context, c *caller, s *school) (Found, error) {
	f := &finder{caller: c, school: s, found: Found{Rows: map[Row]int{}, Used: map[string]int{}}, emails: map[string]string{}}
	people := f.people(ctx)
	f.courses(ctx)
	f.groups(ctx)
	f.coupons(ctx)
	f.progress(ctx)
	f.files(ctx)
	for _, r := range f.all(ctx, "/v2/categories") {
		f.record(r, "", Row{category, "", r.attribute("name")})
	}
	for _, r := range f.all(ctx, "/v2/events") {
		f.found.Rows[eventOf(r, f.email(r), s)]++
		f.found.Feed = append(f.found.Feed, eventOf(r, r.of("person"), s))
	}
	f.countPeople(people)
	return f.found, f.err
}

func (f *finder) all(ctx context.Context, path string) []resource {
	if f.err != nil {
		return nil
	}
	var rows []resource
	rows, f.err = f.listAll(ctx, path)
	return rows
}

func (f *finder) record(r resource, email string, rows ...Row) {
	f.found.Rows[Row{idKind, email, r.id()}]++
	for _, row := range rows {
		f.found.Rows[row]++
	}
}

func (f *finder) counts(of, attribute string, r resource, right int) {
	f.found.Counts = append(f.found.Counts, Counts{of + ": " + attribute, r.attribute(attribute), fmt.Sprint(right)})
}

// email returns the email address of the person to whom a record belongs.
func (f *finder) email(r resource) string {
	id := r.of("person")
	if email, ok := f.emails[id]; ok {
		return email
	}
	return "unknown " + id
}

// eventOf returns the row of an event.
func eventOf(r resource, email string, s *school) Row {
	return Row{event, email, r.attribute("occurred_at") + " " + s.title(r.of("activity"))}
}

// title returns the title of an activity of the course learn.
func (s *school) title(id string) string {
	for title, known := range s.activities {
		if known == id {
			return title
		}
	}
	return "unknown " + id
}

func (f *finder) people(ctx context.Context) []resource {
	people := f.all(ctx, "/v2/people")
	for _, r := range people {
		email := r.attribute("email")
		f.emails[r.id()] = email
		f.record(r, email, Row{person, email, r.attribute("first_name")})
	}
	return people
}

// countPeople compares the counts in people with the rows that belong to each person.
func (f *finder) countPeople(people []resource) {
	courses, groups := map[string]int{}, map[string]int{}
	for row, n := range f.found.Rows {
		switch row.Kind {
		case enrolled:
			courses[row.Of] += n
		case member:
			groups[row.Of] += n
		}
	}
	for _, r := range people {
		email := r.attribute("email")
		f.counts(email, "course_count", r, courses[email])
		f.counts(email, "group_count", r, groups[email])
	}
}

func (f *finder) courses(ctx context.Context) {
	for _, r := range f.all(ctx, "/v2/courses") {
		name := r.attribute("name")
		f.record(r, "", Row{course, "", name})
		rows := f.all(ctx, "/v2/courses/"+r.id()+"/enrollments")
		for _, e := range rows {
			f.found.Rows[Row{enrolled, f.email(e), name}]++
		}
		f.counts(name, "enrollments_count", r, len(rows))
		if _, shared := f.school.courses[name]; !shared && f.err == nil {
			f.structure(ctx, r.id(), name)
		}
	}
}

func (f *finder) structure(ctx context.Context, id, name string) {
	var d struct {
		Data struct {
			Attributes struct{ Activities []struct{ Title string } }
		}
	}
	f.err = f.get(ctx, "/v2/courses/"+id+"/structure", &d)
	shown := name + ":"
	for _, a := range d.Data.Attributes.Activities {
		shown += " " + a.Title
	}
	f.found.Rows[Row{structure, "", shown}]++
}

func (f *finder) groups(ctx context.Context) {
	for _, r := range f.all(ctx, "/v2/groups") {
		name := r.attribute("name")
		f.record(r, "", Row{team, "", name})
		rows := f.all(ctx, "/v2/groups/"+r.id()+"/memberships")
		for _, m := range rows {
			f.found.Rows[Row{member, f.email(m), name}]++
		}
		f.counts(name, "membership_count", r, len(rows))
	}
}

func (f *finder) coupons(ctx context.Context) {
	for _, r := range f.all(ctx, "/v2/coupons") {
		code := r.attribute("code")
		f.record(r, "", Row{coupon, "", code})
		if f.school.coupons[code] == "" {
			continue
		}
		used, _ := r.Attributes["usages_count"].(float64)
		f.found.Used[code] = int(used)
		for _, u := range f.all(ctx, "/v2/coupons/"+r.id()+"/redemptions") {
			f.found.Rows[Row{redemptions, f.email(u), code}]++
		}
	}
}

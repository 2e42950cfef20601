package lyceum_test

import (
	"slices"
	"testing"
	"time"

	lyceum "lyceum/sdk/go"
)

func emails(t *testing.T, client *lyceum.Client, q lyceum.Query) []string {
	t.Helper()
	var found []string
	for person, err := range client.People.List(t.Context(), q) {
		noErr(t, err)
		found = append(found, person.Attributes.Email)
	}
	return found
}

func TestListFollowsNext(t *testing.T) {
	client := newClient(t)
	whole := emails(t, client, lyceum.Query{PageSize: 1000})
	if len(whole) < 10 {
		t.Fatalf("the demo school has only %d people", len(whole))
	}
	filter := lyceum.Cont("email", "@")
	equal(t, emails(t, client, lyceum.Query{Filter: filter, PageSize: 3}), whole)

	sorted := emails(t, client, lyceum.Query{Sort: []string{"-email"}, PageSize: 4})
	want := slices.Sorted(slices.Values(whole))
	slices.Reverse(want)
	equal(t, sorted, want)

	read := 0
	for _, err := range client.People.List(t.Context(), lyceum.Query{PageSize: 2}) {
		noErr(t, err)
		if read++; read == 3 {
			break // in the middle of a page
		}
	}
	equal(t, read, 3)
}

func TestFilters(t *testing.T) {
	client := newClient(t)
	people, err := lyceum.Collect(client.People.List(t.Context(), lyceum.Query{}))
	noErr(t, err)
	matches := func(keep func(lyceum.PersonAttributes) bool) []string {
		var found []string
		for _, p := range people {
			if keep(p.Attributes) {
				found = append(found, p.Attributes.Email)
			}
		}
		return found
	}
	first, second := people[0], people[1]
	created := first.Attributes.CreatedAt
	for _, test := range []struct {
		name   string
		filter lyceum.Filter
		want   []string
	}{
		{"Eq", lyceum.Eq("email", first.Attributes.Email), []string{first.Attributes.Email}},
		{"In", lyceum.In("uuid", first.ID, second.ID), []string{first.Attributes.Email, second.Attributes.Email}},
		{"NotIn", lyceum.NotIn("uuid", first.ID), matches(func(p lyceum.PersonAttributes) bool { return p.Email != first.Attributes.Email })},
		{"Gt with a number", lyceum.Gt("course_count", 1), matches(func(p lyceum.PersonAttributes) bool { return p.CourseCount > 1 })},
		{"LtEq with a time", lyceum.LtEq("created_at", created), matches(func(p lyceum.PersonAttributes) bool { return !p.CreatedAt.After(created) })},
		{"Eq with a bool", lyceum.Eq("unsubscribed", false), matches(func(p lyceum.PersonAttributes) bool { return !p.Unsubscribed })},
		{"Null", lyceum.Null("activated_at", true), matches(func(p lyceum.PersonAttributes) bool { return p.ActivatedAt == nil })},
		{
			"nested groups",
			lyceum.Or(
				lyceum.And(lyceum.GtEq("course_count", 1), lyceum.Or(lyceum.Eq("group_count", 0), lyceum.Eq("group_count", 2))),
				lyceum.Eq("email", first.Attributes.Email),
			),
			matches(func(p lyceum.PersonAttributes) bool {
				return p.CourseCount >= 1 && (p.GroupCount == 0 || p.GroupCount == 2) || p.Email == first.Attributes.Email
			}),
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if len(test.want) == 0 {
				t.Fatal("the demo school has nobody to find")
			}
			equal(t, emails(t, client, lyceum.Query{Filter: test.filter}), test.want)
		})
	}
}

func TestFilterWithoutConditionsFindsNothing(t *testing.T) {
	client := newClient(t)
	for name, filter := range map[string]lyceum.Filter{
		"In without values": lyceum.In[string]("uuid"),
		"an empty group":    lyceum.Or(),
		"a nil filter":      lyceum.And(nil),
		"an unknown name":   lyceum.Eq("shoe_size", 44),
	} {
		t.Run(name, func(t *testing.T) {
			people, err := lyceum.Collect(client.People.List(t.Context(), lyceum.Query{Filter: filter}))
			equal(t, len(people), 0)
			if err == nil {
				t.Fatal("got no error")
			}
		})
	}
}

func TestSearch(t *testing.T) {
	client := newClient(t)
	courses, err := lyceum.Collect(client.Courses.List(t.Context(), lyceum.Query{Search: "japanese joinery"}))
	noErr(t, err)
	equal(t, len(courses), 1)
	equal(t, courses[0].Attributes.Permalink, "japanese-joinery")
	if courses[0].Attributes.CreatedAt.After(time.Now()) {
		t.Fatal("the course is from the future")
	}
}

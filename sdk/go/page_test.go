package lyceum_test

import (
	"strings"
	"testing"

	lyceum "lyceum/sdk/go"
)

func TestPages(t *testing.T) {
	client := newClient(t)
	rows, err := lyceum.Collect(client.Analytics.Courses.List(t.Context(), lyceum.Query{}))
	noErr(t, err)
	query := lyceum.Query{
		Include: []string{"person", "course.categories"}, Count: true, PageSize: 3,
		Fields: map[string][]string{"people": {"full_name", "email"}, "course_analytics": {"progress", "person", "course"}},
	}
	read := 0
	for page, err := range client.Analytics.Courses.Pages(t.Context(), query) {
		noErr(t, err)
		equal(t, page.Total, len(rows))
		for _, row := range page.Data {
			equal(t, row.ID, rows[read].ID)
			equal(t, row.Attributes.Progress, rows[read].Attributes.Progress)
			equal(t, row.Attributes.EnrolledAt.IsZero(), true) // not among the requested fields
			read++
			person, err := lyceum.Related[lyceum.Person](page, row.Relationships.Person.Data)
			noErr(t, err)
			equal(t, person.ID, row.Relationships.Person.Data.ID)
			equal(t, strings.Contains(person.Attributes.Email, "@"), true)
			equal(t, person.Attributes.CreatedAt.IsZero(), true)
			course, err := lyceum.Related[lyceum.Course](page, row.Relationships.Course.Data)
			noErr(t, err)
			equal(t, course.Attributes.Name != "", true)
			for _, one := range course.Relationships.Categories.Data {
				category, err := lyceum.Related[lyceum.Category](page, one)
				noErr(t, err)
				equal(t, category.Attributes.Name != "", true)
			}
		}
	}
	equal(t, read, len(rows))
}

func TestPagesWithoutInclude(t *testing.T) {
	client := newClient(t)
	for page, err := range client.Analytics.Courses.Pages(t.Context(), lyceum.Query{}) {
		noErr(t, err)
		equal(t, page.Total, 0)
		if _, err := lyceum.Related[lyceum.Person](page, page.Data[0].Relationships.Person.Data); err == nil {
			t.Fatal("got no error for a person that is not included")
		}
	}
	for _, err := range client.People.Pages(t.Context(), lyceum.Query{Include: []string{"shoes"}}) {
		equal(t, lyceum.HasStatus(err, 400), true)
	}
}

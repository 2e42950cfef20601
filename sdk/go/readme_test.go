package lyceum_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	lyceum "lyceum/sdk/go"
)

// signUp is the example in README.md.
func signUp(ctx context.Context, url, key string) error {
	client, err := lyceum.New(url, key)
	if err != nil {
		return err
	}
	person, err := client.People.Create(ctx, lyceum.NewPerson{Email: "ada@example.test", FirstName: new("Ada")})
	if lyceum.HasStatus(err, 422) {
		fmt.Println(err) // lyceum: 422 …: /data/attributes/email: A record with the given …
	}
	if err != nil {
		return err
	}
	courses := lyceum.Query{Filter: lyceum.Or(lyceum.Start("name", "japanese"), lyceum.In("permalink", "seeing-light", "songwriting-workshop"))}
	for course, err := range client.Courses.List(ctx, courses) {
		if err != nil {
			return err
		}
		if err := client.People.Enroll(ctx, person.ID, course.ID); err != nil {
			return err
		}
	}
	progress := lyceum.Query{Filter: lyceum.Eq("person.id", person.ID), Sort: []string{"-progress"}}
	for row, err := range client.Analytics.Courses.List(ctx, progress) {
		if err != nil {
			return err
		}
		fmt.Println(row.Relationships.Course.Data.ID, row.Attributes.Progress)
	}
	return nil
}

// progressByLearner is the second example in README.md.
func progressByLearner(ctx context.Context, client *lyceum.Client) error {
	rows := lyceum.Query{
		Include: []string{"person", "course"},
		Fields:  map[string][]string{"people": {"full_name"}, "courses": {"name"}},
		Count:   true, PageSize: 1000,
	}
	for page, err := range client.Analytics.Courses.Pages(ctx, rows) {
		if err != nil {
			return err
		}
		fmt.Println(page.Total, "rows")
		for _, row := range page.Data {
			person, err := lyceum.Related[lyceum.Person](page, row.Relationships.Person.Data)
			if err != nil {
				return err
			}
			course, err := lyceum.Related[lyceum.Course](page, row.Relationships.Course.Data)
			if err != nil {
				return err
			}
			fmt.Println(person.Attributes.FullName, course.Attributes.Name, row.Attributes.Progress)
		}
	}
	return nil
}

func TestReadme(t *testing.T) {
	url, key := demo(t)
	noErr(t, signUp(t.Context(), url, key))
	client, err := lyceum.New(url, key)
	noErr(t, err)
	noErr(t, progressByLearner(t.Context(), client))
	ada, err := lyceum.Collect(client.People.List(t.Context(), lyceum.Query{Filter: lyceum.Eq("email", "ada@example.test")}))
	noErr(t, err)
	equal(t, len(ada), 1)
	equal(t, ada[0].Attributes.CourseCount, int64(3))
	if err := signUp(t.Context(), url, key); !lyceum.HasStatus(err, 422) {
		t.Fatalf("got %v for an address that is taken", err)
	}
}

// TestExamplesAreTested checks that the examples in the documentation are functions of the tests.
func TestExamplesAreTested(t *testing.T) {
	for _, page := range []struct {
		path, source string
		count        int
	}{
		{"README.md", "readme_test.go", 2},
		{"../../docs/clients.md", "recipes_test.go", 3},
		{"../../adapters/httpapi/openapi/description.md", "recipes_test.go", 3},
	} {
		text, err := os.ReadFile(page.path)
		noErr(t, err)
		source, err := os.ReadFile(page.source)
		noErr(t, err)
		examples := strings.Split(string(text), "```go\n")[1:]
		equal(t, len(examples), page.count)
		for _, example := range examples {
			example, _, _ := strings.Cut(example, "```")
			if !strings.Contains(string(source), "\n"+example) {
				t.Errorf("%s has an example that is not in %s:\n%s", page.path, page.source, example)
			}
		}
	}
}

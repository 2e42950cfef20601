package lyceum_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	lyceum "lyceum/sdk/go"
)

// The functions in this file are the examples in docs/clients.md and in the API reference.

func learn(ctx context.Context, client *lyceum.Client, email, permalink string) (float64, error) {
	person, err := client.People.Create(ctx, lyceum.NewPerson{Email: email}, lyceum.IdempotencyKey("sign up "+email))
	if err != nil {
		return 0, err
	}
	if err := client.Courses.Enroll(ctx, permalink, person.ID); err != nil {
		return 0, err
	}
	structure, err := client.Courses.Structure(ctx, permalink)
	if err != nil {
		return 0, err
	}
	for _, activity := range structure.Attributes.Activities {
		if activity.Kind == "text" {
			if _, err := client.Activities.Complete(ctx, *activity.ID, person.ID); err != nil {
				return 0, err
			}
		}
	}
	progress := lyceum.Query{Filter: lyceum.And(lyceum.Eq("person.id", person.ID), lyceum.Eq("course.id", structure.ID))}
	rows, err := lyceum.Collect(client.Analytics.Courses.List(ctx, progress))
	if err != nil {
		return 0, err
	}
	return rows[0].Attributes.Progress, nil
}

func sync(ctx context.Context, client *lyceum.Client, since time.Time, save func(lyceum.Person) error) (time.Time, error) {
	changed := lyceum.Query{
		Filter: lyceum.GtEq("updated_at", since.Add(-5*time.Minute)), Sort: []string{"updated_at"}, PageSize: 1000,
	}
	for person, err := range client.People.List(ctx, changed) {
		if err != nil {
			return since, err
		}
		if err := save(person); err != nil {
			return since, err
		}
		since = person.Attributes.UpdatedAt
	}
	return since, nil
}

func invite(ctx context.Context, client *lyceum.Client, list string, people []lyceum.BulkPerson) error {
	job, err := client.Bulk.People(ctx, people, lyceum.IdempotencyKey(list))
	if err != nil {
		return err
	}
	job, err = client.Bulk.Wait(ctx, job.ID, time.Second)
	for _, row := range job.Attributes.Errors {
		fmt.Println(row.Part(), row.Detail) // /data/attributes/people/1/email …
	}
	return err
}

func TestRecipes(t *testing.T) {
	client, ctx := newClient(t), t.Context()
	progress, err := learn(ctx, client, "grace@example.test", "seeing-light")
	noErr(t, err)
	equal(t, progress > 0 && progress < 100, true)

	names := map[string]bool{}
	until, err := sync(ctx, client, time.Now().Add(-time.Minute), func(p lyceum.Person) error {
		names[p.Attributes.Email] = true
		return nil
	})
	noErr(t, err)
	equal(t, names["grace@example.test"], true)
	equal(t, time.Since(until) < time.Minute, true)

	people := []lyceum.BulkPerson{{Email: "one@example.test"}, {Email: "wrong"}}
	noErr(t, invite(ctx, client, "autumn", people))
	noErr(t, invite(ctx, client, "autumn", people))
	equal(t, len(emails(t, client, lyceum.Query{Filter: lyceum.Eq("email", "one@example.test")})), 1)
}

package lyceum_test

import (
	"testing"
	"time"

	lyceum "lyceum/sdk/go"
)

// A client with a learner token reads the courses of the learner and completes an activity, and
// cannot use other people's records.
func TestLearnerToken(t *testing.T) {
	url, key := demo(t)
	admin, err := lyceum.New(url, key)
	noErr(t, err)
	ctx := t.Context()
	ada, err := admin.People.Create(ctx, lyceum.NewPerson{Email: "ada@example.test"})
	noErr(t, err)
	alan, err := admin.People.Create(ctx, lyceum.NewPerson{Email: "alan@example.test"})
	noErr(t, err)
	noErr(t, admin.Courses.Enroll(ctx, "seeing-light", ada.ID, alan.ID))

	made, err := admin.People.CreateToken(ctx, ada.ID, 10*time.Minute)
	noErr(t, err)
	equal(t, made.Attributes.ExpiresAt.Sub(made.Attributes.CreatedAt), 10*time.Minute)
	learner, err := lyceum.New(url, made.Attributes.Token)
	noErr(t, err)
	courses, err := lyceum.Collect(learner.Courses.List(ctx, lyceum.Query{}))
	noErr(t, err)
	equal(t, len(courses), 1)
	equal(t, courses[0].Attributes.Permalink, "seeing-light")
	activities, err := lyceum.Collect(learner.Activities.List(ctx, lyceum.Query{}))
	noErr(t, err)
	_, err = learner.Activities.Complete(ctx, activities[0].ID, alan.ID)
	equal(t, lyceum.HasStatus(err, 403), true)
	_, err = learner.People.Get(ctx, alan.ID)
	equal(t, lyceum.HasStatus(err, 404), true)
	_, err = learner.Categories.Create(ctx, lyceum.NewCategory{Name: "Mine"})
	equal(t, lyceum.HasStatus(err, 403), true)
	completed := 0
	for _, a := range activities {
		if _, err := learner.Activities.Complete(ctx, a.ID, ada.ID); err == nil {
			completed++
		}
	}
	equal(t, completed > 0, true)
	rows, err := lyceum.Collect(admin.Analytics.Courses.List(ctx, lyceum.Query{Filter: lyceum.Eq("person.id", ada.ID)}))
	noErr(t, err)
	equal(t, rows[0].Attributes.Progress > 0, true)

	noErr(t, admin.People.RevokeTokens(ctx, ada.ID))
	_, err = lyceum.Collect(learner.Courses.List(ctx, lyceum.Query{}))
	equal(t, lyceum.HasStatus(err, 401), true)
}

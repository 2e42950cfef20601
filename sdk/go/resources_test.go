package lyceum_test

import (
	"context"
	"iter"
	"testing"
	"time"

	lyceum "lyceum/sdk/go"
)

func TestCreateUpdateDelete(t *testing.T) {
	client, ctx := newClient(t), t.Context()
	group, err := client.Groups.Create(ctx, lyceum.NewGroup{Name: "Evening"}, lyceum.IdempotencyKey("evening"))
	noErr(t, err)
	again, err := client.Groups.Create(ctx, lyceum.NewGroup{Name: "Evening"}, lyceum.IdempotencyKey("evening"))
	noErr(t, err)
	equal(t, again.ID, group.ID)
	group, err = client.Groups.Update(ctx, group.ID, lyceum.ChangedGroup{Name: new("Night")})
	noErr(t, err)
	read, err := client.Groups.Get(ctx, group.ID)
	noErr(t, err)
	equal(t, read.Attributes.Name, "Night")
	noErr(t, client.Groups.Delete(ctx, group.ID))
	if _, err := client.Groups.Get(ctx, group.ID); !lyceum.HasStatus(err, 404) {
		t.Fatalf("got %v, want 404", err)
	}
}

// The properties of a record are those that the school has defined.
func TestProperties(t *testing.T) {
	client, ctx := newClient(t), t.Context()
	ada, err := client.People.Create(ctx, lyceum.NewPerson{
		Email: "properties@example.test", CustomAvatarURL: new("https://pictures.example.test/ada.png"),
		Properties: map[string]any{"department": "Sales"},
	})
	noErr(t, err)
	equal(t, ada.Attributes.Properties["department"], any("Sales"))
	equal(t, *ada.Attributes.CustomAvatarURL, "https://pictures.example.test/ada.png")
	ada, err = client.People.Update(ctx, ada.ID, lyceum.ChangedPerson{Properties: map[string]any{"department": nil}})
	noErr(t, err)
	equal(t, ada.Attributes.Properties["department"], nil)
}

func TestLearning(t *testing.T) {
	client, ctx := newClient(t), t.Context()
	person, err := client.People.Create(ctx, lyceum.NewPerson{Email: "learner@example.test"})
	noErr(t, err)
	group, err := client.Groups.Create(ctx, lyceum.NewGroup{Name: "Evening"})
	noErr(t, err)
	course, err := client.Courses.Create(ctx, lyceum.NewCourse{Name: "Knots"})
	noErr(t, err)
	noErr(t, client.Groups.AddPeople(ctx, group.ID, person.ID))
	noErr(t, client.Groups.AddCourses(ctx, group.ID, course.ID))
	members, err := lyceum.Collect(client.Groups.Memberships(group.ID).List(ctx, lyceum.Query{}))
	noErr(t, err)
	equal(t, members[0].Relationships.Person.Data.ID, person.ID)

	quiz := &lyceum.StructurePlanActivityQuiz{Name: new("Loops"), Questions: []lyceum.StructurePlanActivityQuizQuestion{{
		Key: "bowline", Text: "Which knot is a loop?",
		Choices: []lyceum.StructurePlanActivityQuizQuestionChoice{{Text: "Bowline", Correct: new(true)}, {Text: "Reef"}},
	}}}
	_, err = client.Courses.ReplaceStructure(ctx, course.ID, lyceum.StructurePlan{Activities: []lyceum.StructurePlanActivity{
		{Key: "start", Title: "Ropes", Kind: "text"}, {Key: "loops", Title: "Loops", Kind: "quiz", Quiz: quiz},
	}})
	noErr(t, err)
	structure, err := client.Courses.Structure(ctx, course.ID)
	noErr(t, err)
	start, loops := structure.Attributes.Activities[0], structure.Attributes.Activities[1]

	_, err = client.Activities.Complete(ctx, *start.ID, person.ID)
	noErr(t, err)
	_, err = client.Events.Record(ctx, []lyceum.EventReport{{PersonID: person.ID, ActivityID: *start.ID, ClientID: "1"}})
	noErr(t, err)
	marked, err := client.Quizzes.Answer(ctx, *loops.Quiz.ID, []lyceum.Answer{
		{PersonID: person.ID, QuestionID: *loops.Quiz.Questions[0].ID, ActivityID: *loops.ID, Response: []string{"Bowline"}},
	})
	noErr(t, err)
	equal(t, marked[0].Attributes.MarkedCorrect, true)

	of := lyceum.Query{Filter: lyceum.Eq("person.id", person.ID)}
	progress, err := lyceum.Collect(client.Analytics.Courses.List(ctx, of))
	noErr(t, err)
	equal(t, progress[0].Attributes.Progress, 100.0)
	enrollments, err := lyceum.Collect(client.Courses.Enrollments(course.ID).List(ctx, lyceum.Query{}))
	noErr(t, err)
	equal(t, *enrollments[0].Attributes.Progress, 100.0)
	events, err := lyceum.Collect(client.Events.List(ctx, of))
	noErr(t, err)
	equal(t, *events[0].Attributes.ClientID, "1")
	attempt, err := client.Courses.BeginAttempt(ctx, course.ID, person.ID)
	noErr(t, err)
	equal(t, attempt.Attributes.Number, 2)

	if err := client.Courses.Delete(ctx, course.ID); !lyceum.HasStatus(err, 409) {
		t.Fatalf("got %v, want 409", err)
	}
	noErr(t, client.Courses.DeleteWithLearnerData(ctx, course.ID))
}

func TestCoupons(t *testing.T) {
	client, ctx := newClient(t), t.Context()
	coupon, err := client.Coupons.Create(ctx, lyceum.NewCoupon{
		Code: "KNOTS", CurrencyCode: "EUR", Format: "percentage", Value: 12.5, StartOn: "2026-01-01", MaximumUsages: 3,
	})
	noErr(t, err)
	person, err := client.People.Create(ctx, lyceum.NewPerson{Email: "buyer@example.test"})
	noErr(t, err)
	_, err = client.Coupons.Redeem(ctx, coupon.ID, person.ID)
	noErr(t, err)
	redemptions, err := lyceum.Collect(client.Coupons.Redemptions(coupon.ID).List(ctx, lyceum.Query{}))
	noErr(t, err)
	equal(t, redemptions[0].Relationships.Person.Data.ID, person.ID)
}

func TestBulk(t *testing.T) {
	client, ctx := newClient(t), t.Context()
	_, err := client.Groups.Create(ctx, lyceum.NewGroup{Name: "New"})
	noErr(t, err)
	job, err := client.Bulk.People(ctx, []lyceum.BulkPerson{{Email: "one@example.test", Groups: []string{"New"}}, {Email: "wrong"}})
	noErr(t, err)
	job, err = client.Bulk.Wait(ctx, job.ID, 10*time.Millisecond)
	noErr(t, err)
	equal(t, []int64{job.Attributes.RowsDone, job.Attributes.RowsFailed}, []int64{2, 1})
	equal(t, job.Attributes.Errors[0].Part(), "/data/attributes/people/1/email")
}

func TestEachListIsRead(t *testing.T) {
	client := newClient(t)
	for name, read := range map[string]func() error{
		"activities":       reader(t, client.Activities.List),
		"assignments":      reader(t, client.Assignments.List),
		"categories":       reader(t, client.Categories.List),
		"completions":      reader(t, client.Completions.List),
		"coupons":          reader(t, client.Coupons.List),
		"course analytics": reader(t, client.Analytics.Courses.List),
		"courses":          reader(t, client.Courses.List),
		"events":           reader(t, client.Events.List),
		"groups":           reader(t, client.Groups.List),
		"keys":             reader(t, client.APIKeys.List),
		"partnerships":     reader(t, client.Partnerships.List),
		"quiz attempts":    reader(t, client.QuizAttempts.List),
		"quiz raw answers": reader(t, client.Analytics.QuizRawAnswers.List),
		"quiz scores":      reader(t, client.Analytics.QuizScores.List),
		"quizzes":          reader(t, client.Quizzes.List),
		"submissions":      reader(t, client.Submissions.List),
	} {
		t.Run(name, func(t *testing.T) { noErr(t, read()) })
	}
}

// reader returns a function that reads a list, and fails the test if it is empty.
func reader[T any](t *testing.T, list func(ctx context.Context, q lyceum.Query) iter.Seq2[T, error]) func() error {
	return func() error {
		records, err := lyceum.Collect(list(t.Context(), lyceum.Query{PageSize: 50}))
		if err == nil && len(records) == 0 {
			t.Error("the list is empty")
		}
		return err
	}
}

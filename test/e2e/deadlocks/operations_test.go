package deadlocks_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"lyceum/app"
	"lyceum/app/learning"
	"lyceum/app/usecase"
	"lyceum/domain/activity"
	"lyceum/domain/bulk"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/domain/reconcile"
	"lyceum/domain/school"
	"lyceum/test/kit"
)

// operation is one action in the school of a world.
type operation struct {
	name string
	do   func(ctx context.Context, w *world, k records, rng *rand.Rand) error
}

const bulkGroups = "groups in bulk"

// operations contains a use case for every line of docs/locks.md, and every use case that locks
// records of several lines.
var operations = []operation{
	{"enroll", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		return w.Enrollments.Enroll(ctx, w.actor, one(rng, k.people), k.enrollments())
	}},
	{"un-enroll", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		return w.Enrollments.Unenroll(ctx, w.actor, one(rng, k.people), k.enrollments())
	}},
	{"add people to a course", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		return w.Enrollments.AddPeople(enrollment.Learner)(ctx, w.actor, one(rng, k.ids()), shuffled(rng, k.people))
	}},
	{"remove people from a course", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		return w.Enrollments.RemovePeople(enrollment.Learner)(ctx, w.actor, one(rng, k.ids()), shuffled(rng, k.people))
	}},
	{"join", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		return w.Memberships.Join(ctx, w.actor, one(rng, k.people), k.memberships(rng))
	}},
	{"leave", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		return w.Memberships.Leave(ctx, w.actor, one(rng, k.people), k.memberships(rng))
	}},
	{"add people to a group", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		return w.Memberships.AddPeople(ctx, w.actor, one(rng, k.groups), shuffled(rng, k.people))
	}},
	{"remove people from a group", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		return w.Memberships.RemovePeople(ctx, w.actor, one(rng, k.groups), shuffled(rng, k.people))
	}},
	{"add courses to a group", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		return w.Groups.AddCourses(ctx, w.actor, one(rng, k.groups), k.ids())
	}},
	{"remove courses from a group", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		return w.Groups.RemoveCourses(ctx, w.actor, one(rng, k.groups), k.ids())
	}},
	{"delete a group", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		return fault.Join(w.Groups.Delete(ctx, w.actor, one(rng, k.groups)), second(w.Groups.Create(ctx, w.actor, named(one(rng, groupNames)))))
	}},
	{"report events", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		all := []learning.EventReport{}
		for _, text := range w.activities(ctx, rng, activity.Text) {
			for _, i := range rng.Perm(len(k.people)) {
				all = append(all, learning.EventReport{
					Kind: event.ViewedActivity, Person: k.people[i], Activity: text, ClientID: fmt.Sprint(rng.Uint64()),
				})
			}
		}
		return second(w.Learning.RecordEvents(ctx, w.actor, all))
	}},
	{"complete", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		return kit.NewLearning(w.App).Complete(ctx, w.actor, one(rng, k.people), one(rng, w.activities(ctx, rng, activity.Text, activity.Assignment)))
	}},
	{"answer", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		s, err := w.Structures.Get(ctx, w.actor, one(rng, courseNames))
		if err != nil {
			return err
		}
		for id, q := range s.Quizzes {
			var replies []learning.AnswerInput
			test := one(rng, w.activities(ctx, rng, activity.Quiz))
			p := one(rng, k.people)
			for _, question := range q.Questions {
				replies = append(replies, learning.AnswerInput{Person: p, Activity: &test, Question: question.ID, Chosen: []string{"Yes"}})
			}
			err = fault.Join(err, second(w.Learning.SubmitAnswers(ctx, w.actor, id, replies)))
		}
		return err
	}},
	{"submit", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		return second(kit.NewLearning(w.App).Submit(ctx, w.actor, one(rng, k.people), one(rng, w.activities(ctx, rng, activity.Assignment)),
			learning.Upload{Name: "essay.txt", Bytes: strings.NewReader("An essay.")}))
	}},
	{"start an attempt", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		return second(w.Learning.StartCourseAttempt(ctx, w.actor, one(rng, courseNames), one(rng, k.people)))
	}},
	{"redeem", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		return second(w.Redemptions.Redeem(ctx, w.actor, one(rng, k.coupons), one(rng, k.people)))
	}},
	{"delete a coupon", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		return w.Coupons.Delete(ctx, w.actor, one(rng, k.coupons))
	}},
	{"delete a person", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		err := w.People.Delete(ctx, w.actor, one(rng, k.people))
		return fault.Join(err, second(w.People.Create(ctx, w.actor, person.Profile{Email: one(rng, emails)})))
	}},
	{"act with a role that ends", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		p, name := one(rng, k.people), "Staff"
		held, err := w.Partnerships.List(ctx, w.actor, query.Query{Where: query.HasID(person.PartnershipSchema.Attr("person.id"), p.UUID)})
		role := person.Partnership{}
		if len(held.Items) > 0 {
			role = held.Items[0]
		} else if err == nil {
			role, err = w.Partnerships.Create(ctx, w.actor, p, person.Owner)
		}
		if err != nil {
			return err
		}
		session, err := kit.SignIn(ctx, w.App, w.school, p)
		if err != nil {
			return err
		}
		staff := usecase.ByStaff(w.school, session, role.ID, school.Admin).PermitStaff()
		_, err = w.People.Update(ctx, staff, p, person.Changes{FirstName: &name})
		return fault.Join(err, w.Partnerships.Delete(ctx, w.actor, role.ID))
	}},
	{"add and delete partnerships", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		made, err := w.Partnerships.Create(ctx, w.actor, one(rng, k.people), person.Instructor)
		if err != nil {
			return err
		}
		instructors, in := []person.PartnershipID{made.ID}, one(rng, k.ids())
		err = second(w.Courses.Update(ctx, w.actor, in, app.CourseChanges{Instructors: &instructors}))
		session, errSession := kit.SignIn(ctx, w.App, w.school, made.Person)
		err = fault.Join(err, errSession)
		staff := usecase.ByStaff(w.school, session, made.ID, school.Write).Instructing(in).PermitStaff()
		err = fault.Join(err, w.Enrollments.AddPeople(enrollment.Learner)(ctx, staff, in, shuffled(rng, k.people)))
		return fault.Join(err, w.Partnerships.Delete(ctx, w.actor, made.ID))
	}},
	{"rename a course", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		name := fmt.Sprintf("Course %d", rng.IntN(9))
		return second(w.Courses.Update(ctx, w.actor, one(rng, k.ids()), app.CourseChanges{Changes: course.Changes{Name: &name}}))
	}},
	{"change a structure", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		return w.restructure(ctx, one(rng, courseNames), 1+rng.IntN(3))
	}},
	{"delete a course", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		if err := w.removeCourse(ctx, one(rng, k.ids())); err != nil {
			return err
		}
		name := one(rng, courseNames)
		return second(w.Courses.Create(ctx, w.actor, app.CourseChanges{Changes: course.Changes{Name: &name}}))
	}},
	{"set properties", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		sent := property.Changes{Sent: map[string]property.Raw{"team": property.RawText(fmt.Sprint(rng.Uint64()))}}
		return fault.Join(
			second(w.People.Update(ctx, w.actor, one(rng, k.people), person.Changes{Properties: sent})),
			second(w.Courses.Update(ctx, w.actor, one(rng, k.ids()), app.CourseChanges{Changes: course.Changes{Properties: sent}})),
			second(w.Groups.Update(ctx, w.actor, one(rng, k.groups), group.Changes{Properties: sent})),
			second(w.School.Update(ctx, w.actor, school.Changes{Properties: sent})),
		)
	}},
	{"delete a definition", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		err := second(w.Properties.DeleteAll(ctx, w.actor, one(rng, k.definitions)))
		return fault.Join(err, w.define(ctx, one(rng, property.Resources())))
	}},
	{"people in bulk", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		return w.applyBulk(ctx, bulk.People, emails, groupNames[rng.IntN(2)])
	}},
	{bulkGroups, func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		return w.applyBulk(ctx, bulk.Groups, groupNames, courseNames[rng.IntN(2)])
	}},
	{"import a school", func(ctx context.Context, w *world, _ records, _ *rand.Rand) error {
		return second(w.Transfers.Import(ctx, w.actor, kit.Reading(w.exported)))
	}},
	{"import people", func(ctx context.Context, w *world, k records, rng *rand.Rand) error {
		text := "email,groups,properties.team\n"
		for _, i := range rng.Perm(len(emails)) {
			text += fmt.Sprintf("%s,\"Day,Night\",%d\n", emails[i], rng.Uint64())
		}
		return second(w.Transfers.ImportPeople(ctx, w.actor, kit.Reading(text), true))
	}},
	{"deliver invitations", func(ctx context.Context, w *world, _ records, _ *rand.Rand) error {
		return second(w.InvitationDelivery.DeliverNext(ctx))
	}},
	{"rebuild", func(ctx context.Context, w *world, _ records, _ *rand.Rand) error {
		return w.Reconcile.School(ctx, w.school, func(reconcile.Discrepancy) {})
	}},
}

// applyBulk sends a bulk request and applies it.
func (w *world) applyBulk(ctx context.Context, kind bulk.Kind, subjects []string, target string) error {
	var rows []bulk.Row
	values := map[string]property.Raw{"team": property.RawText(target)}
	for i, subject := range subjects {
		rows = append(rows, kind.NewRow(i, subject, []bulk.Target{{Field: "target", Name: target}}, values, nil))
	}
	if _, err := w.Bulk.Accept(ctx, w.actor, kind, rows); err != nil {
		return err
	}
	return drain(ctx, w.Bulk.ApplyNext)
}

// activities returns the activities of one course that have one of the kinds.
func (w *world) activities(ctx context.Context, rng *rand.Rand, kinds ...activity.Kind) (ids []activity.ID) {
	s, err := w.Structures.Get(ctx, w.actor, one(rng, courseNames))
	if err != nil {
		return nil // the course is being replaced
	}
	for _, a := range s.Activities {
		for _, kind := range kinds {
			if a.Content.Kind == kind {
				ids = append(ids, a.ID)
			}
		}
	}
	return ids
}

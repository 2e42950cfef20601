package schoolfile

import (
	"fmt"
	"time"

	"github.com/google/uuid"
	"lyceum/app"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/text"
)

// conversion turns a document's texts into values and collects what is wrong
// with them.
type conversion struct{ errs []error }

// blueprint returns what doc describes. Its faults are those of the file's own
// texts; whether it makes a school is for the domain to say.
func blueprint(doc schoolDoc) (app.Blueprint, error) {
	var c conversion
	b := app.Blueprint{School: app.SchoolPlan{
		ID: c.id("id", doc.ID), Name: doc.Name, CreatedAt: c.time("created_at", doc.CreatedAt),
	}}
	if doc.Authentication != "" {
		b.School.Auth = check(&c, "authentication", doc.Authentication, school.ParseAuthMethod)
	}
	for i, k := range doc.Keys {
		plan := app.KeyPlan{Name: k.Name, Secret: k.Secret}
		if k.Scope != "" {
			plan.Scope = check(&c, fmt.Sprintf("keys[%d].scope", i), k.Scope, school.ParseScope)
		}
		b.Keys = append(b.Keys, plan)
	}
	for i, d := range doc.Categories {
		at := fmt.Sprintf("categories[%d]", i)
		b.Categories = append(b.Categories, app.CategoryPlan{
			ID: c.id(at+".id", d.ID), Name: d.Name, CreatedAt: c.time(at+".created_at", d.CreatedAt),
		})
	}
	for i, d := range doc.Coupons {
		b.Coupons = append(b.Coupons, c.coupon(fmt.Sprintf("coupons[%d]", i), d))
	}
	for i, d := range doc.People {
		b.People = append(b.People, c.person(fmt.Sprintf("people[%d]", i), d))
	}
	for i, d := range doc.Quizzes {
		b.Quizzes = append(b.Quizzes, c.quiz(fmt.Sprintf("quizzes[%d]", i), d))
	}
	for i, d := range doc.Assignments {
		at := fmt.Sprintf("assignments[%d]", i)
		b.Assignments = append(b.Assignments, app.AssignmentPlan{
			ID: c.id(at+".id", d.ID), Title: d.Title, CreatedAt: c.time(at+".created_at", d.CreatedAt),
		})
	}
	for i, d := range doc.Courses {
		b.Courses = append(b.Courses, c.course(fmt.Sprintf("courses[%d]", i), d))
	}
	for i, d := range doc.Groups {
		at := fmt.Sprintf("groups[%d]", i)
		b.Groups = append(b.Groups, app.GroupPlan{
			ID: c.id(at+".id", d.ID), Name: d.Name, Courses: d.Courses, Members: d.Members, Managers: d.Managers,
			Token: d.EnrollToken, CreatedAt: c.time(at+".created_at", d.CreatedAt),
		})
	}
	return b, fault.Join(c.errs...)
}

func (c *conversion) person(at string, d personDoc) app.PersonPlan {
	p := app.PersonPlan{
		ID:        c.id(at+".id", d.ID),
		Profile:   person.Profile{Email: d.Email, FirstName: d.FirstName, LastName: d.LastName},
		Activated: d.Activated,
		CreatedAt: c.time(at+".created_at", d.CreatedAt),
	}
	if in := d.Invitation; in != nil {
		p.Invitation = &app.InvitationPlan{
			Token: in.Token, At: c.time(at+".invitation.at", in.At), Until: c.time(at+".invitation.until", in.Until),
		}
	}
	for i, role := range d.Roles {
		p.Roles = append(p.Roles, check(c, fmt.Sprintf("%s.roles[%d]", at, i), role, person.ParseRole))
	}
	return p
}

func (c *conversion) course(at string, d courseDoc) app.CoursePlan {
	p := app.CoursePlan{
		ID: c.id(at+".id", d.ID), Name: d.Name, Permalink: d.Permalink,
		Categories: d.Categories, Instructors: d.Instructors, Token: d.EnrollToken,
		CreatedAt: c.time(at+".created_at", d.CreatedAt),
	}
	for i, e := range d.Enrollments {
		place := app.PlacePlan{Email: e.Email, Role: enrollment.Learner}
		if e.Role != "" {
			place.Role = check(c, fmt.Sprintf("%s.enrollments[%d].role", at, i), e.Role, enrollment.ParseRole)
		}
		p.Places = append(p.Places, place)
	}
	for i, a := range d.Activities {
		p.Activities = append(p.Activities, c.activity(fmt.Sprintf("%s.activities[%d]", at, i), a))
	}
	for i, f := range d.Facts {
		p.Facts = append(p.Facts, c.fact(fmt.Sprintf("%s.facts[%d]", at, i), f))
	}
	return p
}

func (c *conversion) id(at, written string) uuid.UUID {
	return check(c, at, written, func(written string) (uuid.UUID, error) {
		if written == "" {
			return uuid.Nil, nil
		}
		id, ok := text.UUID(written)
		if !ok || id == uuid.Nil {
			return uuid.Nil, fault.Invalidf("", "is not a UUID such as 018f6f5e-7c1a-7b3e-9d55-0f5b6a2c1d10")
		}
		return id, nil
	})
}

func (c *conversion) time(at, text string) time.Time {
	return check(c, at, text, func(text string) (time.Time, error) {
		if text == "" {
			return time.Time{}, nil
		}
		t, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return time.Time{}, fault.Invalidf("", "is not a time such as 2026-01-02T15:04:05Z")
		}
		return t, nil
	})
}

// check returns what parse makes of what is written, and keeps its fault as one at
// the place at.
func check[W, T any](c *conversion, at string, written W, parse func(W) (T, error)) T {
	v, err := parse(written)
	for _, f := range fault.All(err) {
		c.errs = append(c.errs, &fault.Fault{Kind: f.Kind, Field: at, Detail: f.Detail})
	}
	return v
}

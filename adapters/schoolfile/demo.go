package schoolfile

import (
	"crypto/sha1" // #nosec G505 -- spreads names over tokens, guards nothing
	"encoding/hex"
	"time"

	"github.com/google/uuid"
	"lyceum/app"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// DemoKey is the API key of the demo school. Everybody knows it, so the demo
// school is only ever loaded into memory, on a loopback address.
const DemoKey = "lyc_DemoKeyOfTheDemoSchoolNotSafe13SpPIx" // #nosec G101 -- public on purpose

// DemoInvitation is the token of the link that was sent to the one person of the
// demo school who has not accepted yet.
const DemoInvitation = "d3300000000000000000000000000000000d3300" // #nosec G101 -- public on purpose

// demoSpace is the name space of the demo school's ids.
var demoSpace = uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://lyceum.example/demo"))

// demoOpened is when the demo school began; everything in it came later.
var demoOpened = time.Date(2026, time.January, 12, 9, 0, 0, 0, time.UTC)

// Demo returns a small school to look around in: a few categories, courses with
// their activities, instructors, managers and learners, what these have done so
// far, groups, coupons in every state with some of their uses, and an invitation
// that waits for an answer. It is the same each time, ids and times included, so that
// examples in documentation stay true.
func Demo() app.Blueprint {
	b := app.Blueprint{
		School: app.SchoolPlan{
			ID: demoID("school"), Name: "Riverside Academy", Auth: school.Preregistration, CreatedAt: demoOpened,
		},
		Keys: []app.KeyPlan{{Name: "Demo", Secret: DemoKey}},
	}
	for i, name := range demoCategories {
		b.Categories = append(b.Categories, app.CategoryPlan{
			ID: demoID("category " + name), Name: name, CreatedAt: demoTime(i, 17*time.Minute),
		})
	}
	for i, c := range demoCoupons {
		b.Coupons = append(b.Coupons, app.CouponPlan{
			ID: demoID("coupon " + c.Code), Terms: c, Redemptions: demoRedemptions[c.Code],
			CreatedAt: demoTime(i+1, 5*24*time.Hour+23*time.Minute),
		})
	}
	for i, p := range demoPeople {
		b.People = append(b.People, app.PersonPlan{
			ID:      demoID("person " + p.email),
			Profile: person.Profile{Email: p.email + "@example.test", FirstName: p.first, LastName: p.last},
			// The last one has not answered the invitation yet.
			Activated: i < len(demoPeople)-1,
			Roles:     p.roles,
			CreatedAt: demoTime(i+1, 26*time.Hour+13*time.Minute),
		})
	}
	// The letter that waits for an answer holds longer than others, for the demo is
	// looked at for years.
	last := &b.People[len(b.People)-1]
	last.Invitation = &app.InvitationPlan{Token: DemoInvitation, At: last.CreatedAt, Until: demoEnds}
	for i, q := range demoQuizzes {
		b.Quizzes = append(b.Quizzes, demoQuiz(i, q))
	}
	for i, title := range demoAssignments {
		b.Assignments = append(b.Assignments, demoAssignment(i, title))
	}
	for i, c := range demoCourses {
		b.Courses = append(b.Courses, demoCourse(i, c))
	}
	for i, g := range demoGroups {
		b.Groups = append(b.Groups, demoGroup(i, g))
	}
	return b
}

// demoGroup takes every so many of those who have accepted the invitation.
func demoGroup(i int, g demoGroupRow) app.GroupPlan {
	plan := app.GroupPlan{
		ID: demoID("group " + g.name), Name: g.name, Courses: g.courses, Managers: []string{g.manager + "@example.test"},
		Token:     demoToken("group " + g.name),
		CreatedAt: demoTime(i+1, 31*24*time.Hour+2*time.Hour+9*time.Minute),
	}
	for j, p := range demoPeople[:len(demoPeople)-1] {
		if len(p.roles) == 0 && j%g.every == 0 {
			plan.Members = append(plan.Members, p.email+"@example.test")
		}
	}
	return plan
}

func demoCourse(i int, c demoCourseRow) app.CoursePlan {
	plan := app.CoursePlan{
		ID: demoID("course " + c.permalink), Name: c.name, Permalink: c.permalink,
		Categories: c.categories, Activities: demoActivitiesOf(c.permalink),
		Token:     demoToken(c.permalink),
		CreatedAt: demoTime(i+1, 9*24*time.Hour+5*time.Hour+41*time.Minute),
	}
	for _, who := range c.instructors {
		plan.Instructors = append(plan.Instructors, who+"@example.test")
		plan.Places = append(plan.Places, app.PlacePlan{Email: who + "@example.test", Role: enrollment.Manager})
	}
	for j, p := range demoPeople {
		// Who has accepted the invitation begins with the last course; of the
		// others some draw more.
		last := i == len(demoCourses)-1
		if len(p.roles) == 0 && j < len(demoPeople)-1 && (last || (j*11+i*3)%(2+i) == 0) {
			plan.Places = append(plan.Places, app.PlacePlan{Email: p.email + "@example.test", Role: enrollment.Learner})
		}
	}
	plan.Facts = demoFacts(i, plan)
	return plan
}

func demoToken(name string) string {
	sum := sha1.Sum([]byte(demoSpace.String() + name)) // #nosec G401 -- see the import
	return hex.EncodeToString(sum[:])
}

func demoID(name string) uuid.UUID { return uuid.NewSHA1(demoSpace, []byte(name)) }

func demoTime(i int, step time.Duration) time.Time { return demoOpened.Add(time.Duration(i) * step) }

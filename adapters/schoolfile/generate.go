package schoolfile

import (
	"fmt"

	"github.com/brianvoe/gofakeit/v7"
	"lyceum/app"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/text"
)

// Size is how much Generate makes. The same Size makes the same rows.
type Size struct {
	People, Courses, Categories, Enrollments int
	Seed                                     uint64 // 1 and up; rows of two seeds do not collide
}

// instructorEvery is how many people there are to an instructor.
const instructorEvery = 50

// waitingEvery is how many people there are to one who has not accepted the
// invitation yet, and so learns nothing.
const waitingEvery = 10

// topics is what generated categories and courses are about.
var topics = []string{
	"Accounting", "Astronomy", "Baking", "Bookbinding", "Botany", "Calligraphy", "Ceramics", "Chess", "Coding",
	"Drawing", "Film", "First Aid", "Gardening", "Geology", "Guitar", "History", "Knitting", "Law", "Marketing",
	"Navigation", "Painting", "Philosophy", "Piano", "Sewing", "Statistics", "Storytelling", "Weaving", "Yoga",
}

// Validate returns what is wrong with s, faults on the fields people, courses,
// categories, enrollments and seed.
func (s Size) Validate() error {
	var errs []error
	for _, n := range []struct {
		field string
		value int
	}{{"people", s.People}, {"courses", s.Courses}, {"categories", s.Categories}, {"enrollments", s.Enrollments}} {
		if n.value < 0 {
			errs = append(errs, fault.Invalidf(n.field, "must not be negative"))
		}
	}
	if s.Seed == 0 {
		errs = append(errs, fault.Invalidf("seed", "must be 1 or more"))
	}
	if possible := s.learners() * s.Courses; len(errs) == 0 && s.Enrollments > possible {
		errs = append(errs, fault.Invalidf("enrollments",
			"must be at most %d: %d people in %d courses, each once", possible, s.learners(), s.Courses))
	}
	return fault.Join(errs...)
}

// learners is how many of the people can be enrolled.
func (s Size) learners() int { return s.People - s.People/waitingEvery }

// Generate returns rows for a school that exists: invented people, all at
// example.test, where no mail arrives, and what they learn. The blueprint's
// School is blank. A Size that does not validate is refused.
func Generate(s Size) (app.Blueprint, error) {
	if err := s.Validate(); err != nil {
		return app.Blueprint{}, err
	}
	g := generator{Size: s, fake: gofakeit.New(s.Seed)}
	g.categories()
	g.people()
	g.courses()
	g.enrollments()
	return g.out, nil
}

type generator struct {
	Size
	fake *gofakeit.Faker
	out  app.Blueprint
}

// number tells generated records apart, those of another seed included.
func (g *generator) number(i int) string { return fmt.Sprintf("%d-%d", g.Seed, i+1) }

func (g *generator) categories() {
	for i := range g.Categories {
		g.out.Categories = append(g.out.Categories, app.CategoryPlan{
			Name: topics[i%len(topics)] + " " + g.number(i),
		})
	}
}

func (g *generator) people() {
	for i := range g.People {
		first, last := g.fake.FirstName(), g.fake.LastName()
		p := app.PersonPlan{
			Profile: person.Profile{
				Email:     text.Slugify(first+" "+last) + "." + g.number(i) + "@example.test",
				FirstName: first, LastName: last,
			},
			Activated: i%waitingEvery != waitingEvery-1,
		}
		if i%instructorEvery == 0 {
			p.Roles = []person.Role{person.Instructor}
		}
		g.out.People = append(g.out.People, p)
	}
}

func (g *generator) courses() {
	forms := []string{"Introduction to %s", "Practical %s", "%s in Depth", "The Art of %s", "%s for Teams"}
	for i := range g.Courses {
		topic := g.fake.Number(0, len(topics)-1)
		c := app.CoursePlan{Name: fmt.Sprintf(g.fake.RandomString(forms), topics[topic]) + " " + g.number(i)}
		if g.Categories > 0 {
			c.Categories = []string{g.out.Categories[topic%g.Categories].Name}
		}
		if g.People > 0 {
			teachers := (g.People + instructorEvery - 1) / instructorEvery
			teacher := g.out.People[instructorEvery*g.fake.Number(0, teachers-1)]
			c.Instructors = []string{teacher.Profile.Email}
		}
		g.out.Courses = append(g.out.Courses, c)
	}
}

// enrollments takes as many pairs of a person and a course as are wanted, no
// pair twice: it goes through all of them with a stride that has no divisor in
// common with their number, so it meets each once before any again.
func (g *generator) enrollments() {
	if g.Enrollments == 0 {
		return
	}
	pairs := g.learners() * g.Courses
	stride := g.fake.Number(pairs/3, pairs)
	for stride == 0 || divisor(stride, pairs) != 1 {
		stride++
	}
	pair := g.fake.Number(0, pairs-1)
	for range g.Enrollments {
		c := &g.out.Courses[pair%g.Courses]
		nth := pair / g.Courses // of those who can be enrolled
		who := g.out.People[nth+nth/(waitingEvery-1)]
		c.Places = append(c.Places, app.PlacePlan{Email: who.Profile.Email, Role: enrollment.Learner})
		pair = (pair + stride) % pairs
	}
}

// divisor returns the greatest common divisor of a and b, for b above 0.
func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

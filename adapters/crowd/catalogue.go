package crowd

import (
	"fmt"
	"time"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/ports"
)

// topics is what categories and courses are about.
var topics = []string{
	"Accounting", "Astronomy", "Baking", "Bookbinding", "Botany", "Calligraphy", "Ceramics", "Chess", "Coding",
	"Drawing", "Film", "First Aid", "Gardening", "Geology", "Guitar", "History", "Knitting", "Law", "Marketing",
	"Navigation", "Painting", "Philosophy", "Piano", "Sewing", "Statistics", "Storytelling", "Weaving", "Yoga",
}

var forms = []string{"Introduction to %s", "Practical %s", "%s in Depth", "The Art of %s", "%s for Teams"}

// questionsOfQuiz is how many questions each quiz has.
const questionsOfQuiz = 5

// quizPlace is where the quiz is among the activities of a course.
const quizPlace = 2

// subject is a course with what it consists of.
type subject struct {
	course     course.Course
	activities []activity.State // at quizPlace is a quiz
	quiz       quiz.Quiz
}

// number tells records apart, those of another seed included.
func (g *generator) number(i int) string { return fmt.Sprintf("%d-%d", g.Seed, i+1) }

// headings makes categories and coupons.
func (g *generator) headings() error {
	for i := range g.Categories {
		c, err := category.New(category.ID{UUID: g.id(ofCategory, i, begin)}, topics[i%len(topics)]+" "+g.number(i), begin)
		if err != nil {
			return err
		}
		g.batch.Categories = append(g.batch.Categories, c)
		if err := g.made(1); err != nil {
			return err
		}
	}
	for i := range g.Coupons {
		value, err := coupon.ParseValue(fmt.Sprint(5 * (1 + g.pick(ofCoupon, i, 10))))
		if err != nil {
			return err
		}
		c, err := coupon.New(coupon.ID{UUID: g.id(ofCoupon, i, begin)}, coupon.Terms{
			Code: "LEARN-" + g.number(i), Currency: "EUR", StartOn: begin.Truncate(24 * time.Hour), Format: coupon.Percentage,
			Value: value, MaximumUsages: 100, UsagesCount: int64(g.pick(ofCoupon, i, 100)),
		}, begin)
		if err != nil {
			return err
		}
		g.batch.Coupons = append(g.batch.Coupons, c)
		if err := g.made(1); err != nil {
			return err
		}
	}
	return nil
}

// subjects makes the courses. They are taught by people, who come before them.
func (g *generator) subjects() error {
	teachers := (g.People + instructorEvery - 1) / instructorEvery
	for i := range g.Courses {
		topic := g.pick(ofCourse, i, len(topics))
		name := fmt.Sprintf(forms[i%len(forms)], topics[topic]) + " " + g.number(i)
		c, err := course.New(course.ID{UUID: g.id(ofCourse, i, begin)}, name, fmt.Sprintf("course-%s", g.number(i)),
			g.token(ofCourse, i), begin)
		if err != nil {
			return err
		}
		if g.Categories > 0 {
			n := topic % g.Categories
			c.File(category.ID{UUID: g.id(ofCategory, n, begin)})
		}
		if teachers > 0 {
			n := instructorEvery * g.pick(ofPart, i, teachers)
			c.Staff(person.PartnershipID{UUID: g.id(ofPart, n, g.came(n))})
		}
		s, err := g.taught(i, c, topics[topic])
		if err != nil {
			return err
		}
		g.courses = append(g.courses, s)
		if err := g.made(1); err != nil {
			return err
		}
	}
	return nil
}

// taught makes what the i-th course consists of: an activity of each kind, and
// one more to read.
func (g *generator) taught(i int, c course.Course, topic string) (subject, error) {
	q, err := g.test(i, topic)
	if err != nil {
		return subject{}, err
	}
	paper, err := assignment.New(assignment.ID{UUID: g.id(ofAssignment, i, begin)}, topic+" of your own "+g.number(i), begin)
	if err != nil {
		return subject{}, err
	}
	s := subject{course: c, quiz: q}
	g.batch.Courses = append(g.batch.Courses, c)
	g.batch.Quizzes = append(g.batch.Quizzes, q)
	g.batch.Assignments = append(g.batch.Assignments, paper)
	for j, a := range []struct {
		key, title string
		content    activity.Content
	}{
		{"welcome", "Welcome to " + topic, activity.Reading()},
		{"video", "Watch " + topic, activity.Watching(time.Duration(60+g.pick(ofActivity, i, 1200)) * time.Second)},
		{"quiz", "What do you know of " + topic + "?", activity.Answering(q.State().ID)},
		{"assignment", "Your turn: " + topic, activity.HandingIn(paper.State().ID)},
		{"outlook", "Where " + topic + " goes on", activity.Reading()},
	} {
		id := activity.ID{UUID: g.id(ofActivity, 5*i+j, begin)}
		place := activity.Place{Key: a.key, Position: j + 1}
		made, err := activity.New(id, c.State().ID, place, a.title, a.content, begin)
		if err != nil {
			return subject{}, err
		}
		g.batch.Activities = append(g.batch.Activities, made)
		s.activities = append(s.activities, made.State())
	}
	return s, nil
}

// test makes the quiz of the i-th course.
func (g *generator) test(i int, topic string) (quiz.Quiz, error) {
	questions := make([]quiz.Question, questionsOfQuiz)
	for j := range questions {
		questions[j] = quiz.Question{
			ID:   quiz.QuestionID{UUID: g.id(ofQuestion, questionsOfQuiz*i+j, begin)},
			Text: fmt.Sprintf("What comes at step %d of %s?", j+1, topic),
			Choices: []quiz.Choice{
				{Text: "A look at the material", Correct: j%2 == 0}, {Text: "A rest", Correct: j%2 == 1}, {Text: "The end"},
			},
		}
	}
	return quiz.New(quiz.ID{UUID: g.id(ofQuiz, i, begin)}, "Quiz on "+topic+" "+g.number(i), questions, begin)
}

// groups makes the groups; the second and every other one holds a course.
func (g *generator) groups() error {
	for i := range g.Groups {
		made, err := group.New(group.ID{UUID: g.id(ofGroup, i, begin)}, "Group "+g.number(i), g.token(ofGroup, i), begin)
		if err != nil {
			return err
		}
		g.circles = append(g.circles, made)
		g.batch.Groups = append(g.batch.Groups, made)
		if i%2 == 1 && g.Courses > 0 {
			g.batch.GroupCourses = append(g.batch.GroupCourses, ports.GroupCourse{
				Group: made.State().ID, Course: g.courses[i/2%g.Courses].course.State().ID,
			})
		}
		if err := g.made(1); err != nil {
			return err
		}
	}
	return nil
}

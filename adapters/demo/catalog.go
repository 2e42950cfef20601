package demo

import (
	"encoding/json"
	"fmt"
	"time"

	"lyceum/app/transfer/format"
	"lyceum/domain/activity"
	"lyceum/domain/coupon"
	"lyceum/domain/person"
)

// topics contains words for the names of categories and courses.
var topics = []string{
	"Accounting", "Astronomy", "Baking", "Bookbinding", "Botany", "Calligraphy", "Ceramics", "Chess", "Coding",
	"Drawing", "Film", "First Aid", "Gardening", "Geology", "Guitar", "History", "Knitting", "Law", "Marketing",
	"Navigation", "Painting", "Philosophy", "Piano", "Sewing", "Statistics", "Storytelling", "Weaving", "Yoga",
}

var forms = []string{"Introduction to %s", "Practical %s", "%s in Depth", "The Art of %s", "%s for Teams"}

// questionsOfQuiz is the number of questions in each quiz.
const questionsOfQuiz = 5

// quizPosition is the 0-based index of the quiz among the activities of a course.
const quizPosition = 2

// assignmentPosition is the 0-based index of the assignment among the activities of a course.
const assignmentPosition = 3

// course is a course with its activities. The activity at quizPosition is a quiz, the activity at
// assignmentPosition is an assignment.
type course struct {
	permalink  string
	activities []format.Activity
}

func (g *generator) category(i int) string { return topics[i%len(topics)] + " " + g.number(i) }

// catalog writes categories and coupons.
func (g *generator) catalog() {
	for i := range g.Categories {
		g.write(format.Category{Kind: format.CategoryKind, Name: g.category(i), CreatedAt: format.NewInstant(begin)})
	}
	currency, start, valueFormat, most := "EUR", begin.Format(time.DateOnly), coupon.Percentage.String(), int64(100)
	for i := range g.Coupons {
		g.write(format.Coupon{
			Kind: format.CouponKind, Code: "LEARN-" + g.number(i), Currency: &currency, StartOn: &start, Format: &valueFormat,
			Value:       json.Number(fmt.Sprint(5 * (1 + g.pick(ofCoupon, i, 10)))),
			UsagesCount: int64(g.pick(ofCoupon, i, 100)), MaximumUsages: &most, CreatedAt: format.NewInstant(begin),
		})
	}
}

// courseActivities writes the courses, each with one activity of each kind and a second text.
func (g *generator) courseActivities() {
	instructors := (g.People + instructorEvery - 1) / instructorEvery
	for i := range g.Courses {
		topic := g.pick(ofCourse, i, len(topics))
		about := topics[topic]
		line := format.Course{
			Kind: format.CourseKind, Permalink: "course-" + g.number(i),
			Name: fmt.Sprintf(forms[i%len(forms)], about) + " " + g.number(i), CreatedAt: format.NewInstant(begin),
		}
		if g.Categories > 0 {
			line.Categories = []string{g.category(topic % g.Categories)}
		}
		if instructors > 0 {
			by := g.Email(instructorEvery * g.pick(ofPartnership, i, instructors))
			line.Instructors = []format.Partner{{Person: by, Role: person.Instructor.String()}}
		}
		quiz, assignment := "Quiz on "+about+" "+g.number(i), about+" of your own "+g.number(i)
		g.write(format.Quiz{
			Kind: format.QuizKind, Name: quiz, Questions: questions(about), CreatedAt: format.NewInstant(begin),
		})
		g.write(format.Assignment{Kind: format.AssignmentKind, Title: assignment, CreatedAt: format.NewInstant(begin)})
		g.write(line)
		words := "You learn **" + about + "** in small steps: read, watch, answer, and then make something of your own."
		c := course{line.Permalink, []format.Activity{
			{Key: "welcome", Title: "Welcome to " + about, Type: activity.Text.String(), Text: &words},
			{
				Key: "video", Title: "Watch " + about, Type: activity.Video.String(),
				Seconds: int64(60 + g.pick(ofActivity, i, 1200)),
			},
			{Key: "quiz", Title: "What do you know of " + about + "?", Type: activity.Quiz.String(), Quiz: quiz},
			{Key: "assignment", Title: "Your turn: " + about, Type: activity.Assignment.String(), Assignment: assignment},
			{Key: "outlook", Title: "Where " + about + " goes on", Type: activity.Text.String()},
		}}
		for _, a := range c.activities {
			a.Kind, a.Course, a.CreatedAt = format.ActivityKind, c.permalink, format.NewInstant(begin)
			g.write(a)
		}
		g.courses = append(g.courses, c)
	}
}

// questions returns the questions of a quiz. All have the same choices.
func questions(about string) []format.Question {
	all := make([]format.Question, questionsOfQuiz)
	for i := range all {
		all[i] = format.Question{Text: fmt.Sprintf("What comes at step %d of %s?", i+1, about), Choices: choices(i)}
	}
	return all
}

// choices returns the choices of the question with the 0-based index i.
func choices(i int) []format.Choice {
	return []format.Choice{
		{Text: "A look at the material", Correct: i%2 == 0}, {Text: "A rest", Correct: i%2 == 1}, {Text: "The end"},
	}
}

func (g *generator) group(i int) string { return "Group " + g.number(i) }

// groups writes the groups. The second group and every second one after it contain a course.
func (g *generator) groups() {
	for i := range g.Groups {
		g.write(format.Group{Kind: format.GroupKind, Name: g.group(i), CreatedAt: format.NewInstant(begin)})
		if i%2 == 1 && g.Courses > 0 {
			g.write(format.GroupCourse{
				Kind: format.GroupCourseKind, Group: g.group(i), Course: g.courses[i/2%g.Courses].permalink,
			})
		}
	}
}

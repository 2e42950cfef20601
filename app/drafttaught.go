package app

import (
	"fmt"

	"github.com/google/uuid"
	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
)

// named is what plans refer to by a name that the domain does not keep unique:
// two of one name are a fault for who refers to either.
type named[T any] map[string][]T

func (n named[T]) add(name string, v T) { n[name] = append(n[name], v) }

// find returns what is called name, or a fault on field that says what there is
// not, or twice.
func (n named[T]) find(field, noun, name string) (T, error) {
	var none T
	switch found := n[name]; len(found) {
	case 0:
		return none, fault.Invalidf(field, "there is no %s %q", noun, name)
	case 1:
		return found[0], nil
	}
	return none, fault.Invalidf(field, "there is more than one %s %q", noun, name)
}

// quiz drafts a quiz with its questions.
func (d *drafting) quiz(p QuizPlan) error {
	id := quiz.ID{UUID: d.id(p.ID)}
	questions := make([]quiz.Question, len(p.Questions))
	for i, q := range p.Questions {
		questions[i] = quiz.Question{
			ID:   quiz.QuestionID{UUID: uuid.NewSHA1(id.UUID, fmt.Appendf(nil, "question %d", i+1))},
			Text: q.Text, Choices: q.Choices,
		}
	}
	q, err := quiz.New(id, p.Name, questions, at(p.CreatedAt, d.now))
	if err != nil {
		return err
	}
	d.quizByName.add(q.State().Name, q)
	d.quizByID[id] = q
	d.quizzes = append(d.quizzes, q)
	return nil
}

// assignment drafts an assignment.
func (d *drafting) assignment(p AssignmentPlan) error {
	a, err := assignment.New(assignment.ID{UUID: d.id(p.ID)}, p.Title, at(p.CreatedAt, d.now))
	if err != nil {
		return err
	}
	d.assignmentByTitle.add(a.State().Title, a)
	d.assignments = append(d.assignments, a)
	return nil
}

// activity drafts an activity of a course.
func (d *drafting) activity(c course.Course, p ActivityPlan) error {
	content, errContent := d.content(p)
	if errContent != nil {
		content = activity.Reading() // so that the rest is checked
	}
	created := at(p.CreatedAt, c.State().CreatedAt)
	id := c.State().ID
	key := activity.KeyFor(p.Title, func(key string) bool { return d.keysOf[id][key] })
	place := activity.Place{Key: key, Position: d.activitiesOf[id] + 1}
	a, err := activity.New(activity.ID{UUID: d.id(p.ID)}, id, place, p.Title, content, created)
	if err := fault.Join(err, errContent); err != nil {
		return err
	}
	d.activityByTitle[id].add(a.State().Title, a.State())
	d.activitiesOf[id]++
	d.keysOf[id][key] = true
	d.activities = append(d.activities, a)
	return nil
}

func (d *drafting) content(p ActivityPlan) (activity.Content, error) {
	var contents []activity.Content
	var errs []error
	if p.Length != 0 {
		contents = append(contents, activity.Watching(p.Length))
	}
	if p.Quiz != "" {
		q, err := d.quizByName.find("quiz", "quiz", p.Quiz)
		contents, errs = append(contents, activity.Answering(q.State().ID)), append(errs, err)
	}
	if p.Assignment != "" {
		a, err := d.assignmentByTitle.find("assignment", "assignment", p.Assignment)
		contents, errs = append(contents, activity.HandingIn(a.State().ID)), append(errs, err)
	}
	switch len(contents) {
	case 0:
		return activity.Reading(), nil
	case 1:
		return contents[0], fault.Join(errs...)
	}
	return activity.Content{}, fault.Join(append(errs,
		fault.Invalidf("", "must be one of a video, a quiz and an assignment"))...)
}

package structure

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"lyceum/domain/activity"
	"lyceum/domain/assignment"
	"lyceum/domain/quiz"
)

// Plan is how a course shall be: all of its activities in their order, those that
// are to be archived anywhere between them.
type Plan struct{ Activities []Activity }

// Activity is the plan of an activity. What its kind does not have is nil.
type Activity struct {
	Key        string // which of the course's activities it is, or a new one
	Title      string
	Kind       string
	Duration   *int64 // of a video, in seconds
	Quiz       *Quiz
	Assignment *Assignment
	ArchivedAt *time.Time // nil when the course shows it
}

// PlanOf returns the plan of an activity as it is.
func PlanOf(a activity.State) Activity {
	plan := Activity{Key: a.Key, Title: a.Title, Kind: a.Content.Kind.String(), ArchivedAt: a.ArchivedAt}
	switch a.Content.Kind {
	case activity.Video:
		seconds := int64(a.Content.Length / time.Second)
		plan.Duration = &seconds
	case activity.Quiz:
		plan.Quiz = &Quiz{ID: a.Content.Quiz}
	case activity.Assignment:
		plan.Assignment = &Assignment{ID: a.Content.Assignment}
	}
	return plan
}

// Quiz is the plan of the quiz of an activity: one that there is, by its id, or
// a definition, or both. A definition without an id is that of the quiz that the
// activity has already, else of a new one.
type Quiz struct {
	ID        quiz.ID
	Defined   bool // whether it has the rest
	Name      string
	Questions []quiz.Question // known by their keys, without ids
}

// Assignment is the plan of the assignment of an activity, like Quiz.
type Assignment struct {
	ID      assignment.ID
	Defined bool // whether it has the rest
	Title   string
}

// Named returns the quizzes and the assignments that the plan names by their
// ids.
func (p Plan) Named() (quizzes []quiz.ID, assignments []assignment.ID) {
	for _, a := range p.Activities {
		if a.Quiz != nil && a.Quiz.ID != (quiz.ID{}) {
			quizzes = append(quizzes, a.Quiz.ID)
		}
		if a.Assignment != nil && a.Assignment.ID != (assignment.ID{}) {
			assignments = append(assignments, a.Assignment.ID)
		}
	}
	return quizzes, assignments
}

// shown returns how many activities the course is to show.
func (p Plan) shown() int {
	n := 0
	for _, a := range p.Activities {
		if a.ArchivedAt == nil {
			n++
		}
	}
	return n
}

// Facts is what learners have done: in which activities they have done anything
// at all, and which quizzes they have begun.
type Facts struct {
	Activities map[activity.ID]bool
	Quizzes    map[quiz.ID]bool
}

// Doubts returns of which activities and quizzes Revise has to know what
// learners have done.
func (s Structure) Doubts(p Plan) (activities []activity.ID, quizzes []quiz.ID) {
	left := s.byKey()
	for _, plan := range p.Activities {
		a, ok := left[plan.Key]
		delete(left, plan.Key)
		if ok && (plan.Kind != a.Content.Kind.String() || plan.moves(a.Content)) {
			activities = append(activities, a.ID)
		}
		if plan.Quiz != nil && plan.Quiz.Defined {
			quizzes = append(quizzes, cmp.Or(plan.Quiz.ID, a.Content.Quiz))
		}
	}
	for _, a := range left {
		if !a.Archived() {
			activities = append(activities, a.ID)
		}
	}
	return activities, quizzes
}

// moves tells whether the plan names another quiz or assignment than content
// has.
func (a Activity) moves(content activity.Content) bool {
	return a.Quiz != nil && a.Quiz.ID != (quiz.ID{}) && a.Quiz.ID != content.Quiz ||
		a.Assignment != nil && a.Assignment.ID != (assignment.ID{}) && a.Assignment.ID != content.Assignment
}

// same tells whether two definitions say the same.
func (q Quiz) same(other Quiz) bool {
	return q.Name == other.Name && slices.EqualFunc(q.Questions, other.Questions, func(a, b quiz.Question) bool {
		return a.Key == b.Key && a.Text == b.Text && slices.Equal(a.Choices, b.Choices)
	})
}

func byPosition(a, b activity.State) int {
	return cmp.Or(cmp.Compare(a.Position, b.Position), strings.Compare(a.Key, b.Key))
}

func byKey(a, b activity.State) int { return strings.Compare(a.Key, b.Key) }

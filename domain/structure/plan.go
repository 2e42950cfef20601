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

// Plan is the desired structure of a course: all its activities in order. Archived activities can
// be anywhere in the list.
type Plan struct{ Activities []Activity }

// Activity is the desired state of an activity. Fields that its kind does not use are nil.
type Activity struct {
	Key        string // identifies an existing activity of the course, or becomes the key of a new one
	Title      string
	Kind       string
	Duration   *int64  // duration of a video, in seconds
	VideoURL   *string // address of a video; blank: none, nil: unchanged
	Text       *string // Markdown; blank: none, nil: unchanged
	Quiz       *Quiz
	Assignment *Assignment
	ArchivedAt *time.Time // nil: not archived
}

// PlanOf returns the Activity that describes an existing activity.
func PlanOf(a activity.State) Activity {
	plan := Activity{
		Key: a.Key, Title: a.Title, Kind: a.Content.Kind.String(), Text: &a.Content.Text, ArchivedAt: a.ArchivedAt,
	}
	switch a.Content.Kind {
	case activity.Video:
		seconds := int64(a.Content.Duration / time.Second)
		plan.Duration, plan.VideoURL = &seconds, &a.Content.VideoURL
	case activity.Quiz:
		plan.Quiz = &Quiz{ID: a.Content.Quiz}
	case activity.Assignment:
		plan.Assignment = &Assignment{ID: a.Content.Assignment}
	}
	return plan
}

// Quiz describes the quiz of a planned activity: by the id of an existing quiz, by a definition, or
// both. A definition without an id applies to the quiz that the activity already has, or to a new
// quiz.
type Quiz struct {
	ID        quiz.ID
	Defined   bool // whether Name and Questions are given
	Name      string
	Questions []quiz.Question // identified by their keys, without ids

	checked *quiz.Checked // name and questions; nil: not checked yet
}

// Check checks the definitions of quizzes before Structure.Revise, which then does not check them again.
// It needs no structure, so nothing must be locked while it runs: it can take seconds.
func (p Plan) Check() {
	for _, a := range p.Activities {
		if a.Quiz != nil && a.Quiz.Defined {
			c := quiz.Check(a.Quiz.Name, a.Quiz.Questions)
			a.Quiz.checked = &c
		}
	}
}

// check returns the checked name and questions.
func (q Quiz) check() quiz.Checked {
	if q.checked != nil {
		return *q.checked
	}
	return quiz.Check(q.Name, q.Questions)
}

// Assignment describes the assignment of a planned activity, in the same way as Quiz.
type Assignment struct {
	ID      assignment.ID
	Defined bool // whether Title is given
	Title   string
}

// ReferencedIDs returns the ids of the quizzes and assignments to which the plan refers.
func (p Plan) ReferencedIDs() (quizzes []quiz.ID, assignments []assignment.ID) {
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

// UsedIDs returns the ids of the quizzes and assignments that the plan refers to, or keeps: an
// activity of the structure s whose quiz or assignment is defined without an id keeps its own, with
// the new definition.
func (p Plan) UsedIDs(s Structure) (quizzes []quiz.ID, assignments []assignment.ID) {
	quizzes, assignments = p.ReferencedIDs()
	for _, a := range slices.Concat(s.Activities, s.Archived) {
		i := slices.IndexFunc(p.Activities, func(planned Activity) bool { return planned.Key == a.Key })
		if i < 0 {
			continue
		}
		if p.Activities[i].Quiz != nil && a.Content.Quiz != (quiz.ID{}) {
			quizzes = append(quizzes, a.Content.Quiz)
		}
		if p.Activities[i].Assignment != nil && a.Content.Assignment != (assignment.ID{}) {
			assignments = append(assignments, a.Content.Assignment)
		}
	}
	return quizzes, assignments
}

// shown returns the number of activities that are not archived.
func (p Plan) shown() int {
	n := 0
	for _, a := range p.Activities {
		if a.ArchivedAt == nil {
			n++
		}
	}
	return n
}

// Usage records which activities have learner data and which quizzes learners have started.
type Usage struct {
	Activities map[activity.ID]bool
	Quizzes    map[quiz.ID]bool
}

// UsageNeeded returns the activities and quizzes whose usage Revise needs.
func (s Structure) UsageNeeded(p Plan) (activities []activity.ID, quizzes []quiz.ID) {
	left := s.byKey()
	for _, plan := range p.Activities {
		a, ok := left[plan.Key]
		delete(left, plan.Key)
		if ok && (plan.Kind != a.Content.Kind.String() || plan.changesTarget(a.Content)) {
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

// changesTarget reports whether the plan refers to a quiz or assignment other than the quiz or
// assignment in content.
func (a Activity) changesTarget(content activity.Content) bool {
	return a.Quiz != nil && a.Quiz.ID != (quiz.ID{}) && a.Quiz.ID != content.Quiz ||
		a.Assignment != nil && a.Assignment.ID != (assignment.ID{}) && a.Assignment.ID != content.Assignment
}

// same reports whether two definitions are equal.
func (q Quiz) same(other Quiz) bool {
	return q.Name == other.Name && slices.EqualFunc(q.Questions, other.Questions, func(a, b quiz.Question) bool {
		return a.Key == b.Key && a.Text == b.Text && slices.Equal(a.Choices, b.Choices)
	})
}

func byPosition(a, b activity.State) int {
	return cmp.Or(cmp.Compare(a.Position, b.Position), strings.Compare(a.Key, b.Key))
}

func byKey(a, b activity.State) int { return strings.Compare(a.Key, b.Key) }

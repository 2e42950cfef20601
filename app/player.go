package app

import (
	"context"
	"slices"

	"lyceum/app/usecase"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/structure"
	"lyceum/ports"
)

// Player returns what a learner sees of a course in which they are enrolled: its activities, and
// what the learner has done in them. Package learning records what learners do.
type Player struct{ deps usecase.Deps }

// PlayedCourse is a course with the learner's latest course attempt.
type PlayedCourse struct {
	Course     course.Summary
	Activities []activity.State // in the order of the course, without archived ones and without texts
	Attempt    attempt.ID       // zero: the learner has not begun the course
	Progress   decimal.Percent
	Completed  map[activity.ID]bool
}

// Course returns the course ref, which is an ID or a permalink. It returns NotFound if the actor is
// not enrolled in the course as a learner.
func (u *Player) Course(ctx context.Context, a Actor, ref string) (PlayedCourse, error) {
	if !a.IsLearner() {
		return PlayedCourse{}, fault.RecordNotFound()
	}
	a, id, err := u.deps.Course(ctx, a, ref)
	if err != nil {
		return PlayedCourse{}, err
	}
	r := u.deps.Read(a)
	var p PlayedCourse
	if p.Course, err = r.Courses.Get(ctx, id); err != nil {
		return p, err
	}
	if p.Activities, err = shownActivities(ctx, r, id); err != nil {
		return p, err
	}
	return p, u.addProgress(ctx, a, r, &p)
}

// shownActivities returns the activities of a course in their order, without archived ones and
// without texts. It does not read the structure of the course, which can have many megabytes.
func shownActivities(ctx context.Context, r ports.Reader, id course.ID) ([]activity.State, error) {
	shown, err := r.Activities.List(ctx, query.Query{
		Where: query.And{query.HasID(activity.Schema.Attr("course.id"), id.UUID), notArchived},
		Sort:  []query.Order{{Attr: activity.Schema.Attr("position")}}, Page: query.NewPage(1, structure.MaxActivities),
	})
	return shown.Items, err
}

// addProgress sets Attempt, Progress and Completed of p from the learner's latest course attempt.
func (u *Player) addProgress(ctx context.Context, a Actor, r ports.Reader, p *PlayedCourse) error {
	pair := enrollment.PersonCourse{Person: a.Learner(), Course: p.Course.ID}
	found, err := r.CourseAnalytics.LatestMany(ctx, []enrollment.PersonCourse{pair})
	if err != nil {
		return err
	}
	latest := found[pair].State()
	p.Attempt, p.Progress = latest.ID, latest.Progress
	_, q := a.Own(query.Query{Page: query.AllRows()}, analytics.CompletionSchema.Attr("person.id"))
	done, err := r.Completions.List(ctx, q.And(query.HasID(analytics.CompletionSchema.Attr("course_attempt.id"), p.Attempt.UUID)))
	p.Completed = map[activity.ID]bool{}
	for _, c := range done.Items {
		p.Completed[c.Activity] = true
	}
	return err
}

// PlayedActivity is an activity of a PlayedCourse.
type PlayedActivity struct {
	PlayedCourse
	Index    int            // index of the activity in Activities
	Activity activity.State // with its text
}

// Activity returns the activity with the given key in the course ref. It returns NotFound for an
// archived activity, and if the actor is not enrolled in the course as a learner.
func (u *Player) Activity(ctx context.Context, a Actor, ref, key string) (PlayedActivity, error) {
	c, err := u.Course(ctx, a, ref)
	if err != nil {
		return PlayedActivity{}, err
	}
	i := slices.IndexFunc(c.Activities, func(one activity.State) bool { return one.Key == key })
	if i < 0 {
		return PlayedActivity{}, fault.RecordNotFound()
	}
	p := PlayedActivity{PlayedCourse: c, Index: i}
	p.Activity, err = u.deps.Read(a.Permit()).Activities.Get(ctx, c.Activities[i].ID)
	return p, err
}

package teaching

import (
	"context"

	"lyceum/app"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/submission"
)

// Progress returns a page of the progress of learners in the courses that the person may use.
func (t *Teaching) Progress(ctx context.Context, s Staff, q query.Query) (query.Result[analytics.CourseProgress], error) {
	a, q := s.within(q, analytics.CourseSchema.Attr("course.id"))
	found, err := t.app.Analytics.Courses(ctx, a, q)
	if err == nil {
		err = t.nameProgress(ctx, s, found.Items)
	}
	return found, err
}

// Scores returns a page of quiz scores in these courses.
func (t *Teaching) Scores(ctx context.Context, s Staff, q query.Query) (query.Result[analytics.QuizScore], error) {
	a, q := s.within(q, analytics.ScoreSchema.Attr("course.id"))
	found, err := t.app.Analytics.Scores(ctx, a, q)
	if err == nil {
		err = t.nameScores(ctx, s, found.Items)
	}
	return found, err
}

// Answers returns a page of the answers in these courses.
func (t *Teaching) Answers(ctx context.Context, s Staff, q query.Query) (query.Result[analytics.RawAnswer], error) {
	a, q := s.within(q, analytics.AnswerSchema.Attr("course.id"))
	found, err := t.app.Analytics.Answers(ctx, a, q)
	if err == nil {
		err = t.nameAnswers(ctx, s, found.Items)
	}
	return found, err
}

// Submissions returns a page of the submissions in these courses.
func (t *Teaching) Submissions(ctx context.Context, s Staff, q query.Query) (query.Result[submission.Summary], error) {
	a, q := s.within(q, submission.Schema.Attr("course.id"))
	found, err := t.app.Submissions.List(ctx, a, q)
	if err == nil {
		err = t.nameSubmissions(ctx, s, found.Items)
	}
	return found, err
}

// File opens the file of a submission. The caller must close it.
func (t *Teaching) File(ctx context.Context, s Staff, id submission.ID) (app.Download, error) {
	a := s.actor.PermitStaff()
	found, err := t.app.Submissions.Get(ctx, a, id)
	if err == nil {
		_, err = s.onCourse(found.Course)
	}
	if err != nil {
		return app.Download{}, err
	}
	return t.app.Submissions.Download(ctx, a.School(), id)
}

// maxUsages is the maximum number of activities that Quiz and Assignment return.
const maxUsages = 100

// Quiz returns a quiz, and the first activities that use it in the courses that the person may use.
// An instructor sees a quiz only if there is such an activity.
func (t *Teaching) Quiz(ctx context.Context, s Staff, id quiz.ID) (q quiz.Summary, used query.Result[activity.State], err error) {
	if q, err = t.app.Quizzes.Get(ctx, s.actor.PermitStaff(), id); err != nil {
		return quiz.Summary{}, used, err
	}
	used, err = t.usages(ctx, s, query.HasAnyID(activity.Schema.Attr("uuid"), q.Activities))
	return q, used, err
}

// usages returns the first activities that satisfy where in the courses that the person may use, or
// NotFound if there is none and the person is an instructor.
func (t *Teaching) usages(ctx context.Context, s Staff, where query.Expr) (query.Result[activity.State], error) {
	used, err := t.Activities(ctx, s, query.Query{Where: where, Page: query.NewPage(1, maxUsages)})
	if err == nil && s.courses != nil && len(used.Items) == 0 {
		err = fault.RecordNotFound()
	}
	return used, err
}

// Assignment returns an assignment, and the first activities that use it, like Quiz.
func (t *Teaching) Assignment(
	ctx context.Context, s Staff, id assignment.ID,
) (a assignment.State, used query.Result[activity.State], err error) {
	found, err := t.app.Assignments.List(ctx, s.actor.PermitStaff(), query.Query{
		Where: query.HasID(assignment.Schema.Attr("uuid"), id.UUID), Page: query.NewPage(1, 1),
	})
	if err == nil && len(found.Items) == 0 {
		err = fault.RecordNotFound()
	}
	if err != nil {
		return assignment.State{}, used, err
	}
	used, err = t.usages(ctx, s, query.HasID(activity.Schema.Attr("assignment.id"), id.UUID))
	return found.Items[0], used, err
}

// Timeline returns a page of the events of a person in the courses that the person of the staff may
// use, the latest first, and the activities of these events by ID.
func (t *Teaching) Timeline(ctx context.Context, s Staff, id person.ID, page query.Page) (query.Result[event.Event], map[activity.ID]activity.State, error) {
	a := s.actor.PermitStaff()
	q := query.Query{
		Where: query.HasID(event.Schema.Attr("person.id"), id.UUID), Page: page,
		Sort: []query.Order{{Attr: event.Schema.Attr("created_at"), Desc: true}},
	}
	if s.courses != nil {
		own, err := t.Activities(ctx, s, query.Query{Page: query.AllRows()})
		if err != nil {
			return query.Result[event.Event]{}, nil, err
		}
		ids := make([]activity.ID, len(own.Items))
		for i, one := range own.Items {
			ids[i] = one.ID
		}
		q = q.And(query.HasAnyID(event.Schema.Attr("activity.id"), ids))
	}
	events, err := t.app.Events.List(ctx, a, q)
	if err != nil {
		return events, nil, err
	}
	ids := make([]activity.ID, len(events.Items))
	for i, e := range events.Items {
		ids[i] = e.Activity
	}
	found, err := t.Activities(ctx, s, query.Query{Where: query.HasAnyID(activity.Schema.Attr("uuid"), ids), Page: query.AllRows()})
	named := map[activity.ID]activity.State{}
	for _, one := range found.Items {
		named[one.ID] = one
	}
	return events, named, err
}

// CourseNames returns the names of courses that the person may use, by ID.
func (t *Teaching) CourseNames(ctx context.Context, s Staff, ids []course.ID) (map[course.ID]string, error) {
	found, err := t.Courses(ctx, s, query.Query{Where: query.HasAnyID(course.Schema.Attr("uuid"), ids), Page: query.AllRows(), WithoutProperties: true})
	names := map[course.ID]string{}
	for _, c := range found.Items {
		names[c.ID] = c.Name
	}
	return names, err
}

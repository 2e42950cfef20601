package web

import (
	"html/template"
	"net/http"

	"lyceum/app"
	"lyceum/app/learning"
	"lyceum/domain/activity"
)

// playerRoutes registers the pages of the course player.
func (s *Site) playerRoutes() {
	const course, step = "/{school}/courses/{course}", "/{school}/courses/{course}/{activity}"
	s.member("GET "+course, coursePage)
	s.member("GET "+step, activityPage)
	s.member("POST "+step+"/complete", completeActivity)
	s.member("POST "+step+"/watched", reportWatched)
	s.member("GET "+step+"/questions/{number}", questionPage)
	s.member("POST "+step+"/questions/{number}", answerQuestion)
	s.member("POST "+step+"/files", submitFile)
	s.member("GET "+step+"/files/{id}", downloadSubmission)
}

// played returns the activity that the path of the request identifies.
func (x *siteRequest) played() (app.PlayedActivity, error) {
	return x.site.app.Player.Activity(x.r.Context(), x.visitor.Actor, x.r.PathValue("course"), x.r.PathValue("activity"))
}

// activityPath returns the path of an activity in its school.
func activityPath(p app.PlayedActivity) string {
	return coursePath(p.PlayedCourse) + "/" + p.Activity.Key
}

// activityData is the data of the page of an activity.
type activityData struct {
	Course         courseData
	Number         int
	Path           string // path of this page
	Kind           string
	Done           bool
	Text           template.HTML
	Previous, Next *step // nil: none
	Video          *videoData
	Quiz           *quizData
	Work           *workData
}

// activityPage shows an activity, and records that the learner has viewed it.
func activityPage(x *siteRequest) error {
	p, err := x.played()
	if err != nil {
		return err
	}
	// Prefetching a page is not a view.
	if x.isVisit() {
		_, err := x.site.app.Learning.RecordEvents(x.r.Context(), x.visitor.Actor, []learning.EventReport{
			x.site.app.Player.Viewed(x.visitor.Person.ID, p),
		})
		if err != nil {
			return err
		}
	}
	return x.renderActivity(http.StatusOK, p)
}

func (x *siteRequest) renderActivity(status int, p app.PlayedActivity, refused ...string) error {
	c := newCourseData(x, p.PlayedCourse)
	data := activityData{
		Course: c, Number: p.Index + 1, Path: activityPath(p), Kind: p.Activity.Content.Kind.String(),
		Done: p.Completed[p.Activity.ID],
	}
	err := x.rendered(func() error {
		data.Text = x.site.markdown.HTML(p.Activity.Content.Text)
		return nil
	})
	if err != nil {
		return err
	}
	if p.Index > 0 {
		data.Previous = &c.Steps[p.Index-1]
	}
	if p.Index+1 < len(c.Steps) {
		data.Next = &c.Steps[p.Index+1]
	}
	switch p.Activity.Content.Kind {
	case activity.Video:
		data.Video = x.newVideoData(p.Activity.Content)
	case activity.Quiz:
		data.Quiz, err = x.newQuizData(p)
	case activity.Assignment:
		data.Work, err = x.newWorkData(p)
	}
	if err != nil {
		return err
	}
	return x.render(status, "play-activity", titled{p.Activity.Title, data}, refused...)
}

// titled is the data of a page whose title comes from a record.
type titled struct {
	Title string
	Data  any
}

// completeActivity records that the learner has completed the activity, and redirects to the next
// activity.
func completeActivity(x *siteRequest) error {
	p, err := x.played()
	if err != nil {
		return err
	}
	if kind := p.Activity.Content.Kind; kind == activity.Quiz || kind == activity.Assignment {
		return errNotFound // the pages complete these by answers and files
	}
	_, _, err = x.site.app.Learning.CompleteActivity(x.r.Context(), x.visitor.Actor, x.visitor.Person.ID, p.Activity.ID)
	if refused, ok := problems(err); ok {
		return x.renderActivity(http.StatusUnprocessableEntity, p, refused...)
	}
	if err != nil {
		return err
	}
	if p.Index+1 < len(p.Activities) {
		return x.redirect(coursePath(p.PlayedCourse) + "/" + p.Activities[p.Index+1].Key)
	}
	return x.redirect(coursePath(p.PlayedCourse))
}

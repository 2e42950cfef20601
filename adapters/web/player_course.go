package web

import (
	"net/http"
	"time"

	"lyceum/app"
	"lyceum/domain/activity"
	"lyceum/domain/decimal"
)

// courseData is the data of the page of a course.
type courseData struct {
	Path    string
	Percent string // progress from 0 to 100
	Name    string
	Started bool
	Done    bool
	Steps   []step
	Next    *step // the first step that is not completed; nil: none
}

// step is an activity in the list of a course.
type step struct {
	Number      int
	Path, Title string
	Kind        string // in the language of the visitor
	Done        bool
}

func coursePath(p app.PlayedCourse) string { return "/courses/" + p.Course.ID.String() }

// coursePage shows a course with its activities and the learner's progress.
func coursePage(x *siteRequest) error {
	p, err := x.site.app.Player.Course(x.r.Context(), x.visitor.Actor, x.r.PathValue("course"))
	if err != nil {
		return err
	}
	c := newCourseData(x, p)
	return x.render(http.StatusOK, "play-course", titled{c.Name, c})
}

func newCourseData(x *siteRequest, p app.PlayedCourse) courseData {
	c := courseData{
		Path: coursePath(p), Percent: wholePercent(p.Progress), Name: p.Course.Name, Started: len(p.Completed) > 0,
		Done: p.Progress == decimal.OneHundred, Steps: make([]step, len(p.Activities)),
	}
	for i, a := range p.Activities {
		c.Steps[i] = step{
			Number: i + 1, Path: c.Path + "/" + a.Key, Title: a.Title, Kind: x.texts.Player.kindOf(a.Content), Done: p.Completed[a.ID],
		}
		if c.Next == nil && !c.Steps[i].Done {
			c.Next = &c.Steps[i]
		}
	}
	return c
}

// kindOf returns the kind of an activity for its list, such as "Video, 3 min".
func (t playerTexts) kindOf(c activity.Content) string {
	kind := map[activity.Kind]string{
		activity.Text: t.KindText, activity.Video: t.KindVideo, activity.Quiz: t.KindQuiz, activity.Assignment: t.KindAssignment,
	}[c.Kind]
	if c.Duration > 0 {
		kind += ", " + t.minutes(c.Duration)
	}
	return kind
}

// minutes returns a duration in minutes, rounded up.
func (t playerTexts) minutes(d time.Duration) string {
	return decimal.Format(int64((d+time.Minute-1)/time.Minute), 0) + " " + t.Minutes
}

package teaching

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"lyceum/adapters/web"
	"lyceum/app/teaching"
	"lyceum/domain/analytics"
	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/query"
)

// personData is the data of the page of a person.
type personData struct {
	Person     person.Summary
	Roles      []person.Partnership
	CanLink    bool       // whether the visitor can create a sign-in link for the person
	Invited    *time.Time // when the last invitation email was requested; nil: never
	Properties []propertyData
	Progress   listPage[analytics.CourseProgress]
	Enrollable choice // of a course in which the person can be enrolled
	Groups     []group.Summary
	Answers    []analytics.RawAnswer // the latest
	More       bool                  // whether there are more answers
	Events     []eventData
}

type eventData struct {
	At       time.Time
	What     string // what the person did; the English text, which the template translates
	Activity string // title; blank if it no longer exists
	Watched  string // percentage; blank: not a video
}

func showPerson(x *siteRequest) error {
	p, err := x.person()
	if err != nil {
		return err
	}
	return x.renderPerson(http.StatusOK, p)
}

// person returns the person in the path.
func (x *siteRequest) person() (person.Summary, error) {
	of, err := x.id("person")
	if err != nil {
		return person.Summary{}, err
	}
	return x.site.app.Person(x.r.Context(), x.staff, person.ID{UUID: of})
}

func (x *siteRequest) renderPerson(status int, p person.Summary, problems ...string) error {
	if err := x.AdmitWork(web.Read); err != nil { // a person can have thousands of groups and courses
		return err
	}
	ctx, app, d := x.r.Context(), x.site.app, personData{Person: p}
	roles, err := app.Roles(ctx, x.staff, p.ID)
	if err != nil {
		return err
	}
	d.Roles = roles[p.ID]
	d.CanLink = x.staff.IsOwner() && teaching.CheckLink(d.Roles) == nil
	d.Properties = propertiesOf(p.Properties)
	if x.staff.Manages() {
		i, err := app.Invitation(ctx, x.staff, p.ID)
		if err == nil {
			d.Invited = &i.RequestedAt
		} else if !fault.Is(err, fault.NotFound) {
			return err
		}
	}
	d.Progress, err = listPageOf(x, listing[analytics.CourseProgress]{
		name: "progress:" + p.ID.String(), schema: analytics.CourseSchema, at: "/people/" + p.ID.String(),
		list: func(ctx context.Context, q query.Query) (query.Result[analytics.CourseProgress], error) {
			return app.Progress(ctx, x.staff, q.And(query.HasID(analytics.CourseSchema.Attr("person.id"), p.ID.UUID)))
		},
		indexed: true,
		sorts:   []sorting{{"-enrolled_at", "Newest first"}},
	})
	if err != nil {
		return err
	}
	var enrolled []course.Summary
	for _, row := range d.Progress.Rows {
		enrolled = append(enrolled, course.Summary{State: course.State{ID: row.Course}})
	}
	if d.Enrollable, err = x.courseChoice(enrolled...); err != nil {
		return err
	}
	if d.Groups, err = app.Memberships(ctx, x.staff, p.ID); err != nil {
		return err
	}
	answers, err := app.Answers(ctx, x.staff, query.Query{
		Where: query.HasID(analytics.AnswerSchema.Attr("person.id"), p.ID.UUID), Page: query.NewPage(1, pageSize),
		Sort: []query.Order{{Attr: analytics.AnswerSchema.Attr("date_answered"), Desc: true}},
	})
	if err != nil {
		return err
	}
	d.Answers, d.More = answers.Items, answers.More
	events, activities, err := app.Timeline(ctx, x.staff, p.ID, query.NewPage(1, 50))
	if err != nil {
		return err
	}
	for _, e := range events.Items {
		data := eventData{At: e.CreatedAt, What: "opened an activity", Activity: activities[e.Activity].Title}
		if e.Kind == event.ViewedVideo && e.Watched != nil {
			data.What, data.Watched = "watched a video", percent(*e.Watched)
		}
		d.Events = append(d.Events, data)
	}
	return x.render(status, "person", d, problems...)
}

// enrollInCourse enrolls the person in the path in a course.
func enrollInCourse(x *siteRequest) error {
	p, err := x.person()
	if err != nil {
		return err
	}
	form, err := x.form()
	if err != nil {
		return err
	}
	c, err := x.site.app.Course(x.r.Context(), x.staff, form.Get("course"))
	if err == nil {
		err = x.site.app.Enroll(x.r.Context(), x.staff, c.ID, p.ID)
	}
	return x.afterPersonChange(err, p)
}

// percent returns a fraction as a percentage without decimal places.
func percent(f event.Fraction) string {
	return strconv.FormatInt(decimal.Percent(f/100).Whole(), 10)
}

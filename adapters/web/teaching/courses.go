package teaching

import (
	"context"
	"net/http"

	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/query"
)

// coursesData is the data of the list of courses.
type coursesData struct{ List listPage[course.Summary] }

func courses(x *siteRequest) error {
	list, err := listPageOf(x, listing[course.Summary]{
		name: "courses", schema: course.Schema,
		list: func(ctx context.Context, q query.Query) (query.Result[course.Summary], error) {
			return x.site.app.Courses(ctx, x.staff, q)
		},
		indexed: true,
		sorts:   []sorting{{"name", "Name"}, {"-enrollments_count", "Most learners first"}, {"-created_at", "Newest first"}},
	})
	if err != nil {
		return err
	}
	return x.render(http.StatusOK, "courses", coursesData{list})
}

// courseData is the data of the page of a course.
type courseData struct {
	Course      course.Summary
	Activities  int64 // without archived ones
	Instructors []person.Summary
	Categories  []category.State // nil: the person cannot change them
	Properties  []propertyData
	List        listPage[analytics.CourseProgress]
	Enroll      addressForm
}

func showCourse(x *siteRequest) error {
	c, err := x.course()
	if err != nil {
		return err
	}
	return x.renderCourse(http.StatusOK, c, addressForm{})
}

// course returns the course in the path, which is its ID or its permalink.
func (x *siteRequest) course() (course.Summary, error) {
	return x.site.app.Course(x.r.Context(), x.staff, x.r.PathValue("course"))
}

func (x *siteRequest) renderCourse(status int, c course.Summary, enroll addressForm, problems ...string) error {
	list, err := listPageOf(x, listing[analytics.CourseProgress]{
		name: "learners:" + c.ID.String(), schema: analytics.CourseSchema, at: "/courses/" + c.Permalink,
		list: func(ctx context.Context, q query.Query) (query.Result[analytics.CourseProgress], error) {
			return x.site.app.Learners(ctx, x.staff, c.ID, q)
		},
		sorts: []sorting{{"-enrolled_at", "Newest first"}, {"progress", "Least progress first"}, {"-progress", "Most progress first"}},
	})
	if err != nil {
		return err
	}
	d := courseData{Course: c, Properties: propertiesOf(c.Properties), List: list, Enroll: enroll}
	activities, err := x.site.app.Activities(x.r.Context(), x.staff, query.Query{Where: query.And{
		query.HasID(activity.Schema.Attr("course.id"), c.ID.UUID),
		query.Cond{Attr: activity.Schema.Attr("archived"), Op: query.Eq, Values: []query.Value{{Bool: false}}},
	}, Page: query.NewPage(1, 1), Count: true})
	if err != nil {
		return err
	}
	d.Activities = activities.Total
	if x.staff.Manages() {
		instructors, err := x.site.app.Instructors(x.r.Context(), x.staff)
		if err != nil {
			return err
		}
		for _, id := range c.Instructors {
			if p, ok := instructors[id]; ok {
				d.Instructors = append(d.Instructors, p)
			}
		}
		if d.Categories, err = x.site.app.CategoriesOf(x.r.Context(), x.staff, c.Categories); err != nil {
			return err
		}
	}
	return x.render(status, "course", d, problems...)
}

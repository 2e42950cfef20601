package teaching

import (
	"context"
	"net/http"

	"lyceum/app/teaching"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/text"
)

// peopleData is the data of the list of people.
type peopleData struct {
	List    listPage[person.Summary]
	Roles   map[person.ID][]person.Partnership
	Choices []choice
}

func people(x *siteRequest) error {
	in, choices, err := x.audience()
	if err != nil {
		return err
	}
	list, err := listPageOf(x, listing[person.Summary]{
		name: "people", schema: x.peopleSchema(),
		list: func(ctx context.Context, q query.Query) (query.Result[person.Summary], error) {
			return x.site.app.People(ctx, x.staff, in, q)
		},
		indexed: in == (teaching.Audience{}),
		sorts:   []sorting{{"full_name", "Name"}, {"email", "Email address"}, {"-created_at", "Newest first"}, {"-course_count", "Most courses first"}},
		search: func(words string) query.Expr {
			like := []query.Value{{Text: words, Fold: text.Fold(words)}}
			return query.Or{
				query.Cond{Attr: person.Schema.Attr("full_name"), Op: query.Cont, Values: like},
				query.Cond{Attr: person.Schema.Attr("email"), Op: query.Cont, Values: like},
			}
		},
		keep: map[string]bool{"course": true, "find_course": true, "group": true, "find_group": true, "role": true},
	})
	if err != nil {
		return err
	}
	ids := make([]person.ID, len(list.Rows))
	for i, p := range list.Rows {
		ids[i] = p.ID
	}
	roles, err := x.site.app.Roles(x.r.Context(), x.staff, ids...)
	if err != nil {
		return err
	}
	return x.render(http.StatusOK, "people", peopleData{list, roles, choices})
}

// peopleSchema returns the schema of the list of people. An instructor cannot filter or sort by what
// their pages do not show.
func (x *siteRequest) peopleSchema() query.Schema[person.Summary] {
	if x.staff.Manages() {
		return person.Schema
	}
	return person.Schema.Only("uuid", "email", "first_name", "last_name", "full_name", "registration_status",
		"course_count", "group_count", "activated_at", "created_at")
}

// audience returns the people that the parameters course, group and role select, and the choices of
// these parameters.
func (x *siteRequest) audience() (in teaching.Audience, choices []choice, err error) {
	params := x.r.URL.Query()
	inCourse, err := x.courseChoice()
	if err != nil {
		return in, nil, err
	}
	inGroup, err := x.groupChoice()
	if err != nil {
		return in, nil, err
	}
	role := choice{
		Param: "role", Name: "Role", Chosen: params.Get("role"), Fixed: true,
		Options: []sorting{{"owner", "owner"}, {"manager", "manager"}, {"instructor", "instructor"}},
	}
	if chosen, ok := text.UUID(inCourse.Chosen); ok {
		in.Course = course.ID{UUID: chosen}
	}
	if chosen, ok := text.UUID(inGroup.Chosen); ok {
		in.Group = group.ID{UUID: chosen}
	}
	if role.Chosen != "" {
		if in.Role, err = person.ParseRole(role.Chosen); err != nil {
			return in, nil, errNotFound
		}
	}
	return in, []choice{inCourse, inGroup, role}, nil
}

package teaching

import (
	"context"

	"github.com/google/uuid"
	"lyceum/adapters/web"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/query"
	"lyceum/domain/text"
)

// maxOptions is the number of records that a select offers. If there are more, a search field next
// to the select narrows them.
const maxOptions = 200

// choice is a select with which a person chooses one of several values.
type choice struct {
	Param, Name string
	Chosen      string
	Options     []sorting
	Fixed       bool // whether the names of the options are texts of the app

	FindParam, FindName string // of the search field
	Words               string // in the search field
	Searchable          bool   // whether the select needs the search field
}

// chooser describes the records of a choice.
type chooser[T any] struct {
	param, name string
	findName    string
	schema      query.Schema[T]
	list        func(ctx context.Context, q query.Query) (query.Result[T], error)
	option      func(row T) (id uuid.UUID, name string)
	without     []query.Value // IDs that are not offered
}

// choiceOf returns the choice among the first maxOptions records, by name, that the words in the
// address match, and the chosen record.
func choiceOf[T any](x *siteRequest, c chooser[T]) (choice, error) {
	params := x.r.URL.Query()
	made := choice{Param: c.param, Name: c.name, Chosen: params.Get(c.param), FindParam: "find_" + c.param, FindName: c.findName}
	made.Words = params.Get(made.FindParam)
	if made.Words != "" {
		if err := x.AdmitWork(web.Search); err != nil {
			return made, err
		}
	}
	q, err := query.Build(c.schema, query.Request{Search: made.Words, Page: query.NewPage(1, maxOptions)})
	if err != nil {
		return made, err
	}
	q.WithoutProperties = true
	if len(c.without) > 0 {
		q = q.And(query.Cond{Attr: c.schema.Attr("uuid"), Op: query.NotEq, Values: c.without})
	}
	found, err := c.list(x.r.Context(), q)
	if err != nil {
		return made, err
	}
	made.Searchable = found.More || made.Words != ""
	offered := addOptions(&made, found.Items, c.option)
	if id, ok := text.UUID(made.Chosen); ok && !offered {
		chosen := query.Query{Where: query.HasID(c.schema.Attr("uuid"), id), Page: query.NewPage(1, 1), WithoutProperties: true}
		if found, err = c.list(x.r.Context(), chosen); err != nil {
			return made, err
		}
		addOptions(&made, found.Items, c.option)
	}
	return made, nil
}

// addOptions adds options and reports whether one of them is chosen.
func addOptions[T any](c *choice, rows []T, option func(T) (uuid.UUID, string)) (chosen bool) {
	for _, row := range rows {
		id, name := option(row)
		c.Options = append(c.Options, sorting{id.String(), name})
		chosen = chosen || id.String() == c.Chosen
	}
	return chosen
}

// courseChoice returns the choice of a course, except for those that are not offered.
func (x *siteRequest) courseChoice(without ...course.Summary) (choice, error) {
	c := chooser[course.Summary]{
		param: "course", name: "Course", findName: "Find a course", schema: course.Schema,
		list: func(ctx context.Context, q query.Query) (query.Result[course.Summary], error) {
			return x.site.app.Courses(ctx, x.staff, q)
		},
		option: func(c course.Summary) (uuid.UUID, string) { return c.ID.UUID, c.Name },
	}
	for _, one := range without {
		c.without = append(c.without, query.Value{ID: one.ID.UUID})
	}
	return choiceOf(x, c)
}

// groupChoice returns the choice of a group.
func (x *siteRequest) groupChoice() (choice, error) {
	return choiceOf(x, chooser[group.Summary]{
		param: "group", name: "Group", findName: "Find a group", schema: group.Schema,
		list: func(ctx context.Context, q query.Query) (query.Result[group.Summary], error) {
			return x.site.app.Groups(ctx, x.staff, q)
		},
		option: func(g group.Summary) (uuid.UUID, string) { return g.ID.UUID, g.Name },
	})
}

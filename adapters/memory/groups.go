package memory

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/property"
	"lyceum/domain/query"
	"lyceum/domain/text"
	"lyceum/ports"
)

var (
	_ ports.GroupReader = groupReader{}
	_ ports.GroupRepo   = groups{}
)

var groupKind = ordered.Kind[group.Summary]{
	Name:   group.Type,
	Schema: group.Schema,
	ID:     func(g *group.Summary) uuid.UUID { return g.ID.UUID },
	Clone:  func(g group.Summary) group.Summary { return g },
	Unique: []ordered.Unique[group.Summary]{
		{Field: "name", Text: func(g *group.Summary) string { return g.Name }, Key: text.UniqueKey},
	},
}

var groupEntity = entity[group.ID, group.Summary, group.Group]{
	table:   func(s *state) *versioned[*ordered.Table[group.Summary]] { return &s.groups },
	restore: func(g group.Summary) group.Group { return group.Restore(g.State) },
	write:   func(row *group.Summary, g group.Group) { row.State = g.State() },
	properties: &rowProperties[group.Summary]{property.Groups, func(row *group.Summary) (*property.Values, *[]string) {
		return &row.Properties, &row.Defined
	}},
}

type groupReader struct {
	tableReader[group.ID, group.Summary]
}

// ListWithCourses implements ports.GroupReader.
func (r groupReader) ListWithCourses(ctx context.Context, courses []course.ID, q query.Query) (query.Result[group.Summary], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[group.Summary]{}, err
	}
	wanted := make(map[course.ID]bool, len(courses))
	for _, id := range courses {
		wanted[id] = true
	}
	found := map[uuid.UUID]bool{}
	s.groupCourses.table.Ascend(groupCourse{}, func(held groupCourse) bool {
		if wanted[held.course] {
			found[held.group.UUID] = true
		}
		return true
	})
	return r.List(ctx, q.And(anyOf(group.Schema.Attr("uuid"), found)))
}

type groups struct {
	entityRepo[group.ID, group.Summary, group.Group]
}

// ListWithCourses implements ports.GroupReader.
func (r groups) ListWithCourses(ctx context.Context, courses []course.ID, q query.Query) (query.Result[group.Summary], error) {
	return groupReader{r.tableReader}.ListWithCourses(ctx, courses, q)
}

// IDsByName implements ports.GroupRepo.
func (r groups) IDsByName(ctx context.Context, names []string) (map[string]group.ID, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	return ordered.Holders(s.groups.table, "name", names, func(g group.Summary) group.ID { return g.ID }), nil
}

// Delete implements ports.GroupRepo.
func (r groups) Delete(ctx context.Context, id group.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	if s.membershipsIn(id).Length() > 0 {
		return fmt.Errorf("memory: the group %s has memberships", id)
	}
	if err := s.groups.writable(s.version).Remove(id.UUID); err != nil {
		return err
	}
	tree := s.groupCourses.writable(s.version)
	for _, c := range coursesOfGroup(s, id) {
		tree.Delete(groupCourse{id, c})
	}
	return nil
}

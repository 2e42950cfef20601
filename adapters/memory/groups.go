package memory

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/group"
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
		{Field: "name", Text: func(g *group.Summary) string { return g.Name }, Key: text.Key},
	},
}

type groupReader struct{ view view }

func (r groupReader) List(ctx context.Context, q query.Query) (query.Result[group.Summary], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[group.Summary]{}, err
	}
	return s.groups.table.List(ctx, q)
}

func (r groupReader) Get(ctx context.Context, id group.ID) (group.Summary, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return group.Summary{}, err
	}
	return s.groups.table.Get(id.UUID)
}

type groups struct {
	groupReader
	tx *tx
}

func (r groups) Find(ctx context.Context, id group.ID) (group.Group, error) {
	g, err := r.Get(ctx, id)
	return group.Restore(g.State), err
}

func (r groups) Load(ctx context.Context, ids []group.ID) (map[group.ID]group.Group, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	return ordered.GetMany(s.groups.table, ids, func(g group.Summary) group.Group { return group.Restore(g.State) }), nil
}

func (r groups) ByName(ctx context.Context, names []string) (map[string]group.ID, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	found := make(map[string]group.ID, len(names))
	for _, name := range names {
		if g, ok := s.groups.table.Holder("name", name); ok {
			found[text.Key(name)] = g.Row.ID
		}
	}
	return found, nil
}

func (r groups) Add(ctx context.Context, g group.Group) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	return s.groups.own(s.version).Insert(group.Summary{State: g.State()})
}

func (r groups) Save(ctx context.Context, g group.Group) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	next := g.State()
	return s.groups.own(s.version).Update(next.ID.UUID, func(row *group.Summary) { row.State = next })
}

func (r groups) Remove(ctx context.Context, id group.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	if membershipsIn(s, id).Length() > 0 {
		return fmt.Errorf("memory: the group %s has memberships", id)
	}
	if err := s.groups.own(s.version).Remove(id.UUID); err != nil {
		return err
	}
	tree := s.groupCourses.own(s.version)
	for _, c := range coursesOf(s, id) {
		tree.Delete(groupCourse{id, c})
	}
	return nil
}

package memory

import (
	"cmp"
	"context"
	"fmt"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/course"
	"lyceum/domain/group"
)

// groupCourse says that the group holds the course.
type groupCourse struct {
	group  group.ID
	course course.ID
}

func compareGroupCourses(a, b groupCourse) int {
	return cmp.Or(ordered.CompareIDs(a.group.UUID, b.group.UUID), ordered.CompareIDs(a.course.UUID, b.course.UUID))
}

// coursesOf returns the courses of a group in the order of their ids.
func coursesOf(s *state, id group.ID) []course.ID {
	var ids []course.ID
	s.groupCourses.table.Ascend(groupCourse{group: id}, func(held groupCourse) bool {
		if held.group == id {
			ids = append(ids, held.course)
		}
		return held.group == id
	})
	return ids
}

func (r groups) Courses(ctx context.Context, ids []group.ID) (map[group.ID][]course.ID, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	held := make(map[group.ID][]course.ID, len(ids))
	for _, id := range ids {
		if courses := coursesOf(s, id); len(courses) > 0 {
			held[id] = courses
		}
	}
	return held, nil
}

func (r groups) AddCourses(ctx context.Context, id group.ID, courses []course.ID) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	if !s.groups.table.Has(id.UUID) {
		return 0, fmt.Errorf("memory: courses for the unknown group %s", id)
	}
	for _, c := range courses {
		if !s.courses.table.Has(c.UUID) {
			return 0, fmt.Errorf("memory: the unknown course %s for the group %s", c, id)
		}
	}
	tree := s.groupCourses.own(s.version)
	before := tree.Len()
	for _, c := range courses {
		tree.Set(groupCourse{id, c})
	}
	return tree.Len() - before, nil
}

func (r groups) detachCourse(ctx context.Context, id course.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	tree := s.groupCourses.own(s.version)
	for _, held := range holdings(s, id) {
		tree.Delete(held)
	}
	return nil
}

// holdings returns where groups hold a course.
func holdings(s *state, id course.ID) []groupCourse {
	var found []groupCourse
	s.groupCourses.table.Scan(func(held groupCourse) bool {
		if held.course == id {
			found = append(found, held)
		}
		return true
	})
	return found
}

func (r groups) RemoveCourses(ctx context.Context, id group.ID, courses []course.ID) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	tree := s.groupCourses.own(s.version)
	before := tree.Len()
	for _, c := range courses {
		tree.Delete(groupCourse{id, c})
	}
	return before - tree.Len(), nil
}

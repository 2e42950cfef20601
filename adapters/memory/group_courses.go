package memory

import (
	"cmp"
	"context"
	"fmt"

	"lyceum/adapters/memory/ordered"
	"lyceum/domain/course"
	"lyceum/domain/group"
)

// groupCourse is one course of a group.
type groupCourse struct {
	group  group.ID
	course course.ID
}

func compareGroupCourses(a, b groupCourse) int {
	return cmp.Or(ordered.CompareIDs(a.group.UUID, b.group.UUID), ordered.CompareIDs(a.course.UUID, b.course.UUID))
}

// coursesOfGroup returns the courses of a group, ordered by id.
func coursesOfGroup(s *state, id group.ID) []course.ID {
	var ids []course.ID
	s.groupCourses.table.Ascend(groupCourse{group: id}, func(held groupCourse) bool {
		if held.group == id {
			ids = append(ids, held.course)
		}
		return held.group == id
	})
	return ids
}

// CourseIDs implements ports.GroupRepo.
func (r groups) CourseIDs(ctx context.Context, ids []group.ID) (map[group.ID][]course.ID, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	held := make(map[group.ID][]course.ID, len(ids))
	for _, id := range ids {
		if courses := coursesOfGroup(s, id); len(courses) > 0 {
			held[id] = courses
		}
	}
	return held, nil
}

// AddCourses implements ports.GroupRepo.
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
	tree := s.groupCourses.writable(s.version)
	before := tree.Len()
	for _, c := range courses {
		tree.Set(groupCourse{id, c})
	}
	if tree.Len() > before {
		s.changedGroups = append(s.changedGroups, id)
	}
	return tree.Len() - before, nil
}

func (r groups) detachCourse(ctx context.Context, id course.ID) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	tree := s.groupCourses.writable(s.version)
	for _, held := range groupsOfCourse(s, id) {
		tree.Delete(held)
		s.changedGroups = append(s.changedGroups, held.group)
	}
	return nil
}

// groupsOfCourse returns a pair for each group that contains the course. It visits the courses of
// all groups.
func groupsOfCourse(s *state, id course.ID) []groupCourse {
	var found []groupCourse
	for held := range ordered.From(s.groupCourses.table, 0) {
		if held.course == id {
			found = append(found, held)
		}
	}
	return found
}

// RemoveCourses implements ports.GroupRepo.
func (r groups) RemoveCourses(ctx context.Context, id group.ID, courses []course.ID) (int, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return 0, err
	}
	tree := s.groupCourses.writable(s.version)
	before := tree.Len()
	for _, c := range courses {
		tree.Delete(groupCourse{id, c})
	}
	if tree.Len() < before {
		s.changedGroups = append(s.changedGroups, id)
	}
	return before - tree.Len(), nil
}

package storetest

import (
	"context"

	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/ports"
)

// authoringMethods contains the methods with which use cases update and delete courses.
var authoringMethods = []portMethod{
	{port: "Categories", method: "GetManyForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		found, err := tx.Categories.GetManyForShare(ctx, []category.ID{ours.category.ID, theirs.category.ID})
		delete(found, ours.category.ID)
		return len(found), err
	}},
	{port: "Courses", method: "GetForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		c, err := tx.Courses.GetForUpdate(ctx, theirs.course.ID)
		return c.State(), err
	}},
	{port: "Courses", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		c := theirs.course
		c.Name, c.Categories, c.Instructors = "Changed", nil, nil
		return nil, tx.Courses.Save(ctx, course.Restore(c))
	}},
	{port: "Courses", method: "Save", of: "their category", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		c := ours.course
		c.Categories = []category.ID{theirs.category.ID}
		return nil, tx.Courses.Save(ctx, course.Restore(c))
	}},
	{port: "Courses", method: "Save", of: "their partnership", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		c := ours.course
		c.Instructors = []person.PartnershipID{theirs.partnership.ID}
		return nil, tx.Courses.Save(ctx, course.Restore(c))
	}},
	{port: "Courses", method: "DetachInstructor", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Courses.DetachInstructor(ctx, theirs.partnership.ID)
	}},
	{port: "Courses", method: "CountDependents", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		n, err := tx.Courses.CountDependents(ctx, theirs.coursework.course.ID)
		total := 0
		for _, count := range n.Counts() {
			total += int(count)
		}
		return total, err
	}},
	{port: "Courses", method: "LockExclusive", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Courses.LockExclusive(ctx, theirs.course.ID)
	}},
	{port: "Courses", method: "BeginRemoval", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Courses.BeginRemoval(ctx, theirs.course.ID, theirs.course.CreatedAt)
	}},
	{port: "Courses", method: "ContinueRemoval", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		removed, err := tx.Courses.ContinueRemoval(ctx, theirs.coursework.course.ID, 1)
		return len(removed.Submissions), err
	}},
	{port: "Enrollments", method: "RemovePeople", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return result(tx.Enrollments.RemovePeople(ctx, theirs.course.ID, enrollment.Learner, []person.ID{theirs.learner.ID}))
	}},
}

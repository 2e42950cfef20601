package methods

import (
	"context"

	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// authoringMethods contains the methods with which use cases update and delete courses.
var authoringMethods = []portMethod{
	{port: "Categories", method: "GetManyForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		found, err := tx.Categories.GetManyForShare(ctx, []category.ID{ours.Category.ID, theirs.Category.ID})
		delete(found, ours.Category.ID)
		return len(found), err
	}},
	{port: "Courses", method: "GetForUpdate", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		c, err := tx.Courses.GetForUpdate(ctx, theirs.Course.ID)
		return c.State(), err
	}},
	{port: "Courses", method: "Save", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		c := theirs.Course
		c.Name, c.Categories, c.Instructors = "Changed", nil, nil
		return nil, tx.Courses.Save(ctx, course.Restore(c))
	}},
	{port: "Courses", method: "Save", of: "their category", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		c := ours.Course
		c.Categories = []category.ID{theirs.Category.ID}
		return nil, tx.Courses.Save(ctx, course.Restore(c))
	}},
	{port: "Courses", method: "Save", of: "their partnership", foreign: refused, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture.Fixture) (any, error) {
		c := ours.Course
		c.Instructors = []person.PartnershipID{theirs.Partnership.ID}
		return nil, tx.Courses.Save(ctx, course.Restore(c))
	}},
	{port: "Courses", method: "DetachInstructor", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Courses.DetachInstructor(ctx, theirs.Partnership.ID)
	}},
	{port: "Courses", method: "CountDependents", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		n, err := tx.Courses.CountDependents(ctx, theirs.Coursework.Course.ID)
		total := 0
		for _, count := range n.Counts() {
			total += int(count)
		}
		return total, err
	}},
	{port: "Courses", method: "LockExclusive", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Courses.LockExclusive(ctx, theirs.Course.ID)
	}},
	{port: "Courses", method: "BeginRemoval", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return nil, tx.Courses.BeginRemoval(ctx, theirs.Course.ID, theirs.Course.CreatedAt)
	}},
	{port: "Courses", method: "ContinueRemoval", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		removed, err := tx.Courses.ContinueRemoval(ctx, theirs.Coursework.Course.ID, 1)
		return len(removed.Submissions), err
	}},
	{port: "Enrollments", method: "RemovePeople", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture.Fixture) (any, error) {
		return result(tx.Enrollments.RemovePeople(ctx, theirs.Course.ID, enrollment.Learner, []person.ID{theirs.Learner.ID}))
	}},
}

package app

import (
	"context"
	"maps"
	"slices"

	"lyceum/app/admission"
	"lyceum/app/usecase"
	"lyceum/domain/bulk"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/text"
	"lyceum/ports"
)

// filling is a row of a bulk request: a group that is to hold courses.
type filling struct {
	row     bulk.Row
	key     string      // the text.Key of the name
	courses []course.ID // one for each of the row's targets
}

// applyGroups adds the groups whose names none has, puts the courses into all of
// them and enrolls their members, as Groups.AddCourses does.
//
// Locks are taken in one order, so that parts do not wait for each other in a
// circle: new names by their keys, groups by their ids, people by their ids. A
// group is added before a rule is asked; it has no members then, whose
// enrollment could be refused.
func (u *Bulk) applyGroups(ctx context.Context, tx ports.Tx, rows []bulk.Row) (map[int]error, error) {
	refused := map[int]error{}
	all, courses, err := coursesNamed(ctx, tx, rows, refused)
	if err != nil {
		return nil, err
	}
	ids, err := u.addGroups(ctx, tx, all, refused)
	if err != nil {
		return nil, err
	}
	g, err := lockGroups(ctx, tx, slices.Collect(maps.Values(ids)))
	if err != nil {
		return nil, err
	}
	in, err := admission.LockCourses(ctx, u.deps.Policies.Living, tx, slices.Collect(maps.Keys(courses)))
	if err != nil {
		return nil, err
	}
	maps.Copy(in.ByID, courses)
	people, err := g.lockMembers(ctx, tx)
	if err != nil {
		return nil, err
	}
	e, err := admission.NewEnrolling(ctx, u.deps, tx, in, people)
	if err != nil {
		return nil, err
	}
	adding := map[group.ID][]course.ID{}
	for _, f := range all {
		id, ok := ids[f.key]
		if !ok {
			continue // its name is refused
		}
		var added []course.ID
		var places []admission.Place
		var fields []string // of places
		for i, c := range f.courses {
			if slices.Contains(g.courses[id], c) || slices.Contains(added, c) {
				continue
			}
			added = append(added, c)
			for _, p := range g.members[id] {
				places = append(places, admission.Place{Person: p, Course: c, Role: enrollment.Learner})
				fields = append(fields, f.row.Targets[i].Field)
			}
		}
		if err := atFields(fields, e.Row(places)); err != nil {
			refused[f.row.Number] = err
			continue
		}
		g.courses[id], adding[id] = append(g.courses[id], added...), append(adding[id], added...)
	}
	for _, id := range usecase.InLockOrder(maps.Keys(adding)) {
		if _, err := tx.Groups.AddCourses(ctx, id, adding[id]); err != nil {
			return nil, err
		}
	}
	return refused, e.Save(ctx, tx)
}

// atFields returns what is refused of a row, each at its field; nil if nothing is.
func atFields(fields []string, refused []error) error {
	errs := make([]error, len(refused))
	for i, err := range refused {
		errs[i] = fault.At(fields[i], err)
	}
	return fault.Join(errs...)
}

// coursesNamed returns the rows with the courses that they name, and these
// courses, locked; a row that names an unknown one is refused.
func coursesNamed(
	ctx context.Context, tx ports.Tx, rows []bulk.Row, refused map[int]error,
) ([]filling, map[course.ID]course.Course, error) {
	var permalinks []string
	byRef := map[string]course.ID{}
	for _, ref := range namesOf(rows) {
		if id, ok := text.UUID(ref); ok {
			byRef[ref] = course.ID{UUID: id}
		} else {
			permalinks = append(permalinks, ref)
		}
	}
	found, err := tx.Courses.ByPermalinks(ctx, permalinks)
	if err != nil {
		return nil, nil, err
	}
	maps.Copy(byRef, found)
	courses, err := tx.Courses.Load(ctx, slices.Collect(maps.Values(byRef)))
	if err != nil {
		return nil, nil, err
	}
	var all []filling
	for _, r := range rows {
		f := filling{row: r, key: text.Key(r.Subject)}
		var unknown []error
		for _, t := range r.Targets {
			id := byRef[t.Name]
			if _, ok := courses[id]; !ok {
				unknown = append(unknown, bulk.Groups.Unknown(t.Field))
			}
			f.courses = append(f.courses, id)
		}
		if unknown != nil {
			refused[r.Number] = fault.Join(unknown...)
			continue
		}
		all = append(all, f)
	}
	return all, courses, nil
}

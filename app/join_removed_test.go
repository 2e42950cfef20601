package app_test

import (
	"context"
	"maps"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/bulk"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit"
)

// removing is a store whose GetManyForShare does not find the given course, as if the removal of
// the course began after the transaction had read the course IDs of its groups.
type removing struct {
	ports.Store
	course course.ID
}

func (s removing) InTx(ctx context.Context, id school.ID, fn func(ctx context.Context, tx ports.Tx) error) error {
	return s.Store.InTx(ctx, id, s.during(fn))
}

func (s removing) InLongTx(ctx context.Context, id school.ID, fn func(ctx context.Context, tx ports.Tx) error) error {
	return s.Store.InLongTx(ctx, id, s.during(fn))
}

func (s removing) during(fn func(ctx context.Context, tx ports.Tx) error) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error {
		tx.Courses = withoutCourse{tx.Courses, s.course}
		return fn(ctx, tx)
	}
}

type withoutCourse struct {
	ports.CourseRepo
	course course.ID
}

func (r withoutCourse) GetManyForShare(ctx context.Context, ids []course.ID) (map[course.ID]course.Course, error) {
	found, err := r.CourseRepo.GetManyForShare(ctx, ids)
	found = maps.Clone(found)
	delete(found, r.course)
	return found, err
}

func TestJoinIgnoresCourseInRemoval(t *testing.T) {
	for name, join := range map[string]func(w *world, a *app.App, g group.ID) error{
		"a group's people": func(w *world, a *app.App, g group.ID) error {
			return a.Memberships.AddPeople(w.ctx, w.actor, g, []person.ID{w.people["bob@example.test"]})
		},
		"a person's groups": func(w *world, a *app.App, g group.ID) error {
			return a.Memberships.Join(w.ctx, w.actor, w.people["bob@example.test"], []app.GroupRole{{Group: g, Role: membership.Member}})
		},
		"an import of people": func(w *world, a *app.App, _ group.ID) error {
			_, err := a.Transfers.ImportPeople(w.ctx, w.actor, kit.Reading("email,groups\nbob@example.test,Day\n"), false)
			return err
		},
		"a bulk request": func(w *world, a *app.App, _ group.ID) error {
			row := bulk.People.NewRow(0, "bob@example.test", []bulk.Target{{Field: "groups", Name: "Day"}}, nil, nil)
			if _, err := a.Bulk.Accept(w.ctx, w.actor, bulk.People, []bulk.Row{row}); err != nil {
				return err
			}
			_, err := a.Bulk.ApplyNext(w.ctx)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			w := newWorld(t, school.Preregistration)
			g := w.newGroup(t, "Day", "greek", "latin")
			a := app.New(removing{w.store, w.courses["latin"]}, w.schools, w.queue, w.files, w.emails, w.clock, w.ids)
			is.NoErr(join(w, a, g))
			got, err := w.People.Get(w.ctx, w.actor, w.people["bob@example.test"])
			is.NoErr(err)
			is.Equal(got.GroupCount, int64(1))
			is.Equal(got.CourseCount, int64(1)) // only the membership of greek counts
		})
	}
}

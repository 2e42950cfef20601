package app_test

import (
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/category"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/school"
)

func TestCategoryLifecycle(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	c, err := w.Categories.Create(w.ctx, w.actor, " Music ")
	is.NoErr(err)
	is.Equal(c.Name, "Music")
	is.Equal(c.CreatedAt, start)

	w.clock.Advance(time.Hour)
	name := "Musik"
	changed, err := w.Categories.Update(w.ctx, w.actor, c.ID, app.CategoryChanges{Name: &name})
	is.NoErr(err)
	is.Equal(changed, category.State{ID: c.ID, Name: "Musik", CreatedAt: start, UpdatedAt: start.Add(time.Hour)})
	got, err := w.Categories.Get(w.ctx, w.actor, c.ID)
	is.NoErr(err)
	is.Equal(got, changed)

	is.NoErr(w.Categories.Delete(w.ctx, w.actor, c.ID))
	_, err = w.Categories.Get(w.ctx, w.actor, c.ID)
	is.True(fault.Is(err, fault.NotFound))
}

func TestAnUpdateWithoutAChangeKeepsUpdatedAt(t *testing.T) {
	name := "Music"
	for title, change := range map[string]app.CategoryChanges{"nothing": {}, "the same name": {Name: &name}} {
		t.Run(title, func(t *testing.T) {
			is := is.New(t)
			w := newWorld(t, school.Preregistration)
			c, err := w.Categories.Create(w.ctx, w.actor, "Music")
			is.NoErr(err)
			w.clock.Advance(time.Hour)
			after, err := w.Categories.Update(w.ctx, w.actor, c.ID, change)
			is.NoErr(err)
			is.Equal(after, c)
		})
	}
}

func TestCategoryNameIsUnique(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	c, err := w.Categories.Create(w.ctx, w.actor, "Café")
	is.NoErr(err)
	_, err = w.Categories.Create(w.ctx, w.actor, "CAFÉ")
	f := firstFault(t, err)
	is.Equal(f.Field, "name")
	is.Equal(*f.Holder, fault.Holder{Type: "categories", ID: c.ID.UUID})
	_, err = w.Categories.Create(w.ctx, w.actor, "Cafe") // a different name: accents are significant
	is.NoErr(err)
}

func TestDeletingACategoryDetachesItsCourses(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	all, err := w.Categories.List(w.ctx, w.actor, query.Query{})
	is.NoErr(err)
	is.NoErr(w.Categories.Delete(w.ctx, w.actor, all.Items[0].ID))
	c, err := w.Courses.Get(w.ctx, w.actor, "greek")
	is.NoErr(err)
	is.Equal(len(c.Categories), 0)
}

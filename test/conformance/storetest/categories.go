package storetest

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/category"
	"lyceum/domain/fault"
	"lyceum/ports"
)

// categories tests ports.CategoryReader and ports.CategoryRepo except for their lists.
func categories(t *testing.T, b Backend) {
	t.Run("GetForUpdate returns the category", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		design, music := w.addCategory("Design"), w.addCategory("Music")
		for _, want := range []category.State{music, design} {
			got, err := w.read().Categories.Get(w.ctx(), want.ID)
			is.NoErr(err)
			is.Equal(diff(got, want), "")
			w.do(func(ctx context.Context, tx ports.Tx) error {
				locked, err := tx.Categories.GetForUpdate(ctx, want.ID)
				is.Equal(diff(locked.State(), want), "")
				return err
			})
		}
	})

	t.Run("GetForUpdate returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.addCategory("Design")
		none := w.newCategory("Music").ID
		_, err := w.read().Categories.Get(w.ctx(), none)
		is.True(isNotFound(err))
		is.True(isNotFound(w.try(func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Categories.GetForUpdate(ctx, none)
			return err
		})))
	})

	t.Run("Add inserts the category", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		want := w.newCategory("Design")
		is.NoErr(w.tryAddCategory(want))
		got, err := w.read().Categories.Get(w.ctx(), want.ID)
		is.NoErr(err)
		is.Equal(diff(got, want), "")
	})

	t.Run("A name with the unique key of another category is Invalid, with that category as the holder", func(t *testing.T) {
		for _, tt := range sameKeys {
			t.Run(tt.held+" "+tt.wanted, func(t *testing.T) {
				is, w := is.New(t), newWorld(t, b)
				w.addCategory("Other")
				holder := w.addCategory(tt.held)
				err := w.tryAddCategory(w.newCategory(tt.wanted))
				is.Equal(diffTaken(err, "name", category.Type, holder.ID), "")
			})
		}
	})

	t.Run("A name with another unique key is free, even if it folds equally", func(t *testing.T) {
		for _, tt := range differentKeys {
			t.Run(tt.held+" "+tt.wanted, func(t *testing.T) {
				is, w := is.New(t), newWorld(t, b)
				w.addCategory(tt.held)
				is.NoErr(w.tryAddCategory(w.newCategory(tt.wanted)))
			})
		}
	})

	t.Run("Save updates the category", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, other := w.addCategory("Design"), w.addCategory("Music")
		c.Name, c.UpdatedAt = "Drawing", w.nextTime()
		is.NoErr(w.trySaveCategory(c))
		is.Equal(diff(w.all().Categories, []category.State{c, other}), "")
	})

	t.Run("Save returns the same faults as Add for names", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, holder := w.addCategory("Design"), w.addCategory("Musée")
		c.Name = "MUSÉE"
		is.Equal(diffTaken(w.trySaveCategory(c), "name", category.Type, holder.ID), "")
		c.Name = "Musee"
		is.NoErr(w.trySaveCategory(c))
	})

	t.Run("Save accepts the category's own name, also in another case", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.addCategory("Design")
		for _, name := range []string{"Design", "DESIGN"} {
			c.Name = name
			is.NoErr(w.trySaveCategory(c))
		}
		is.Equal(diff(w.all().Categories, []category.State{c}), "")
	})

	t.Run("Save returns NotFound for an unknown category", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		is.True(isNotFound(w.trySaveCategory(w.newCategory("Design"))))
		is.Equal(len(w.all().Categories), 0)
	})

	t.Run("A former name is free", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		renamed, removed := w.addCategory("Design"), w.addCategory("Music")
		renamed.Name = "Drawing"
		is.NoErr(w.trySaveCategory(renamed))
		is.NoErr(w.tryDeleteCategory(removed.ID))
		is.NoErr(w.tryAddCategory(w.newCategory("design")))
		is.NoErr(w.tryAddCategory(w.newCategory("music")))
	})

	t.Run("Delete deletes the category", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c, other := w.addCategory("Design"), w.addCategory("Music")
		is.NoErr(w.tryDeleteCategory(c.ID))
		_, err := w.read().Categories.Get(w.ctx(), c.ID)
		is.True(isNotFound(err))
		is.Equal(diff(w.all().Categories, []category.State{other}), "")
	})

	t.Run("Delete returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.addCategory("Design")
		is.NoErr(w.tryDeleteCategory(c.ID))
		is.True(isNotFound(w.tryDeleteCategory(c.ID)))
	})

	t.Run("Delete returns an error while a course belongs to the category", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.addCategory("Design")
		w.addCourse("Drawing", inCategories(c.ID))
		before := w.all()
		err := w.tryDeleteCategory(c.ID)
		is.True(err != nil)
		is.True(fault.All(err) == nil) // a defect of the use case, not a fault of the client
		is.Equal(diff(w.all(), before), "")

		w.do(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Courses.DetachCategory(ctx, c.ID); err != nil {
				return err
			}
			return tx.Categories.Delete(ctx, c.ID)
		})
		is.Equal(len(w.all().Categories), 0)
	})
}

// sameKeys contains pairs of texts with the same unique key.
var sameKeys = []struct{ held, wanted string }{
	{"Design", "Design"},
	{"Design", "dESIGN"},
	{"café", "CAFÉ"},
	{"caf\u00e9", "cafe\u0301"}, // é as one code point and as two
	{"Straße", "STRASSE"},
	{"ΣΊΣΥΦΟΣ", "σίσυφος"},
	{"ﬁn", "FIN"},
}

// differentKeys contains pairs of similar texts with different unique keys.
var differentKeys = []struct{ held, wanted string }{
	{"Café", "Cafe"},
	{"İstanbul", "Istanbul"},
	{"Design", "Designs"},
	{"a_b", "aXb"},
	{"100%", "100% more"},
	{`a\b`, "ab"},
}

// tryAddCategory adds a category.
func (s tenant) tryAddCategory(c category.State) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Categories.Add(ctx, category.Restore(c)) })
}

// trySaveCategory saves an existing category.
func (s tenant) trySaveCategory(c category.State) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Categories.Save(ctx, category.Restore(c)) })
}

// tryDeleteCategory deletes a category. Courses may still refer to it.
func (s tenant) tryDeleteCategory(id category.ID) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error { return tx.Categories.Delete(ctx, id) })
}

package courses

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/category"
	"lyceum/domain/fault"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// Categories tests ports.CategoryReader and ports.CategoryRepo except for their lists.
func Categories(t *testing.T, b fixture.Backend) {
	t.Run("GetForUpdate returns the category", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		design, music := w.AddCategory("Design"), w.AddCategory("Music")
		for _, want := range []category.State{music, design} {
			got, err := w.Read().Categories.Get(w.Context(), want.ID)
			is.NoErr(err)
			is.Equal(fixture.Diff(got, want), "")
			w.Do(func(ctx context.Context, tx ports.Tx) error {
				locked, err := tx.Categories.GetForUpdate(ctx, want.ID)
				is.Equal(fixture.Diff(locked.State(), want), "")
				return err
			})
		}
	})

	t.Run("GetForUpdate returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.AddCategory("Design")
		none := w.NewCategory("Music").ID
		_, err := w.Read().Categories.Get(w.Context(), none)
		is.True(fixture.IsNotFound(err))
		is.True(fixture.IsNotFound(w.Try(func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Categories.GetForUpdate(ctx, none)
			return err
		})))
	})

	t.Run("Add inserts the category", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		want := w.NewCategory("Design")
		is.NoErr(w.TryAddCategory(want))
		got, err := w.Read().Categories.Get(w.Context(), want.ID)
		is.NoErr(err)
		is.Equal(fixture.Diff(got, want), "")
	})

	t.Run("A name with the unique key of another category is Invalid, with that category as the holder", func(t *testing.T) {
		for _, tt := range fixture.SameKeys {
			t.Run(tt.Held+" "+tt.Wanted, func(t *testing.T) {
				is, w := is.New(t), fixture.NewWorld(t, b)
				w.AddCategory("Other")
				holder := w.AddCategory(tt.Held)
				err := w.TryAddCategory(w.NewCategory(tt.Wanted))
				is.Equal(fixture.DiffTaken(err, "name", category.Type, holder.ID), "")
			})
		}
	})

	t.Run("A name with another unique key is free, even if it folds equally", func(t *testing.T) {
		for _, tt := range fixture.DifferentKeys {
			t.Run(tt.Held+" "+tt.Wanted, func(t *testing.T) {
				is, w := is.New(t), fixture.NewWorld(t, b)
				w.AddCategory(tt.Held)
				is.NoErr(w.TryAddCategory(w.NewCategory(tt.Wanted)))
			})
		}
	})

	t.Run("Save updates the category", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, other := w.AddCategory("Design"), w.AddCategory("Music")
		c.Name, c.UpdatedAt = "Drawing", w.NextTime()
		is.NoErr(w.TrySaveCategory(c))
		is.Equal(fixture.Diff(w.All().Categories, []category.State{c, other}), "")
	})

	t.Run("Save returns the same faults as Add for names", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, holder := w.AddCategory("Design"), w.AddCategory("Musée")
		c.Name = "MUSÉE"
		is.Equal(fixture.DiffTaken(w.TrySaveCategory(c), "name", category.Type, holder.ID), "")
		c.Name = "Musee"
		is.NoErr(w.TrySaveCategory(c))
	})

	t.Run("Save accepts the category's own name, also in another case", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.AddCategory("Design")
		for _, name := range []string{"Design", "DESIGN"} {
			c.Name = name
			is.NoErr(w.TrySaveCategory(c))
		}
		is.Equal(fixture.Diff(w.All().Categories, []category.State{c}), "")
	})

	t.Run("Save returns NotFound for an unknown category", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		is.True(fixture.IsNotFound(w.TrySaveCategory(w.NewCategory("Design"))))
		is.Equal(len(w.All().Categories), 0)
	})

	t.Run("A former name is free", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		renamed, removed := w.AddCategory("Design"), w.AddCategory("Music")
		renamed.Name = "Drawing"
		is.NoErr(w.TrySaveCategory(renamed))
		is.NoErr(w.TryDeleteCategory(removed.ID))
		is.NoErr(w.TryAddCategory(w.NewCategory("design")))
		is.NoErr(w.TryAddCategory(w.NewCategory("music")))
	})

	t.Run("Delete deletes the category", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c, other := w.AddCategory("Design"), w.AddCategory("Music")
		is.NoErr(w.TryDeleteCategory(c.ID))
		_, err := w.Read().Categories.Get(w.Context(), c.ID)
		is.True(fixture.IsNotFound(err))
		is.Equal(fixture.Diff(w.All().Categories, []category.State{other}), "")
	})

	t.Run("Delete returns NotFound for an unknown id", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.AddCategory("Design")
		is.NoErr(w.TryDeleteCategory(c.ID))
		is.True(fixture.IsNotFound(w.TryDeleteCategory(c.ID)))
	})

	t.Run("Delete returns an error while a course belongs to the category", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.AddCategory("Design")
		w.AddCourse("Drawing", fixture.InCategories(c.ID))
		before := w.All()
		err := w.TryDeleteCategory(c.ID)
		is.True(err != nil)
		is.True(fault.All(err) == nil) // a defect of the use case, not a fault of the client
		is.Equal(fixture.Diff(w.All(), before), "")

		w.Do(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Courses.DetachCategory(ctx, c.ID); err != nil {
				return err
			}
			return tx.Categories.Delete(ctx, c.ID)
		})
		is.Equal(len(w.All().Categories), 0)
	})
}

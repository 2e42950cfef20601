package teaching

import (
	"context"
	"net/http"

	"lyceum/adapters/web"
	"lyceum/app"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/query"
)

// categoriesData is the data of the list of categories.
type categoriesData struct{ List listPage[category.State] }

func categories(x *siteRequest) error { return x.renderCategories(http.StatusOK) }

func (x *siteRequest) renderCategories(status int, problems ...string) error {
	if err := x.staff.CheckManages(); err != nil {
		return err
	}
	list, err := listPageOf(x, listing[category.State]{
		name: "categories", schema: category.Schema, at: "/categories",
		list: func(ctx context.Context, q query.Query) (query.Result[category.State], error) {
			return x.site.app.Categories(ctx, x.staff, q)
		},
		indexed: true,
		sorts:   []sorting{{"name", "Name"}},
	})
	if err != nil {
		return err
	}
	return x.render(status, "categories", categoriesData{list}, problems...)
}

// categoryData is the data of the page of a category.
type categoryData struct {
	Category category.State
	Name     string // in the form
	Basis    basis  // of the form
	Courses  []course.Summary
}

// category returns the category in the path and its courses.
func (x *siteRequest) category() (d categoryData, err error) {
	id, err := x.id("category")
	if err != nil {
		return d, err
	}
	d.Category, d.Courses, err = x.site.app.Category(x.r.Context(), x.staff, category.ID{UUID: id})
	d.Name, d.Basis.Version = d.Category.Name, categoryVersion(d.Category)
	return d, err
}

func categoryVersion(c category.State) string { return versionOf(c.Name) }

func showCategory(x *siteRequest) error {
	if err := x.AdmitWork(web.Read); err != nil { // a category can have thousands of courses
		return err
	}
	d, err := x.category()
	if err != nil {
		return err
	}
	return x.render(http.StatusOK, "category", d)
}

func createCategory(x *siteRequest) error {
	form, err := x.form()
	if err != nil {
		return err
	}
	_, err = x.site.app.CreateCategory(x.r.Context(), x.staff, form.Get("name"))
	return x.settle(err, "/categories", func(problems ...string) error {
		return x.renderCategories(http.StatusUnprocessableEntity, problems...)
	})
}

func renameCategory(x *siteRequest) error {
	d, err := x.category()
	if err != nil {
		return err
	}
	form, err := x.form()
	if err != nil {
		return err
	}
	d.Name, d.Basis.Version = form.Get("name"), form.Get(versionField)
	path := "/categories/" + d.Category.ID.String()
	err = x.site.app.UpdateCategory(x.r.Context(), x.staff, d.Category.ID, app.CategoryChanges{Name: &d.Name, Check: unchanged(form, categoryVersion)})
	return x.settle(err, path, func(problems ...string) error {
		if isStale(err) {
			stored, err := x.category()
			if err != nil {
				return err
			}
			d.Basis = staleBasis(stored.Basis.Version, path, []shownValue{{x.t("Name"), stored.Name}}, []shownValue{{x.t("Name"), d.Name}})
		}
		return x.render(http.StatusUnprocessableEntity, "category", d, problems...)
	})
}

func (x *siteRequest) categoryRemoval(c category.State) confirmation {
	path := "/categories/" + c.ID.String()
	return confirmation{
		Title: x.tf("Remove %s?", c.Name), Text: x.t("The category is deleted. Its courses remain."),
		Action: path + "/remove", Button: x.t("Remove"), Back: path,
	}
}

func removeCategoryForm(x *siteRequest) error {
	d, err := x.category()
	if err != nil {
		return err
	}
	return x.confirm(x.categoryRemoval(d.Category))
}

func removeCategory(x *siteRequest) error {
	d, err := x.category()
	if err != nil {
		return err
	}
	err = x.site.app.DeleteCategory(x.r.Context(), x.staff, d.Category.ID)
	return x.settle(err, "/categories", func(problems ...string) error { return x.confirm(x.categoryRemoval(d.Category), problems...) })
}

package teaching

import (
	"context"
	"net/http"
	"net/url"

	"lyceum/adapters/web"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/query"
)

// groupsData is the data of the list of groups.
type groupsData struct{ List listPage[group.Summary] }

func groups(x *siteRequest) error { return x.renderGroups(http.StatusOK) }

func (x *siteRequest) renderGroups(status int, problems ...string) error {
	list, err := listPageOf(x, listing[group.Summary]{
		name: "groups", schema: group.Schema,
		list: func(ctx context.Context, q query.Query) (query.Result[group.Summary], error) {
			return x.site.app.Groups(ctx, x.staff, q)
		},
		indexed: true,
		sorts:   []sorting{{"name", "Name"}, {"-membership_count", "Most members first"}, {"-created_at", "Newest first"}},
	})
	if err != nil {
		return err
	}
	return x.render(status, "groups", groupsData{list}, problems...)
}

// groupData is the data of the page of a group.
type groupData struct {
	Group      group.Summary
	Sent       bool            // whether the form has the values that were sent, not the stored ones
	Name       string          // in the form
	Basis      basis           // of the form
	Fields     []propertyField // nil: the person cannot change them
	Properties []propertyData
	Courses    []course.Summary // of the group
	Addable    choice           // of a course that can be added
	List       listPage[membership.Membership]
	People     map[person.ID]person.Summary // of the page of memberships
	Add        addressForm
}

func (x *siteRequest) groupID() (group.ID, error) {
	of, err := x.id("group")
	return group.ID{UUID: of}, err
}

func showGroup(x *siteRequest) error {
	id, err := x.groupID()
	if err != nil {
		return err
	}
	return x.renderGroup(http.StatusOK, id, groupData{})
}

// renderGroup shows a group. Unless d has the form that was sent, the form has the stored values.
func (x *siteRequest) renderGroup(status int, id group.ID, d groupData, problems ...string) error {
	if err := x.AdmitWork(web.Read); err != nil { // a group can have thousands of courses
		return err
	}
	ctx, app := x.r.Context(), x.site.app
	var err error
	if d.Group, d.Courses, err = app.Group(ctx, x.staff, id); err != nil {
		return err
	}
	d.List, err = listPageOf(x, listing[membership.Membership]{
		name: "members:" + id.String(), schema: membership.Schema, at: "/groups/" + id.String(),
		list: func(ctx context.Context, q query.Query) (query.Result[membership.Membership], error) {
			return app.Members(ctx, x.staff, id, q)
		},
		sorts: []sorting{{"-created_at", "Newest first"}},
	})
	if err != nil {
		return err
	}
	if d.People, err = app.PeopleOf(ctx, x.staff, d.List.Rows); err != nil {
		return err
	}
	d.Properties = propertiesOf(d.Group.Properties)
	if x.staff.Manages() {
		stored, err := x.propertyFields(property.Groups, d.Group.Properties)
		if err != nil {
			return err
		}
		if !d.Sent {
			d.Name, d.Fields, d.Basis.Version = d.Group.Name, stored, groupVersion(d.Group.State)
		} else if d.Basis.Stale {
			d.Basis = staleBasis(groupVersion(d.Group.State), "/groups/"+id.String(), x.groupValues(d.Group.Name, stored), x.groupValues(d.Name, d.Fields))
		}
		if d.Addable, err = x.courseChoice(d.Courses...); err != nil {
			return err
		}
	}
	return x.render(status, "group", d, problems...)
}

func createGroup(x *siteRequest) error {
	form, err := x.form()
	if err != nil {
		return err
	}
	name := form.Get("name")
	made, err := x.site.app.CreateGroup(x.r.Context(), x.staff, group.Changes{Name: &name})
	return x.settle(err, "/groups/"+made.ID.String(), func(problems ...string) error {
		return x.renderGroups(http.StatusUnprocessableEntity, problems...)
	})
}

// changeGroup changes the group in the path as the form asks.
func (x *siteRequest) changeGroup(change func(ctx context.Context, id group.ID, form url.Values) error) error {
	id, err := x.groupID()
	if err != nil {
		return err
	}
	form, err := x.form()
	if err != nil {
		return err
	}
	err = change(x.r.Context(), id, form)
	return x.settle(err, "/groups/"+id.String(), func(problems ...string) error {
		return x.renderGroup(http.StatusUnprocessableEntity, id, groupData{Add: x.addressForm(form, err, "group", id.UUID)}, problems...)
	})
}

func groupVersion(g group.State) string { return versionOf(g.Name, propertyValues(g.Properties)) }

// groupValues returns the values of the form of a group.
func (x *siteRequest) groupValues(name string, properties []propertyField) []shownValue {
	return withProperties([]shownValue{{x.t("Name"), name}}, properties)
}

func editGroup(x *siteRequest) error {
	id, err := x.groupID()
	if err != nil {
		return err
	}
	form, err := x.form()
	if err != nil {
		return err
	}
	d := groupData{Sent: true, Name: form.Get("name"), Basis: basis{Version: form.Get(versionField)}}
	e := group.Changes{Name: &d.Name, Check: unchanged(form, groupVersion)}
	if d.Fields, e.Properties, err = x.sentProperties(property.Groups, form); err != nil {
		return err
	}
	_, err = x.site.app.UpdateGroup(x.r.Context(), x.staff, id, e)
	return x.settle(err, "/groups/"+id.String(), func(problems ...string) error {
		d.Basis.Stale = isStale(err)
		return x.renderGroup(http.StatusUnprocessableEntity, id, d, problems...)
	})
}

func addCourse(x *siteRequest) error {
	return x.changeGroup(func(ctx context.Context, id group.ID, form url.Values) error {
		c, ok := parseID(form.Get("course"))
		if !ok {
			return errNotFound
		}
		return x.site.app.AddCourse(ctx, x.staff, id, course.ID{UUID: c})
	})
}

func removeCourseFromGroup(x *siteRequest) error {
	return x.changeGroup(func(ctx context.Context, id group.ID, _ url.Values) error {
		c, err := x.id("course")
		if err != nil {
			return err
		}
		return x.site.app.RemoveCourse(ctx, x.staff, id, course.ID{UUID: c})
	})
}

func addMember(x *siteRequest) error {
	return x.changeGroup(func(ctx context.Context, id group.ID, form url.Values) error {
		p, err := x.site.app.PersonByEmail(ctx, x.staff, form.Get("email"))
		if err != nil {
			return err
		}
		return x.site.app.AddMember(ctx, x.staff, id, p.ID)
	})
}

func removeMember(x *siteRequest) error {
	return x.changeGroup(func(ctx context.Context, id group.ID, _ url.Values) error {
		p, err := x.id("person")
		if err != nil {
			return err
		}
		return x.site.app.RemoveMember(ctx, x.staff, id, person.ID{UUID: p})
	})
}

func (x *siteRequest) groupRemoval() (confirmation, group.ID, error) {
	id, err := x.groupID()
	if err != nil {
		return confirmation{}, id, err
	}
	if err := x.staff.CheckManages(); err != nil {
		return confirmation{}, id, err
	}
	g, _, err := x.site.app.Group(x.r.Context(), x.staff, id)
	path := "/groups/" + id.String()
	return confirmation{
		Title: x.tf("Remove %s?", g.Name), Text: x.t("The group and its memberships are deleted. Its members stay enrolled in the courses."),
		Action: path + "/remove", Button: x.t("Remove"), Back: path,
	}, id, err
}

func removeGroupForm(x *siteRequest) error {
	c, _, err := x.groupRemoval()
	if err != nil {
		return err
	}
	return x.confirm(c)
}

func removeGroup(x *siteRequest) error {
	c, id, err := x.groupRemoval()
	if err != nil {
		return err
	}
	err = x.site.app.DeleteGroup(x.r.Context(), x.staff, id)
	return x.settle(err, "/groups", func(problems ...string) error { return x.confirm(c, problems...) })
}

package teaching

import (
	"net/http"
	"slices"

	"lyceum/adapters/web"
	"lyceum/domain/activity"
	"lyceum/domain/course"
	"lyceum/domain/structure"
)

// builderData is the data of the page on which a course is built.
type builderData struct {
	Course     course.Summary
	Activities []activity.State
	Archived   []activity.State
	Kinds      []string
}

// kinds contains the kinds of activities that can be added.
var kinds = []string{"text", "video", "quiz", "assignment"}

func showBuilder(x *siteRequest) error {
	c, s, err := x.structure()
	if err != nil {
		return err
	}
	return x.renderBuilder(http.StatusOK, c, s)
}

func (x *siteRequest) renderBuilder(status int, c course.Summary, s structure.Structure, problems ...string) error {
	return x.render(status, "builder", builderData{c, s.Activities, s.Archived, kinds}, problems...)
}

// structure returns the course in the path and its structure.
func (x *siteRequest) structure() (course.Summary, structure.Structure, error) {
	work := web.Read
	if x.r.Method == http.MethodPost {
		work = web.Change
	}
	if err := x.AdmitWork(work); err != nil {
		return course.Summary{}, structure.Structure{}, err
	}
	c, err := x.course()
	if err != nil {
		return c, structure.Structure{}, err
	}
	s, err := x.site.app.Structure(x.r.Context(), x.staff, c.ID)
	return c, s, err
}

// planOf returns a plan that changes nothing.
func planOf(s structure.Structure) structure.Plan {
	var p structure.Plan
	for _, a := range slices.Concat(s.Activities, s.Archived) {
		p.Activities = append(p.Activities, structure.PlanOf(a))
	}
	return p
}

// moveActivity moves an activity up or down.
func moveActivity(x *siteRequest) error {
	return x.changePlan(func(p *structure.Plan, i int, shown int) error {
		to := i + 1
		if x.r.PostForm.Get("to") == "up" {
			to = i - 1
		}
		if to < 0 || to >= shown {
			return errNotFound
		}
		p.Activities[i], p.Activities[to] = p.Activities[to], p.Activities[i]
		return nil
	})
}

// removeActivity removes an activity. If learners have started it, it is archived.
func removeActivity(x *siteRequest) error {
	return x.changePlan(func(p *structure.Plan, i int, _ int) error {
		p.Activities = slices.Delete(p.Activities, i, i+1)
		return nil
	})
}

// restoreActivity restores an archived activity as the last one.
func restoreActivity(x *siteRequest) error {
	return x.revisePlan(func(s structure.Structure, p *structure.Plan) error {
		i := slices.IndexFunc(p.Activities, func(a structure.Activity) bool { return a.Key == x.r.PathValue("activity") })
		if i < len(s.Activities) { // it does not exist or is not archived
			return errNotFound
		}
		restored := p.Activities[i]
		restored.ArchivedAt = nil
		p.Activities = slices.Insert(slices.Delete(p.Activities, i, i+1), len(s.Activities), restored)
		return nil
	})
}

// changePlan changes the plan of a course at the index of the activity in the path. shown is the
// number of activities that are not archived.
func (x *siteRequest) changePlan(change func(p *structure.Plan, i, shown int) error) error {
	return x.revisePlan(func(s structure.Structure, p *structure.Plan) error {
		i := indexOf(s, x.r.PathValue("activity"))
		if i < 0 {
			return errNotFound
		}
		return change(p, i, len(s.Activities))
	})
}

// revisePlan changes the plan of a course.
func (x *siteRequest) revisePlan(change func(s structure.Structure, p *structure.Plan) error) error {
	c, s, err := x.structure()
	if err != nil {
		return err
	}
	if _, err := x.form(); err != nil {
		return err
	}
	p := planOf(s)
	if err := change(s, &p); err != nil {
		return err
	}
	return x.review(c, s, p, func(problems ...string) error {
		return x.renderBuilder(http.StatusUnprocessableEntity, c, s, problems...)
	})
}

// indexOf returns the index of the activity with the given key among those that are not archived;
// -1 if there is none.
func indexOf(s structure.Structure, key string) int {
	return slices.IndexFunc(s.Activities, func(a activity.State) bool { return a.Key == key })
}

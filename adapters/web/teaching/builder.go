package teaching

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"lyceum/adapters/web"
	"lyceum/app"
	"lyceum/domain/activity"
	"lyceum/domain/course"
	"lyceum/domain/fault"
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

func showBuilder(x *exchange) error {
	c, s, err := x.structure()
	if err != nil {
		return err
	}
	return x.renderBuilder(http.StatusOK, c, s)
}

func (x *exchange) renderBuilder(status int, c course.Summary, s structure.Structure, problems ...string) error {
	return x.render(status, "builder", builderData{c, s.Activities, s.Archived, kinds}, problems...)
}

// structure returns the course in the path and its structure.
func (x *exchange) structure() (course.Summary, structure.Structure, error) {
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

// fingerprint identifies a state of a structure, so that a plan is not saved if the structure has
// changed since the plan was checked.
func fingerprint(s structure.Structure) string {
	h := sha256.New()
	for _, a := range slices.Concat(s.Activities, s.Archived) {
		_, _ = fmt.Fprintln(h, a.ID, a.Position, a.UpdatedAt.UnixNano(), a.Archived(), s.Quizzes[a.Content.Quiz].UpdatedAt.UnixNano())
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// reviewData is the data of the page that shows the effect of a plan before it is saved.
type reviewData struct {
	Course   course.Summary
	Action   string      // path to which the form is posted again
	Editable bool        // whether the form can be shown again with its values
	Fields   []formField // of the form
	Changes  []changeData
	Linked   bool // whether the activity is a video that pages cannot play, only link to
	Same     bool // whether the plan changes nothing
	Rescored int  // number of quizzes whose scores are computed again
}

type formField struct{ Name, Value string }

// changeData is the effect of a plan on an activity.
type changeData struct {
	What   string // text of the app
	Title  string
	Fields []string // changed attributes, texts of the app
}

var errChanged = fault.Conflictf("", "The course was changed in the meantime. Please look at it again")

// review checks a plan with a dry run and shows its effect. If the form was already reviewed, it
// saves the plan. again shows the form with the reasons why the plan was refused.
func (x *exchange) review(c course.Summary, s structure.Structure, p structure.Plan, again func(problems ...string) error) error {
	form := x.r.PostForm
	x.keepForBack()
	saving := form.Get("reviewed") != ""
	check := func(now structure.Structure) error {
		if saving && form.Get("reviewed") != fingerprint(now) {
			return errChanged
		}
		return nil
	}
	result, err := x.site.app.Build(x.r.Context(), x.staff, c.ID, app.StructureUpdate{Plan: p, Check: check, DryRun: !saving})
	path := "/courses/" + c.Permalink + "/builder"
	if saving || err != nil {
		return x.settle(x.atFields(err), path, again)
	}
	d := reviewData{
		Course: c, Action: x.here(), Same: result.Empty(), Rescored: len(result.RescoredQuizzes), Changes: changesOf(s, result.Revision),
		Fields: []formField{{"reviewed", fingerprint(s)}}, Editable: form.Has("title"),
		Linked: x.isLinked(strings.TrimSpace(form.Get("video_url"))),
	}
	for name, values := range form {
		for _, value := range values {
			d.Fields = append(d.Fields, formField{name, value})
		}
	}
	slices.SortFunc(d.Fields, func(a, b formField) int { return slices.Compare([]string{a.Name, a.Value}, []string{b.Name, b.Value}) })
	return x.render(http.StatusOK, "review", d)
}

// isLinked reports whether pages cannot play the video with the address, only link to it.
func (x *exchange) isLinked(address string) bool { return address != "" && !x.MayLoad(address) }

// attributes names the attributes of activities in reports.
var attributes = map[string]string{
	"title": "title", "kind": "kind", "duration": "length", "video_url": "address of the video", "text": "text", "position": "position",
	"quiz": "questions", "assignment": "assignment",
}

// changesOf describes the effect of a revision on the activities of a course.
func changesOf(was structure.Structure, r structure.Revision) []changeData {
	titles := map[string]string{}
	for _, a := range slices.Concat(was.Activities, was.Archived, r.After.Activities) {
		titles[a.Key] = a.Title
	}
	var all []changeData
	add := func(what string, entries []structure.Entry) {
		for _, e := range entries {
			all = append(all, changeData{What: what, Title: titles[e.Key]})
		}
	}
	add("is added", r.Report.Created)
	add("is restored", r.Report.Restored)
	for _, c := range r.Report.Changed {
		change := changeData{What: "changes", Title: titles[c.Key]}
		for _, field := range c.Fields {
			change.Fields = append(change.Fields, attributes[field])
		}
		all = append(all, change)
	}
	add("is archived, because learners have started it", r.Report.Archived)
	add("is deleted", r.Report.Deleted)
	return all
}

// moveActivity moves an activity up or down.
func moveActivity(x *exchange) error {
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
func removeActivity(x *exchange) error {
	return x.changePlan(func(p *structure.Plan, i int, _ int) error {
		p.Activities = slices.Delete(p.Activities, i, i+1)
		return nil
	})
}

// restoreActivity restores an archived activity as the last one.
func restoreActivity(x *exchange) error {
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
func (x *exchange) changePlan(change func(p *structure.Plan, i, shown int) error) error {
	return x.revisePlan(func(s structure.Structure, p *structure.Plan) error {
		i := indexOf(s, x.r.PathValue("activity"))
		if i < 0 {
			return errNotFound
		}
		return change(p, i, len(s.Activities))
	})
}

// revisePlan changes the plan of a course.
func (x *exchange) revisePlan(change func(s structure.Structure, p *structure.Plan) error) error {
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

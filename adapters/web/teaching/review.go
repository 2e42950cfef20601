package teaching

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"lyceum/app"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
)

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
	Course     course.Summary
	Action     string      // path to which the form is posted again
	Editable   bool        // whether the form can be shown again with its values
	Fields     []formField // of the form
	Changes    []changeData
	Linked     bool // whether the activity is a video that pages cannot play, only link to
	Absent     bool // whether the activity is a video without an address
	KeyChanged bool // whether other choices of a question are correct than before
	Same       bool // whether the plan changes nothing
	Rescored   int  // number of quizzes whose scores are computed again
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
func (x *siteRequest) review(c course.Summary, s structure.Structure, p structure.Plan, again func(problems ...string) error) error {
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
		KeyChanged: changesKey(s, result.Revision),
	}
	if form.Has("video_url") {
		address := strings.TrimSpace(form.Get("video_url"))
		d.Linked, d.Absent = x.isLinked(address), address == ""
	}
	for name, values := range form {
		for _, value := range values {
			d.Fields = append(d.Fields, formField{name, value})
		}
	}
	slices.SortFunc(d.Fields, func(a, b formField) int { return slices.Compare([]string{a.Name, a.Value}, []string{b.Name, b.Value}) })
	return x.render(http.StatusOK, "review", d)
}

// changesKey reports whether a revision changes which choices of a question are correct.
func changesKey(was structure.Structure, r structure.Revision) bool {
	for _, q := range r.ChangedQuizzes {
		before := map[string][]string{}
		for _, question := range was.Quizzes[q.State().ID].Questions {
			before[question.Key] = correctChoices(question)
		}
		for _, question := range q.State().Questions {
			if key, ok := before[question.Key]; ok && !slices.Equal(key, correctChoices(question)) {
				return true
			}
		}
	}
	return false
}

// correctChoices returns the texts of the correct choices of a question, sorted.
func correctChoices(q quiz.Question) []string {
	var texts []string
	for _, c := range q.Choices {
		if c.Correct {
			texts = append(texts, c.Text)
		}
	}
	slices.Sort(texts)
	return texts
}

// isLinked reports whether pages cannot play the video with the address, only link to it.
func (x *siteRequest) isLinked(address string) bool { return address != "" && !x.MayLoad(address) }

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

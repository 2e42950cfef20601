package teaching

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lyceum/domain/activity"
	"lyceum/domain/course"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
)

// activityForm is the data of the form that adds or changes an activity.
type activityForm struct {
	Basis            basis
	Course           course.Summary
	Key              string // blank: a new activity
	Kind             string
	Title, Text      string
	VideoURL, Length string // of a video; the length is minutes:seconds
	Linked           bool   // whether pages cannot play the video, only link to it
	Questions        []questionForm
}

type questionForm struct {
	Number, Index int // Number starts at 1, Index at 0
	Key, Text     string
	New           bool // whether the person has just asked for the question
	Choices       []choiceForm
}

// Control returns the name of the field with the text of the question.
func (q questionForm) Control() string { return "q" + strconv.Itoa(q.Index) }

type choiceForm struct {
	Number, Index int
	Text          string
	Correct       bool
}

// newChoices is the number of choices that a question has at least, and blankChoices the number of
// blank choices after those of an existing question.
const newChoices, blankChoices = 4, 1

// maxFormChoices is the maximum number of choices of a quiz that has a form. The form of a larger quiz
// would take long to render, and browsers would show it slowly.
const maxFormChoices = 2500

// choices returns the number of choices of all questions.
func (f activityForm) choices() (n int) {
	for _, q := range f.Questions {
		n += len(q.Choices)
	}
	return n
}

func (x *siteRequest) renderActivityForm(f activityForm, problems ...string) error {
	if n := f.choices(); n > maxFormChoices {
		text := x.t("This quiz has %d choices, and a form shows at most %d. Change it with the API: PUT /v2/courses/:id/structure.")
		return x.render(http.StatusUnprocessableEntity, "refusal", refusal{x.t("The quiz is too large for a form"), fmt.Sprintf(text, n, maxFormChoices)})
	}
	status := http.StatusOK
	if len(problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	f.addBlanks()
	f.Linked = x.isLinked(f.VideoURL)
	x.keepForBack()
	return x.render(status, "activity-form", f, problems...)
}

// addBlanks adds a blank question to a quiz without questions, adds blank choices to all questions,
// and numbers both.
func (f *activityForm) addBlanks() {
	if f.Kind == "quiz" && len(f.Questions) == 0 {
		f.Questions = []questionForm{{}}
	}
	for i := range f.Questions {
		q := &f.Questions[i]
		q.Number, q.Index = i+1, i
		for blank := 0; len(q.Choices) < newChoices || blank < blankChoices && len(q.Choices) < quiz.MaxChoices; blank++ {
			q.Choices = append(q.Choices, choiceForm{})
		}
		for j := range q.Choices {
			q.Choices[j].Number, q.Choices[j].Index = j+1, j
		}
	}
}

func newActivityForm(x *siteRequest) error {
	c, err := x.course()
	if err != nil {
		return err
	}
	kind := x.r.URL.Query().Get("kind")
	if !slices.Contains(kinds, kind) {
		return errNotFound
	}
	return x.renderActivityForm(activityForm{Course: c, Kind: kind})
}

func editActivityForm(x *siteRequest) error {
	c, s, err := x.structure()
	if err != nil {
		return err
	}
	i := indexOf(s, x.r.PathValue("activity"))
	if i < 0 {
		return errNotFound
	}
	return x.renderActivityForm(storedActivityForm(c, s, i))
}

// storedActivityForm returns the form that changes the activity with the index i, with the stored
// values.
func storedActivityForm(c course.Summary, s structure.Structure, i int) activityForm {
	a := s.Activities[i]
	f := activityForm{Course: c, Key: a.Key, Kind: a.Content.Kind.String(), Title: a.Title, Text: a.Content.Text, VideoURL: a.Content.VideoURL}
	if a.Content.Kind == activity.Video {
		seconds := int(a.Content.Duration.Seconds())
		f.Length = fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
	}
	for _, q := range s.Quizzes[a.Content.Quiz].Questions {
		one := questionForm{Key: q.Key, Text: q.Text}
		for _, c := range q.Choices {
			one.Choices = append(one.Choices, choiceForm{Text: c.Text, Correct: c.Correct})
		}
		f.Questions = append(f.Questions, one)
	}
	f.Basis.Version = versionOf(f.Title, f.Text, f.VideoURL, f.Length, f.Questions)
	return f
}

// shown returns the values of the form.
func (f activityForm) shown(x *siteRequest) []shownValue {
	values := []shownValue{{x.t("Title"), f.Title}}
	if f.Kind == "video" {
		values = append(values, shownValue{x.t("Address of the video (https)"), f.VideoURL}, shownValue{x.t("Length (minutes:seconds)"), f.Length})
	}
	values = append(values, shownValue{x.t("Text (Markdown)"), f.Text})
	for i, q := range f.Questions {
		lines := []string{q.Text}
		for _, c := range q.Choices {
			if c.Correct {
				lines = append(lines, "- "+c.Text+" ("+x.t("correct")+")")
			} else {
				lines = append(lines, "- "+c.Text)
			}
		}
		values = append(values, shownValue{x.t("Question") + " " + itoa(i+1), strings.Join(lines, "\n")})
	}
	return values
}

// saveActivity adds an activity to a course, or changes the activity in the path.
func saveActivity(x *siteRequest) error {
	c, s, err := x.structure()
	if err != nil {
		return err
	}
	form, err := x.form()
	if err != nil {
		return err
	}
	p, i := planOf(s), len(s.Activities)
	f := activityFormOf(form)
	f.Course, f.Key, f.Basis.Version = c, x.r.PathValue("activity"), form.Get(versionField)
	removed := false
	if f.Key != "" {
		if i = indexOf(s, f.Key); i >= 0 {
			f.Kind = s.Activities[i].Content.Kind.String()
		} else if removed = f.Basis.Version != ""; !removed {
			return errNotFound
		}
	}
	if !slices.Contains(kinds, f.Kind) {
		return errNotFound
	}
	if removed {
		f.renew()
		return x.renderActivityForm(f, x.t("This activity was removed after you opened the form. If you save it, it is added again as a new activity."))
	}
	if form.Has("more") { // another question is wanted
		f.Questions = append(f.Questions, questionForm{New: true})
		return x.renderActivityForm(f)
	}
	if form.Has("edit") { // the form was reviewed and is not complete
		return x.renderActivityForm(f)
	}
	again := func(problems ...string) error { return x.renderActivityForm(f, problems...) }
	if f.Key != "" {
		stored := storedActivityForm(c, s, i)
		if err := unchanged(form, func(f activityForm) string { return f.Basis.Version })(stored); err != nil {
			path := "/courses/" + c.Permalink + "/builder/" + f.Key
			f.Basis = staleBasis(stored.Basis.Version, path, stored.shown(x), f.shown(x))
			return x.settle(err, "", again)
		}
	}
	plan, err := f.plan(s)
	if err != nil {
		return x.settle(err, "", again)
	}
	if f.Key == "" {
		p.Activities = slices.Insert(p.Activities, i, plan)
	} else {
		p.Activities[i] = plan
	}
	return x.review(c, s, p, again)
}

// renew makes f the form of a new activity.
func (f *activityForm) renew() {
	f.Key, f.Basis = "", basis{}
	for i := range f.Questions {
		f.Questions[i].Key = ""
	}
}

// activityFormOf reads a form. It ignores blank questions and blank choices.
func activityFormOf(form url.Values) activityForm {
	f := activityForm{
		Kind: form.Get("kind"), Title: form.Get("title"), Text: strings.ReplaceAll(form.Get("text"), "\r\n", "\n"),
		VideoURL: strings.TrimSpace(form.Get("video_url")), Length: strings.TrimSpace(form.Get("length")),
	}
	for i := range quiz.MaxQuestions {
		prefix := "q" + strconv.Itoa(i)
		if _, ok := form[prefix]; !ok {
			break
		}
		q := questionForm{Key: form.Get(prefix + "key"), Text: strings.ReplaceAll(form.Get(prefix), "\r\n", "\n")}
		for j := range quiz.MaxChoices {
			name := prefix + "c" + strconv.Itoa(j)
			if words := strings.TrimSpace(form.Get(name)); words != "" {
				q.Choices = append(q.Choices, choiceForm{Text: words, Correct: form.Get(name+"correct") != ""})
			}
		}
		if strings.TrimSpace(q.Text) != "" || len(q.Choices) > 0 {
			f.Questions = append(f.Questions, q)
		}
	}
	return f
}

package teaching

import (
	"context"
	"net/http"

	"github.com/google/uuid"
	"lyceum/adapters/web"
	"lyceum/domain/activity"
	"lyceum/domain/analytics"
	"lyceum/domain/assignment"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/submission"
	"lyceum/domain/text"
)

// resultsData is the data of the list of quiz scores.
type resultsData struct{ List listPage[analytics.QuizScore] }

func results(x *siteRequest) error {
	list, err := listPageOf(x, listing[analytics.QuizScore]{
		name: "scores", schema: analytics.ScoreSchema,
		list: func(ctx context.Context, q query.Query) (query.Result[analytics.QuizScore], error) {
			return x.site.app.Scores(ctx, x.staff, q)
		},
		sorts: []sorting{{"-last_question_answered_at", "Newest first"}, {"percent_correct", "Fewest correct first"}, {"-percent_correct", "Most correct first"}},
	})
	if err != nil {
		return err
	}
	return x.render(http.StatusOK, "results", resultsData{list})
}

// answersData is the data of a list of answers.
type answersData struct {
	Title  string // translated; names the person and the activity whose answers are shown
	Person string // path of the page of the person; blank: several people
	Quiz   string // path of the page of the quiz; blank: several quizzes
	List   listPage[analytics.RawAnswer]
}

func answers(x *siteRequest) error {
	list, err := x.answersOf(nil, "answers")
	if err != nil {
		return err
	}
	d := answersData{Title: x.t("Answers of all learners"), List: list}
	if list.Narrowed {
		d.Title = x.t("Answers")
	}
	var name, title string
	if of, ok := list.only("person.id"); ok {
		p, err := x.site.app.Person(x.r.Context(), x.staff, person.ID{UUID: of})
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		if err == nil {
			name, d.Person = displayName(p), "/people/"+of.String()
			d.Title = x.tf("Answers of %s", name)
		}
	}
	if of, ok := list.only("activity.id"); ok {
		found, err := x.site.app.Activities(x.r.Context(), x.staff, query.Query{
			Where: query.HasID(activity.Schema.Attr("uuid"), of), Page: query.NewPage(1, 1),
		})
		if err != nil {
			return err
		}
		if len(found.Items) > 0 {
			title, d.Quiz = found.Items[0].Title, "/quizzes/"+found.Items[0].Content.Quiz.String()
			d.Title = x.tf("Answers to %s", title)
		}
	}
	if name != "" && title != "" {
		d.Title = x.tf("Answers of %[1]s to %[2]s", name, title)
	}
	return x.render(http.StatusOK, "answers", d)
}

// only returns the ID to which a filter of the address restricts the list, and whether there is such
// a filter.
func (p listPage[T]) only(attribute string) (uuid.UUID, bool) {
	for _, f := range p.Filters {
		if f.Name == "filter["+attribute+"]" || f.Name == "filter["+attribute+"][eq]" {
			return text.UUID(f.Value)
		}
	}
	return uuid.UUID{}, false
}

func (x *siteRequest) answersOf(where query.Expr, name string) (listPage[analytics.RawAnswer], error) {
	return listPageOf(x, listing[analytics.RawAnswer]{
		name: name, schema: analytics.AnswerSchema, where: where,
		list: func(ctx context.Context, q query.Query) (query.Result[analytics.RawAnswer], error) {
			return x.site.app.Answers(ctx, x.staff, q)
		},
		sorts: []sorting{{"-date_answered", "Newest first"}, {"marked_correct", "Wrong answers first"}},
	})
}

// quizData is the data of the page of a quiz.
type quizData struct {
	Quiz quiz.Summary
	Used usages // activities that use the quiz
	List listPage[analytics.RawAnswer]
}

// usages contains the first activities that use a quiz or an assignment.
type usages struct {
	First []usage
	More  bool // whether there are others
}

// usage is an activity that uses a quiz or an assignment.
type usage struct {
	activity.State
	CourseName string
}

func (x *siteRequest) quiz() (quiz.Summary, usages, error) {
	of, err := x.id("quiz")
	if err != nil {
		return quiz.Summary{}, usages{}, err
	}
	q, used, err := x.site.app.Quiz(x.r.Context(), x.staff, quiz.ID{UUID: of})
	if err != nil {
		return q, usages{}, err
	}
	named, err := x.usages(used)
	return q, named, err
}

// usages adds the names of courses to activities.
func (x *siteRequest) usages(used query.Result[activity.State]) (usages, error) {
	ids := make([]course.ID, len(used.Items))
	for i, a := range used.Items {
		ids[i] = a.Course
	}
	names, err := x.site.app.CourseNames(x.r.Context(), x.staff, ids)
	named := usages{First: make([]usage, len(used.Items)), More: used.More}
	for i, a := range used.Items {
		named.First[i] = usage{a, names[a.Course]}
	}
	return named, err
}

func showQuiz(x *siteRequest) error {
	q, used, err := x.quiz()
	if err != nil {
		return err
	}
	where := query.HasID(analytics.AnswerSchema.Attr("quiz.id"), q.ID.UUID)
	list, err := x.answersOf(where, "answers:"+q.ID.String())
	if err != nil {
		return err
	}
	return x.render(http.StatusOK, "quiz", quizData{q, used, list})
}

// buildQuiz redirects to the form of the activity that uses the quiz. If there is none, or more
// than one, it redirects to the page of the quiz, which lists the activities.
func buildQuiz(x *siteRequest) error {
	q, used, err := x.quiz()
	if err != nil {
		return err
	}
	if first := used.First; len(first) == 1 && !first[0].Archived() {
		return x.redirect("/courses/" + first[0].Course.String() + "/builder/" + first[0].Key)
	}
	return x.redirect("/quizzes/" + q.ID.String())
}

// submissionsData is the data of a list of submissions.
type submissionsData struct {
	Title string // translated
	Used  usages
	List  listPage[submission.Summary]
}

func submissions(x *siteRequest) error {
	return x.renderSubmissions(submissionsData{Title: x.t("Submissions")}, nil, "submissions")
}

func (x *siteRequest) renderSubmissions(d submissionsData, where query.Expr, name string) (err error) {
	d.List, err = listPageOf(x, listing[submission.Summary]{
		name: name, schema: submission.Schema, where: where,
		list: func(ctx context.Context, q query.Query) (query.Result[submission.Summary], error) {
			return x.site.app.Submissions(ctx, x.staff, q)
		},
		sorts: []sorting{{"-created_at", "Newest first"}, {"created_at", "Oldest first"}},
	})
	if err != nil {
		return err
	}
	return x.render(http.StatusOK, "submissions", d)
}

func showAssignment(x *siteRequest) error {
	of, err := x.id("assignment")
	if err != nil {
		return err
	}
	a, used, err := x.site.app.Assignment(x.r.Context(), x.staff, assignment.ID{UUID: of})
	if err != nil {
		return err
	}
	d := submissionsData{Title: a.Title}
	if d.Used, err = x.usages(used); err != nil {
		return err
	}
	return x.renderSubmissions(d, query.HasID(submission.Schema.Attr("assignment.id"), of), "submissions:"+of.String())
}

// downloadFile sends the file of a submission. Browsers save it and do not show it.
func downloadFile(x *siteRequest) error {
	of, err := x.id("submission")
	if err != nil {
		return err
	}
	file, err := x.site.app.File(x.r.Context(), x.staff, submission.ID{UUID: of})
	if err != nil {
		return err
	}
	defer func() { _ = file.Bytes.Close() }() // the file was only read, so the error does not matter
	web.ServeDownload(x.w, x.r, file.File.Name, file.Bytes)
	return nil
}

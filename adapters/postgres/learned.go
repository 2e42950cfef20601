package postgres

import (
	"maps"

	"lyceum/adapters/postgres/listsql"
)

// What the lists of what learners do have in common.
var (
	ofLearner = map[string]listsql.Column{
		"person.id":    {Expr: "r.person_id"},
		"course.id":    {Expr: "r.course_id"},
		"person_name":  ofPerson.Text("full_name"),
		"person_email": ofPerson.Text("email"),
		"course_name":  ofCourse.Text("name"),
	}
	inActivity = map[string]listsql.Column{
		"activity.id":    {Expr: "r.activity_id"},
		"activity_title": ofActivity.Text("title"),
	}
	inQuiz = map[string]listsql.Column{
		"quiz.id":   {Expr: "r.quiz_id"},
		"quiz_name": ofQuiz.Text("name"),
	}
	ofRun = map[string]listsql.Column{
		"course_attempt_number": {Expr: "r.course_number"},
		"percent_correct":       listsql.PercentOf("r.correct", "r.answered"),
		"progress":              listsql.PercentOf("r.answered", "r.total"),
		"questions_completed":   listsql.RatioText("r.answered", "r.total"),
	}
)

// columns returns the columns of all groups; of one name, the last.
func columns(groups ...map[string]listsql.Column) map[string]listsql.Column {
	all := map[string]listsql.Column{}
	for _, g := range groups {
		maps.Copy(all, g)
	}
	return all
}

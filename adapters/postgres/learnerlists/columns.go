package learnerlists

import (
	"maps"

	"lyceum/adapters/postgres/listsql"
)

// LearnerAttrs and the following variables contain the columns of attributes that several lists of
// learner data share.
var (
	LearnerAttrs = map[string]listsql.Column{
		"person.id":    {Expr: "r.person_id"},
		"course.id":    {Expr: "r.course_id"},
		"person_name":  JoinPerson.Text("full_name"),
		"person_email": JoinPerson.Text("email"),
		"course_name":  JoinCourse.Text("name"),
	}
	ActivityAttrs = map[string]listsql.Column{
		"activity.id":    {Expr: "r.activity_id"},
		"activity_title": JoinActivity.Text("title"),
	}
	QuizAttrs = map[string]listsql.Column{
		"quiz.id":   {Expr: "r.quiz_id"},
		"quiz_name": JoinQuiz.Text("name"),
	}
	QuizAttemptAttrs = map[string]listsql.Column{
		"course_attempt_number": {Expr: "r.course_number"},
		"percent_correct":       listsql.PercentOf("r.correct", "r.answered"),
		"progress":              listsql.PercentOf("r.answered", "r.total"),
		"questions_completed":   listsql.RatioText("r.answered", "r.total"),
	}
)

// Columns merges groups of columns. A later group overrides an earlier one.
func Columns(groups ...map[string]listsql.Column) map[string]listsql.Column {
	all := map[string]listsql.Column{}
	for _, g := range groups {
		maps.Copy(all, g)
	}
	return all
}

// These are the tables that the lists of learner data join.
var (
	JoinPerson     = &listsql.Join{Table: "people", Alias: "p", Key: "id", Ref: "person_id"}
	JoinCourse     = &listsql.Join{Table: "courses", Alias: "c", Key: "id", Ref: "course_id"}
	JoinActivity   = &listsql.Join{Table: "activities", Alias: "a", Key: "id", Ref: "activity_id"}
	JoinAssignment = &listsql.Join{Table: "assignments", Alias: "w", Key: "id", Ref: "assignment_id"}
	JoinQuiz       = &listsql.Join{Table: "quizzes", Alias: "z", Key: "id", Ref: "quiz_id"}
	joinQuestion   = &listsql.Join{Table: "quiz_questions", Alias: "n", Key: "quiz_id", Ref: "quiz_id", Also: " AND n.id = r.question_id"}
)

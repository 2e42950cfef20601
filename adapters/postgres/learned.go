package postgres

import "maps"

// What the lists of what learners do have in common.
var (
	ofLearner = map[string]column{
		"person.id":    {expr: "r.person_id"},
		"course.id":    {expr: "r.course_id"},
		"person_name":  ofPerson.text("full_name"),
		"person_email": ofPerson.text("email"),
		"course_name":  ofCourse.text("name"),
	}
	inActivity = map[string]column{
		"activity.id":    {expr: "r.activity_id"},
		"activity_title": ofActivity.text("title"),
	}
	inQuiz = map[string]column{
		"quiz.id":   {expr: "r.quiz_id"},
		"quiz_name": ofQuiz.text("name"),
	}
	ofRun = map[string]column{
		"course_attempt_number": {expr: "r.course_number"},
		"percent_correct":       percentOf("r.correct", "r.answered"),
		"progress":              percentOf("r.answered", "r.total"),
		"questions_completed":   ratioText("r.answered", "r.total"),
	}
)

// columns returns the columns of all groups; of one name, the last.
func columns(groups ...map[string]column) map[string]column {
	all := map[string]column{}
	for _, g := range groups {
		maps.Copy(all, g)
	}
	return all
}

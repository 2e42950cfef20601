package postgres

// The tables that lists of learning look at.
var (
	ofPerson     = &other{table: "people", alias: "p", key: "id", ref: "person_id"}
	ofCourse     = &other{table: "courses", alias: "c", key: "id", ref: "course_id"}
	ofActivity   = &other{table: "activities", alias: "a", key: "id", ref: "activity_id"}
	ofAssignment = &other{table: "assignments", alias: "w", key: "id", ref: "assignment_id"}
	ofQuiz       = &other{table: "quizzes", alias: "z", key: "id", ref: "quiz_id"}
	ofQuestion   = &other{table: "quiz_questions", alias: "n", key: "quiz_id", ref: "quiz_id", also: " AND n.id = r.question_id"}
)

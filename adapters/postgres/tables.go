package postgres

import "lyceum/adapters/postgres/listsql"

// The tables that lists of learning look at.
var (
	ofPerson     = &listsql.Join{Table: "people", Alias: "p", Key: "id", Ref: "person_id"}
	ofCourse     = &listsql.Join{Table: "courses", Alias: "c", Key: "id", Ref: "course_id"}
	ofActivity   = &listsql.Join{Table: "activities", Alias: "a", Key: "id", Ref: "activity_id"}
	ofAssignment = &listsql.Join{Table: "assignments", Alias: "w", Key: "id", Ref: "assignment_id"}
	ofQuiz       = &listsql.Join{Table: "quizzes", Alias: "z", Key: "id", Ref: "quiz_id"}
	ofQuestion   = &listsql.Join{Table: "quiz_questions", Alias: "n", Key: "quiz_id", Ref: "quiz_id", Also: " AND n.id = r.question_id"}
)

package quiz

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/course"
	"lyceum/domain/query"
)

// Schema defines the attributes by which lists of quizzes are filtered, searched and sorted.
var Schema = query.Define(
	query.UUIDField("uuid", func(q *Summary) uuid.UUID { return q.ID.UUID }),
	query.TextField("name", func(q *Summary) string { return q.Name }).Searched(),
	query.TimeField("created_at", func(q *Summary) time.Time { return q.CreatedAt }),
	query.UUIDsField("activities.id", func(q *Summary) []course.ActivityID { return q.Activities }),
).OrderBy("name")

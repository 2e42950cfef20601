package activity

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/query"
)

// Schema defines the attributes by which lists of activities are filtered, searched and sorted.
var Schema = query.Define(
	query.UUIDField("uuid", func(a *State) uuid.UUID { return a.ID.UUID }),
	query.TextField("title", func(a *State) string { return a.Title }).Searched(),
	query.UUIDField("course.id", func(a *State) uuid.UUID { return a.Course.UUID }),
	query.OptionalUUID("quiz.id", func(a *State) *uuid.UUID { return optionalID(a.Content.Quiz.UUID) }).Hidden(),
	query.OptionalUUID("assignment.id", func(a *State) *uuid.UUID { return optionalID(a.Content.Assignment.UUID) }).Hidden(),
	query.OptionalTime("archived_at", func(a *State) *time.Time { return a.ArchivedAt }).Hidden(),
	query.DerivedBoolean[State]("archived", query.Where("archived_at", query.Null, query.Value{Bool: false})).Hidden(),
	query.IntegerField("position", func(a *State) int64 { return int64(a.Position) }).Hidden(),
	query.TimeField("created_at", func(a *State) time.Time { return a.CreatedAt }).Hidden(),
).OrderBy("title")

func optionalID(id uuid.UUID) *uuid.UUID {
	if id == uuid.Nil {
		return nil
	}
	return &id
}

package httpapi

import (
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/app"
	"lyceum/domain/school"
)

// toMany returns the relationship to the records of one type with these IDs.
func toMany[ID request.RecordID](typ string, ids []ID) jsonapi.ToMany {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = struct{ uuid.UUID }(id).String()
	}
	return jsonapi.Many(typ, texts...)
}

// schoolRelationship returns the relationship to the actor's school, the school of every
// record that the actor can read.
func schoolRelationship(a app.Actor) jsonapi.ToOne {
	return jsonapi.One(school.Type, a.School().String())
}

// timestamp is jsonapi.Timestamp.
func timestamp(t time.Time) string { return jsonapi.Timestamp(t) }

// optionalTimestamp returns the timestamp of t; nil (null) if t is nil.
func optionalTimestamp(t *time.Time) *string {
	if t == nil {
		return nil
	}
	s := timestamp(*t)
	return &s
}

// date returns the UTC date of t.
func date(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// optionalDate returns the date of t; nil (null) if t is nil.
func optionalDate(t *time.Time) *string {
	if t == nil {
		return nil
	}
	s := date(*t)
	return &s
}

// selfLink contains the links of a resource that has only a self link.
type selfLink struct {
	Self string `json:"self"`
}

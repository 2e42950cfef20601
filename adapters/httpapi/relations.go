package httpapi

import (
	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/app"
	"lyceum/domain/school"
)

// many returns the relationship to the records ids of one type.
func many[ID request.RecordID](typ string, ids []ID) jsonapi.ToMany {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = struct{ uuid.UUID }(id).String()
	}
	return jsonapi.Many(typ, texts...)
}

// schoolOf returns the relationship to the actor's school, which is that of
// every record that the actor sees.
func schoolOf(a app.Actor) jsonapi.ToOne { return jsonapi.One(school.Type, a.School().String()) }

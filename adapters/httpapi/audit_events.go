package httpapi

import (
	"strconv"

	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/lists"
	"lyceum/app"
	"lyceum/domain/audit"
)

func (s *server) listAuditEvents() handler {
	return list(s, lists.Listing[audit.Event]{Schema: audit.Schema, List: s.app.Audit.List, ToResource: auditResource})
}

// auditAttributes has no relationships, because the records may have been deleted.
type auditAttributes struct {
	Action     string  `json:"action"`
	OccurredAt string  `json:"occurred_at"`
	RecordType string  `json:"record_type"`
	RecordID   string  `json:"record_id"`
	ActorType  string  `json:"actor_type"`
	ActorID    *string `json:"actor_id"`
	PersonID   *string `json:"person_id"`
	RequestID  *string `json:"request_id"`
	Address    *string `json:"address"`
}

func auditResource(_ app.Actor, e audit.Event) jsonapi.Resource {
	return jsonapi.Resource{
		Type: audit.Type,
		ID:   strconv.FormatInt(e.Position, 10),
		Attributes: auditAttributes{
			Action: string(e.Action), OccurredAt: timestamp(e.At), RecordType: e.Record.Type, RecordID: e.Record.ID,
			ActorType: e.Type.String(), ActorID: optionalID(e.Actor.ID), PersonID: optionalID(e.Person.UUID),
			RequestID: optionalText(e.Request), Address: optionalText(e.Address),
		},
	}
}

// optionalID returns the text of id; nil for zero.
func optionalID(id uuid.UUID) *string {
	if id == uuid.Nil {
		return nil
	}
	return optionalText(id.String())
}

// optionalText returns text; nil if it is blank.
func optionalText(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

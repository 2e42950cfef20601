package httpapi

import (
	"context"
	"strconv"

	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/listquery"
	"lyceum/adapters/httpapi/lists"
	"lyceum/adapters/httpapi/respond"
	"lyceum/adapters/limiter"
	"lyceum/app"
	"lyceum/domain/change"
)

// recordTypes contains the types of the records in the change feed.
var recordTypes = change.Types()

func (s *server) listChanges() handler {
	return list(s, lists.Listing[change.Change]{
		Schema: change.Schema, List: s.app.Changes.List, ToResource: changeResource, Feed: &lists.Feed[change.Change]{
			State:    s.app.Changes.Feed,
			At:       func(position int64) change.Change { return change.Change{Position: position} },
			Position: func(c change.Change) int64 { return c.Position },
		},
	})
}

type changeAttributes struct {
	Action    string `json:"action"`
	ChangedAt string `json:"changed_at"`
}

type changeRelationships struct {
	Record jsonapi.ToOne `json:"record"`
}

func changeResource(_ app.Actor, c change.Change) jsonapi.Resource {
	return jsonapi.Resource{
		Type:          change.Type,
		ID:            strconv.FormatInt(c.Position, 10),
		Attributes:    changeAttributes{Action: string(c.Action), ChangedAt: timestamp(c.At)},
		Relationships: changeRelationships{Record: jsonapi.One(c.Record.Type, c.Record.ID)},
	}
}

// ChangeDocument returns the document of a change and the current record, with the same resources as
// GET /v2/changes with include=record. Documents of a school are written by turns while another school
// is active.
func (a *API) ChangeDocument(ctx context.Context, by app.Actor, c change.Change) ([]byte, error) {
	o := limiter.Origin{School: by.School().UUID, Passive: true}
	slot, err := a.lanes.Enter(ctx, a.lanes.Messages, o, limits.TooManyRequests)
	if err != nil {
		return nil, err
	}
	defer slot.Release()
	return a.v2.changeDocument(ctx, by, c)
}

func (s *server) changeDocument(ctx context.Context, a app.Actor, c change.Change) ([]byte, error) {
	r := changeResource(a, c)
	asked := listquery.Selection{Include: [][]string{{lists.Record}}}
	sel, err := s.lists.NewSelection(asked, func() jsonapi.Resource { return r })
	if err != nil {
		return nil, err
	}
	data, included, err := sel.Apply(ctx, a, []jsonapi.Resource{r})
	if err != nil {
		return nil, err
	}
	return respond.Encode(jsonapi.Single{Data: data[0], Included: included})
}

package httpapi

import (
	"context"

	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/listquery"
	"lyceum/adapters/httpapi/lists"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/change"
)

// ChangeDocument returns the document of a change and the current record, with the same resources as
// GET /v2/changes with include=record.
func (a *API) ChangeDocument(ctx context.Context, by app.Actor, c change.Change) ([]byte, error) {
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

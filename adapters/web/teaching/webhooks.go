package teaching

import (
	"context"
	"net/http"
	"net/url"

	"lyceum/domain/query"
	"lyceum/domain/webhook"
)

// webhooksData is the data of the list of webhook endpoints.
type webhooksData struct {
	List listPage[webhook.Endpoint]
	Form endpointForm // of a new endpoint
}

// webhookData is the data of the page of a webhook endpoint.
type webhookData struct {
	Endpoint webhook.Endpoint
	Form     endpointForm
	Basis    basis  // of the form
	Secret   string // that was just made; blank: none
	After    string // position in the form that replays messages
	Listed   bool   // whether the page shows the deliveries
	List     listPage[webhook.Delivery]
	Statuses []statusChoice // by which the deliveries can be filtered
}

type statusChoice struct {
	Value  string
	Chosen bool
}

func webhooks(x *siteRequest) error {
	return x.renderWebhooks(http.StatusOK, newEndpointForm("", "", []string{webhook.AllTypes}))
}

func (x *siteRequest) renderWebhooks(status int, f endpointForm, problems ...string) error {
	list, err := listPageOf(x, listing[webhook.Endpoint]{
		name: "webhooks", schema: webhook.Schema,
		list: func(ctx context.Context, q query.Query) (query.Result[webhook.Endpoint], error) {
			return x.site.app.Webhooks(ctx, x.staff, q)
		},
		sorts: []sorting{{"-created_at", "Newest first"}},
	})
	if err != nil {
		return err
	}
	return x.render(status, "webhooks", webhooksData{list, f}, problems...)
}

// createWebhook adds an endpoint and shows its secret, which cannot be shown again.
func createWebhook(x *siteRequest) error {
	f, c, err := x.readEndpointForm()
	if err != nil {
		return err
	}
	made, secret, err := x.site.app.CreateWebhook(x.r.Context(), x.staff, x.sentForm(), c)
	if refused, ok := x.reasons(err); ok {
		return x.renderWebhooks(http.StatusUnprocessableEntity, f, refused...)
	}
	if err != nil {
		return err
	}
	return x.renderWebhook(http.StatusOK, webhookData{Endpoint: made, Secret: secret})
}

// endpoint returns the endpoint in the path.
func (x *siteRequest) endpoint() (webhook.Endpoint, error) {
	of, err := x.id("endpoint")
	if err != nil {
		return webhook.Endpoint{}, err
	}
	return x.site.app.Webhook(x.r.Context(), x.staff, webhook.ID{UUID: of})
}

func endpointPath(id webhook.ID) string { return "/webhooks/" + id.String() }

func showWebhook(x *siteRequest) error {
	e, err := x.endpoint()
	if err != nil {
		return err
	}
	return x.renderWebhook(http.StatusOK, webhookData{Endpoint: e})
}

// renderWebhook shows an endpoint. If d has no form, the form has the attributes of the endpoint.
// The page shows the deliveries only if it was requested by its own address, to which the links of
// the list lead.
func (x *siteRequest) renderWebhook(status int, d webhookData, problems ...string) error {
	if d.Form.Types == nil {
		d.Form = newEndpointForm(d.Endpoint.URL, d.Endpoint.Description, d.Endpoint.Types)
		d.Basis.Version = endpointVersion(d.Endpoint)
	}
	if d.Listed = x.r.Method != http.MethodPost; !d.Listed {
		return x.render(status, "webhook", d, problems...)
	}
	var where query.Expr = query.HasID(webhook.DeliverySchema.Attr("endpoint.id"), d.Endpoint.ID.UUID)
	chosen := x.r.URL.Query().Get("status")
	if chosen != "" {
		where = query.And{where, query.Cond{Attr: webhook.DeliverySchema.Attr("status"), Op: query.Eq, Values: []query.Value{{Text: chosen, Fold: chosen}}}}
	}
	for _, status := range []webhook.Status{webhook.Pending, webhook.Succeeded, webhook.Failed} {
		d.Statuses = append(d.Statuses, statusChoice{string(status), string(status) == chosen})
	}
	var err error
	d.List, err = listPageOf(x, listing[webhook.Delivery]{
		name: "deliveries:" + d.Endpoint.ID.String(), schema: webhook.DeliverySchema, where: where,
		list: func(ctx context.Context, q query.Query) (query.Result[webhook.Delivery], error) {
			return x.site.app.Deliveries(ctx, x.staff, q)
		},
		sorts: []sorting{{"-created_at", "Newest first"}},
		keep:  map[string]bool{"status": true},
	})
	if err != nil {
		return err
	}
	return x.render(status, "webhook", d, problems...)
}

// changeWebhook applies a change to the endpoint in the path and returns to its page. If the change
// is refused, the page shows the reasons, with the data that show sets.
func (x *siteRequest) changeWebhook(change func(id webhook.ID, form url.Values) error, show func(d *webhookData, form url.Values)) error {
	e, err := x.endpoint()
	if err != nil {
		return err
	}
	form, err := x.form()
	if err != nil {
		return err
	}
	return x.settle(change(e.ID, form), endpointPath(e.ID), func(problems ...string) error {
		d := webhookData{Endpoint: e}
		if show != nil {
			show(&d, form)
		}
		return x.renderWebhook(http.StatusUnprocessableEntity, d, problems...)
	})
}

func enableWebhook(x *siteRequest) error {
	return x.changeWebhook(func(id webhook.ID, form url.Values) error {
		enabled := form.Get("enabled") == "true"
		_, err := x.site.app.UpdateWebhook(x.r.Context(), x.staff, id, webhook.Changes{Enabled: &enabled})
		return err
	}, nil)
}

func pingWebhook(x *siteRequest) error {
	return x.changeWebhook(func(id webhook.ID, _ url.Values) error { return x.site.app.PingWebhook(x.r.Context(), x.staff, id) }, nil)
}

func replayWebhook(x *siteRequest) error {
	return x.changeWebhook(func(id webhook.ID, form url.Values) error {
		return x.site.app.ReplayWebhook(x.r.Context(), x.staff, id, form.Get("after"))
	}, func(d *webhookData, form url.Values) { d.After = form.Get("after") })
}

func replayDelivery(x *siteRequest) error {
	of, err := x.id("delivery")
	if err != nil {
		return err
	}
	return x.changeWebhook(func(webhook.ID, url.Values) error {
		return x.site.app.ReplayDelivery(x.r.Context(), x.staff, webhook.DeliveryID{UUID: of})
	}, nil)
}

// rotateWebhook replaces the secret of an endpoint and shows the new one.
func rotateWebhook(x *siteRequest) error {
	e, err := x.endpoint()
	if err != nil {
		return err
	}
	if _, err := x.form(); err != nil {
		return err
	}
	rotated, secret, err := x.site.app.RotateWebhook(x.r.Context(), x.staff, x.sentForm(), e.ID)
	if refused, ok := x.reasons(err); ok {
		return x.renderWebhook(http.StatusUnprocessableEntity, webhookData{Endpoint: e}, refused...)
	}
	if err != nil {
		return err
	}
	return x.renderWebhook(http.StatusOK, webhookData{Endpoint: rotated, Secret: secret})
}

func (x *siteRequest) webhookRemoval() (confirmation, webhook.ID, error) {
	e, err := x.endpoint()
	return confirmation{
		Title: x.tf("Remove %s?", e.URL), Text: x.t("The webhook and the list of its messages are deleted. Nothing more is sent to it."),
		Action: endpointPath(e.ID) + "/remove", Button: x.t("Remove"), Back: endpointPath(e.ID),
	}, e.ID, err
}

func removeWebhookForm(x *siteRequest) error {
	c, _, err := x.webhookRemoval()
	if err != nil {
		return err
	}
	return x.confirm(c)
}

func removeWebhook(x *siteRequest) error {
	c, id, err := x.webhookRemoval()
	if err != nil {
		return err
	}
	err = x.site.app.DeleteWebhook(x.r.Context(), x.staff, id)
	return x.settle(err, "/webhooks", func(problems ...string) error { return x.confirm(c, problems...) })
}

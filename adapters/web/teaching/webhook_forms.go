package teaching

import (
	"net/http"
	"slices"
	"strings"

	"lyceum/domain/change"
	"lyceum/domain/webhook"
)

// endpointForm contains the fields of the form about an endpoint.
type endpointForm struct {
	URL, Description string
	Types            []typeChoice
}

// typeChoice is a type of records whose changes can be sent.
type typeChoice struct {
	Name   string
	Chosen bool
}

func newEndpointForm(address, description string, chosen []string) endpointForm {
	f := endpointForm{URL: address, Description: description}
	for _, name := range append([]string{webhook.AllTypes}, change.Types()...) {
		f.Types = append(f.Types, typeChoice{name, slices.Contains(chosen, name)})
	}
	return f
}

// readEndpointForm returns the form that was sent and the changes that it asks for.
func (x *siteRequest) readEndpointForm() (endpointForm, webhook.Changes, error) {
	form, err := x.form()
	if err != nil {
		return endpointForm{}, webhook.Changes{}, err
	}
	address, description, types := form.Get("url"), form.Get("description"), slices.Clone(form["type"])
	return newEndpointForm(address, description, types), webhook.Changes{URL: &address, Description: &description, Types: &types}, nil
}

func editWebhook(x *siteRequest) error {
	e, err := x.endpoint()
	if err != nil {
		return err
	}
	f, c, err := x.readEndpointForm()
	if err != nil {
		return err
	}
	c.Check = unchanged(x.r.PostForm, endpointVersion)
	_, err = x.site.app.UpdateWebhook(x.r.Context(), x.staff, e.ID, c)
	return x.settle(err, endpointPath(e.ID), func(problems ...string) error {
		d := webhookData{Endpoint: e, Form: f, Basis: basis{Version: x.r.PostForm.Get(versionField)}}
		if isStale(err) {
			if d.Endpoint, err = x.endpoint(); err != nil {
				return err
			}
			stored := newEndpointForm(d.Endpoint.URL, d.Endpoint.Description, d.Endpoint.Types)
			d.Basis = staleBasis(endpointVersion(d.Endpoint), endpointPath(e.ID), stored.shown(x), f.shown(x))
		}
		return x.renderWebhook(http.StatusUnprocessableEntity, d, problems...)
	})
}

func endpointVersion(e webhook.Endpoint) string { return versionOf(e.URL, e.Description, e.Types) }

// shown returns the values of the form.
func (f endpointForm) shown(x *siteRequest) []shownValue {
	var types []string
	for _, t := range f.Types {
		if t.Chosen {
			types = append(types, t.Name)
		}
	}
	return []shownValue{
		{x.t("Address (https)"), f.URL}, {x.t("Description"), f.Description}, {x.t("Records whose changes are sent"), strings.Join(types, ", ")},
	}
}

// Package client_test uses the Go client that oapi-codegen generates from /openapi.json against
// the demo school of a running server. generated.test.cjs generates the client and runs this test.
package client_test

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"testing"

	"github.com/matryer/is"

	"lyceum/generated/api"
)

func newClient(t *testing.T) *api.ClientWithResponses {
	t.Helper()
	authenticate := func(_ context.Context, r *http.Request) error {
		r.Header.Set("X-Api-Key", os.Getenv("LYCEUM_KEY"))
		return nil
	}
	client, err := api.NewClientWithResponses(os.Getenv("LYCEUM_URL"), api.WithRequestEditorFn(authenticate))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestCreate(t *testing.T) {
	is, client := is.New(t), newClient(t)
	var body api.CreatePersonV2JSONRequestBody
	body.Data.Attributes.Email = "generated.go@example.test"
	key := "create generated.go"
	params := &api.CreatePersonV2Params{IdempotencyKey: &key}

	created, err := client.CreatePersonV2WithResponse(t.Context(), params, body)
	is.NoErr(err)
	is.True(created.JSON201 != nil) // the response has a typed person
	is.Equal(string(created.JSON201.Data.Attributes.Email), "generated.go@example.test")
	again, err := client.CreatePersonV2WithResponse(t.Context(), params, body)
	is.NoErr(err)
	is.Equal(again.JSON201.Data.Id, created.JSON201.Data.Id) // this is the recorded response

	read, err := client.GetPersonV2WithResponse(t.Context(), created.JSON201.Data.Id, nil)
	is.NoErr(err)
	is.Equal(read.JSON200.Data.Attributes, created.JSON201.Data.Attributes)
}

func TestNestedFilter(t *testing.T) {
	is, client := is.New(t), newClient(t)
	emails := func(filter api.Filter) (found []string) {
		limit := 1000
		list, err := client.ListPeopleV2WithResponse(t.Context(), &api.ListPeopleV2Params{Filter: &filter, Limit: &limit})
		is.NoErr(err)
		is.True(list.JSON200 != nil)
		for _, person := range list.JSON200.Data {
			found = append(found, string(person.Attributes.Email))
		}
		return found
	}
	all := emails(api.Filter{})
	is.True(len(all) > 2)
	equal := func(email string) map[string]any { return map[string]any{"email": map[string]any{"eq": email}} }
	is.Equal(emails(equal(all[0])), all[:1])
	is.Equal(emails(api.Filter{"email": map[string]any{"start": all[1]}}), all[1:2])
	is.Equal(emails(api.Filter{"or": []any{equal(all[0]), equal(all[1])}}), all[:2])
}

func TestPages(t *testing.T) {
	is, client := is.New(t), newClient(t)
	limit, filter := 3, api.Filter{"email": map[string]any{"cont": "e"}}
	follow := func(link string) api.RequestEditorFn {
		return func(_ context.Context, r *http.Request) (err error) {
			r.URL, err = url.Parse(link)
			return err
		}
	}
	params := &api.ListPeopleV2Params{Limit: &limit, Filter: &filter}
	page, err := client.ListPeopleV2WithResponse(t.Context(), params)
	is.NoErr(err)
	ids, pages := map[api.UUID]bool{}, 1
	for ; ; pages++ {
		for _, person := range page.JSON200.Data {
			is.True(!ids[person.Id]) // no person is listed twice
			ids[person.Id] = true
		}
		next := page.JSON200.Links.Next
		if next == nil {
			break
		}
		page, err = client.ListPeopleV2WithResponse(t.Context(), nil, follow(*next))
		is.NoErr(err)
	}
	is.True(pages > 2)
	limit = 1000
	whole, err := client.ListPeopleV2WithResponse(t.Context(), params)
	is.NoErr(err)
	is.Equal(len(ids), len(whole.JSON200.Data))
}

func TestErrors(t *testing.T) {
	is, client := is.New(t), newClient(t)
	var body api.CreateCategoryV2JSONRequestBody
	invalid, err := client.CreateCategoryV2WithResponse(t.Context(), nil, body)
	is.NoErr(err)
	is.True(invalid.JSON422 != nil) // the response has typed errors
	fault := invalid.JSON422.Errors[0]
	is.Equal([]string{fault.Status, string(fault.Title), fault.Detail}, []string{"422", "Invalid Attribute", "can't be blank"})
	is.Equal(*fault.Source.Pointer, "/data/attributes/name")

	unknown := api.Filter{"shoe_size": map[string]any{"eq": 44}}
	list, err := client.ListPeopleV2WithResponse(t.Context(), &api.ListPeopleV2Params{Filter: &unknown})
	is.NoErr(err)
	is.True(list.JSON200 == nil)
	is.Equal(*list.JSON400.Errors[0].Source.Parameter, "filter[shoe_size][eq]")
}

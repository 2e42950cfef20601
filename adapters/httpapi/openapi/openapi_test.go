package openapi_test

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/matryer/is"
	"lyceum/adapters/httpapi/openapi"
)

func TestDocumentIsValid(t *testing.T) {
	is := is.New(t)
	text, err := openapi.Document("")
	is.NoErr(err)
	doc, err := openapi3.NewLoader().LoadFromData(text)
	is.NoErr(err)
	is.NoErr(doc.Validate(t.Context(), openapi3.EnableExamplesValidation()))
	t.Log(len(text))
}

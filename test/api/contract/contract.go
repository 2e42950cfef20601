// Package contract compares the API with its description. It reports the differences between a
// response and the OpenAPI document that the server publishes: in status, headers, media type and
// body, including formats such as uuid and date-time.
package contract

import (
	"bytes"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"lyceum/adapters/httpapi/openapi"
)

// address is the URL under which schemas of the document refer to each other.
const address = "https://description.example.test/openapi.json"

// Contract compares requests and responses with the description. It is safe for concurrent use.
type Contract struct {
	document node
	paths    []path // of the document

	mu       sync.Mutex
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema // schemas by their JSON Pointer
}

// Response is the server's response to a request.
type Response struct {
	Method, Path string // method and path of the request; the path as it was sent, without a query
	Status       int
	Header       http.Header
	Body         []byte
	// Selected is true if the request selects fields or is sent with the token of a learner. The
	// body of a response with the status 200 may then lack members that its schema requires, so it
	// is not compared.
	Selected bool
}

// Description returns the Contract of the OpenAPI document that the server publishes.
var Description = sync.OnceValues(func() (*Contract, error) {
	text, err := openapi.Document("")
	if err != nil {
		return nil, err
	}
	return New(text)
})

// New returns the contract of an OpenAPI 3.1 document.
func New(text []byte) (*Contract, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	if err := compiler.AddResource(address, document); err != nil {
		return nil, err
	}
	c := &Contract{document: node{value: document}, compiler: compiler, schemas: map[string]*jsonschema.Schema{}}
	for _, template := range c.document.at("paths").names() {
		c.paths = append(c.paths, path{template, segmentsOf(template)})
	}
	return c, nil
}

// Problems returns the differences between a response and the description, or nil if there are
// none.
func (c *Contract) Problems(a Response) []string {
	response, err := c.expected(a)
	if err != nil {
		return []string{err.Error()}
	}
	problems := append(c.headerProblems(response, a.Header), c.errorProblems(a)...)
	content := response.at("content")
	bodiless := a.Method == http.MethodHead || a.Status == http.StatusNotModified || a.Selected && a.Status == http.StatusOK
	switch {
	case bodiless || content.has("*/*"):
		return problems
	case content.value == nil && len(a.Body) > 0:
		return append(problems, "the description has no body for the response")
	case content.value == nil:
		return problems
	}
	mediaType, _, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	if mediaType == "application/vnd.api+json" {
		// Documents are the same in both media types, as the introduction of the description says.
		// The description of a response names only one media type, because generated clients would
		// otherwise expect either.
		mediaType = "application/json"
	}
	if mediaType == "text/html" && a.Status >= http.StatusBadRequest && c.isPage(a) {
		return problems // the description of the operation says that browsers get errors as pages
	}
	if err != nil || !content.has(mediaType) {
		return append(problems, fmt.Sprintf("the media type %q, which the description does not know", mediaType))
	}
	schema := content.at(mediaType, "schema")
	if schema.value == nil {
		return problems
	}
	body, err := jsonschema.UnmarshalJSON(bytes.NewReader(a.Body))
	if err != nil {
		return append(problems, "a body that is not JSON: "+err.Error())
	}
	if err := c.validate(schema, body); err != nil {
		problems = append(problems, "the body: "+err.Error())
	}
	return problems
}

// isPage reports whether the successful response of the operation is a page for browsers.
func (c *Contract) isPage(a Response) bool {
	operation, ok := c.operation(a.Method, a.Path)
	return ok && operation.at("responses", "200", "content").has("text/html")
}

// Request is a request that the server has accepted.
type Request struct {
	Method, Path string // same as in Response
	Header       http.Header
	Body         []byte
}

// RequestProblems returns the differences between the body of an accepted request and its
// description. It ignores bodies that are not JSON.
func (c *Contract) RequestProblems(r Request) []string {
	if len(bytes.TrimSpace(r.Body)) == 0 || r.Header.Get("Content-Encoding") != "" {
		return nil
	}
	body, err := jsonschema.UnmarshalJSON(bytes.NewReader(r.Body))
	if err != nil {
		return nil
	}
	operation, ok := c.operation(r.Method, r.Path)
	if !ok {
		return nil // Problems reports an unknown path or method
	}
	described := operation.at("requestBody").resolve(c.document)
	if described.value == nil {
		return nil // the server ignores the body
	}
	schema := described.at("content", "application/json", "schema")
	if schema.value == nil {
		return []string{"accepted JSON, but the description has no JSON body"}
	}
	if err := c.validate(schema, body); err != nil {
		return []string{"accepted, but not described: " + err.Error()}
	}
	return nil
}

const statusHeadersTooLarge = http.StatusRequestHeaderFieldsTooLarge

// generalResponses contains the names of the described responses to requests that match no
// operation, by status.
var generalResponses = map[int]string{
	http.StatusUnauthorized:        "Unauthorized",
	http.StatusForbidden:           "Forbidden",
	http.StatusNotFound:            "NotFound",
	http.StatusMethodNotAllowed:    "MethodNotAllowed",
	http.StatusNotAcceptable:       "NotAcceptable",
	http.StatusTooManyRequests:     "TooManyRequests",
	statusHeadersTooLarge:          "HeadersTooLarge",
	http.StatusInternalServerError: "Defect",
	http.StatusServiceUnavailable:  "Unavailable",
}

// expected returns the description of the response.
func (c *Contract) expected(a Response) (node, error) {
	operation, found := c.operation(a.Method, a.Path)
	switch {
	case found:
		response := operation.at("responses", strconv.Itoa(a.Status))
		if response.value == nil {
			return node{}, fmt.Errorf("the status %d, which the description does not know", a.Status)
		}
		return response.resolve(c.document), nil
	case a.Method == http.MethodOptions && a.Status == http.StatusNoContent:
		return c.document.at("components", "responses", "Done"), nil
	}
	name, ok := generalResponses[a.Status]
	if !ok {
		return node{}, fmt.Errorf("the status %d, on a path or by a method that the description does not know", a.Status)
	}
	return c.document.at("components", "responses", name), nil
}

// headerProblems compares headers with the headers of the described response. Other headers are
// ignored.
func (c *Contract) headerProblems(response node, header http.Header) []string {
	var problems []string
	for _, name := range response.at("headers").names() {
		described := response.at("headers", name).resolve(c.document)
		values := header.Values(name)
		if len(values) == 0 {
			if described.at("required").value == true {
				problems = append(problems, "no "+name)
			}
			continue
		}
		if err := c.validate(described.at("schema"), values[0]); err != nil {
			problems = append(problems, fmt.Sprintf("%s: %s", name, err))
		}
	}
	return problems
}

// validate compares a value with a schema.
func (c *Contract) validate(schema node, value any) error {
	compiled, err := c.compiled(schema.pointer)
	if err != nil {
		return err
	}
	return compiled.Validate(value)
}

func (c *Contract) compiled(pointer string) (*jsonschema.Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if schema, ok := c.schemas[pointer]; ok {
		return schema, nil
	}
	schema, err := c.compiler.Compile(address + "#" + pointer)
	if err == nil {
		c.schemas[pointer] = schema
	}
	return schema, err
}

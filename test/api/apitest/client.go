package apitest

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"lyceum/test/api/contract"
)

// call is a request that is being built.
type call struct {
	s            *server
	method, path string
	body         string
	header       http.Header
	key          string
	gone         bool // whether the client disconnects, so that there is no response to check
}

// request starts a request with the API key of the server's own school.
func (s *server) request(method, path string) *call {
	return &call{s: s, method: method, path: path, header: http.Header{}, key: s.key}
}

func (s *server) get(t *testing.T, path string) response {
	t.Helper()
	return s.request("GET", path).send(t)
}

func (s *server) send(t *testing.T, method, path, body string) response {
	t.Helper()
	return s.request(method, path).with(body).send(t)
}

func (c *call) with(body string) *call {
	c.body = body
	return c
}

func (c *call) as(key string) *call {
	c.key = key
	return c
}

// set adds a header value. Repeated calls for the same name add further values.
func (c *call) set(name, value string) *call {
	c.header.Add(name, value)
	return c
}

// response is the server's response to a call.
type response struct {
	status int
	header http.Header
	body   string
}

// send sends the request and checks the response.
func (c *call) send(t *testing.T) response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), c.method, c.s.url+c.path, strings.NewReader(c.body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = c.header
	if c.key != "" {
		r.Header.Set("X-Api-Key", c.key)
	}
	client := http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport:     contract.Transport{Contract: c.s.contract},
	}
	if c.gone {
		client.Transport = nil
	}
	resp, err := client.Do(r) //lint:ignore bodyclose readResponse closes it
	a := readResponse(t, resp, err)
	if problems := c.check(a); problems != nil && !c.gone {
		t.Errorf("%s %s: %d: %s\n%s", c.method, c.path, a.status, strings.Join(problems, "; "), a.body)
	}
	return a
}

// newRequest returns a request without a body and without a key. header contains alternating names
// and values. If a name occurs twice, the last value is sent.
func (s *server) newRequest(t *testing.T, method, path string, header ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.url+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return r
}

// readResponse reads and closes the body of the response that a client returned.
func readResponse(t *testing.T, resp *http.Response, err error) response {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response{status: resp.StatusCode, header: resp.Header, body: string(body)}
}

// page contains the members of a list document that tests use.
type page struct {
	Links struct{ Self, Prev, Next string }
	Data  []struct {
		Type, ID   string
		Attributes map[string]any
		Links      map[string]any
	}
}

// page returns the list in the response.
func (a response) page(t *testing.T) page {
	t.Helper()
	var p page
	if err := json.Unmarshal([]byte(a.body), &p); err != nil || a.status != http.StatusOK {
		t.Fatalf("no list: %d %s", a.status, a.body)
	}
	return p
}

// ids returns the ids of the list in the response, separated by spaces.
func (a response) ids(t *testing.T) string {
	t.Helper()
	var ids []string
	for _, r := range a.page(t).Data {
		ids = append(ids, r.ID)
	}
	return strings.Join(ids, " ")
}

// id returns the id of the resource in the response.
func (a response) id(t *testing.T) string {
	t.Helper()
	var single struct{ Data struct{ ID string } }
	if err := json.Unmarshal([]byte(a.body), &single); err != nil || single.Data.ID == "" {
		t.Fatalf("no resource: %d %s", a.status, a.body)
	}
	return single.Data.ID
}

// failures returns each error of the response as one line: its status, its source (if any) and its
// detail.
func (a response) failures(t *testing.T) []string {
	t.Helper()
	var document struct {
		Errors []struct {
			Status, Detail string
			Source         struct{ Pointer, Parameter, Header string }
		}
	}
	if err := json.Unmarshal([]byte(a.body), &document); err != nil {
		t.Fatalf("no errors: %d %s", a.status, a.body)
	}
	var lines []string
	for _, e := range document.Errors {
		words := []string{e.Status, e.Source.Pointer + e.Source.Parameter + e.Source.Header, e.Detail}
		lines = append(lines, strings.Join(strings.Fields(strings.Join(words, " ")), " "))
	}
	return lines
}

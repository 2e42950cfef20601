package journey_test

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// client is a program that uses the API with one key.
type client struct{ url, key string }

// response is a response of the server, with the decoded member data of its document.
type response struct {
	status int
	header http.Header
	body   string
	data   any // member data of the document; nil if it does not exist
}

// ask sends a request and fails the test unless the response has the given status. header contains
// names and values in turn.
func (c client) ask(t *testing.T, status int, method, path, body string, header ...string) response {
	t.Helper()
	address := path
	if strings.HasPrefix(path, "/") {
		address = c.url + path
	}
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if c.key != "" {
		r.Header.Set("X-Api-Key", c.key)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil || resp.StatusCode != status {
		t.Fatalf("%s %s: %d, want %d, %v\n%s\n%s", method, path, resp.StatusCode, status, err, body, text)
	}
	var document struct{ Data any }
	_ = json.Unmarshal(text, &document) // pages and files are not documents
	return response{resp.StatusCode, resp.Header, string(text), document.Data}
}

func (c client) get(t *testing.T, path string) response {
	t.Helper()
	return c.ask(t, http.StatusOK, http.MethodGet, path, "")
}

// post creates a record.
func (c client) post(t *testing.T, path, body string) response {
	t.Helper()
	return c.ask(t, http.StatusCreated, http.MethodPost, path, body)
}

// all returns all rows of a list. It follows links.next through all pages.
func (c client) all(t *testing.T, path string) []any {
	t.Helper()
	var rows []any
	for next := path + "?limit=7"; next != ""; {
		a := c.get(t, next)
		var page struct {
			Links struct{ Next string }
			Data  []any
		}
		if err := json.Unmarshal([]byte(a.body), &page); err != nil {
			t.Fatal(err)
		}
		rows, next = append(rows, page.Data...), page.Links.Next
	}
	return rows
}

// submit sends a file as a form.
func (c client) submit(t *testing.T, path, person, name, content string) response {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if err := form.WriteField("person", person); err != nil {
		t.Fatal(err)
	}
	file, err := form.CreateFormFile("file", name)
	if err == nil {
		_, err = io.WriteString(file, content)
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return c.ask(t, http.StatusCreated, http.MethodPost, path, body.String(), "Content-Type", form.FormDataContentType())
}

// at returns the JSON value at a path such as relationships.person.data.id, or nil if the path does
// not exist.
func at(value any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}

// text is like at, for a string. It returns "" if there is none.
func text(value any, path string) string {
	s, _ := at(value, path).(string)
	return s
}

func (a response) id() string { return text(a.data, "id") }

// reference returns a resource identifier.
func reference(typ, id string) string { return `{"type":"` + typ + `","id":"` + id + `"}` }

// related returns a to-one relationship.
func related(name, typ, id string) string {
	return `"` + name + `":{"data":` + reference(typ, id) + `}`
}

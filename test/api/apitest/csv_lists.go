package apitest

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/app/usecase"
)

// subLists contains the lists whose paths contain an id.
var subLists = []string{
	"/v1/groups/" + designers + "/memberships", "/v2/groups/" + designers + "/memberships", "/v2/courses/" + drawing + "/activities",
	"/v2/courses/" + drawing + "/enrollments", "/v2/assignments/" + stillLife + "/submissions", "/v2/coupons/" + tenOff + "/redemptions",
}

// csvLists checks that each list has the same rows as CSV and as a document.
func csvLists(t *testing.T, s *server) {
	s.define(t, "people", "city", "text", "")
	is.New(t).Equal(s.send(t, "PATCH", "/v2/people/"+ada, `{"data":{"attributes":{"first_name":"=1+1","properties":{"city":"Zürich, \"ZH\""}}}}`).status, 200)
	tables := map[string]string{}
	for _, path := range append(collections(), subLists...) {
		if path == changesPath {
			is.New(t).Equal(s.csv(t, "GET", path).status, http.StatusNotAcceptable) // the change feed has no CSV
			continue
		}
		t.Run(path, func(t *testing.T) {
			is := is.New(t)
			page := s.csv(t, "GET", path)
			is.Equal(page.status, 200)
			is.Equal(page.header.Get("Content-Type"), "text/csv; charset=utf-8")
			rows, document := recordsOf(t, page.body), s.rows(t, path)
			is.Equal(len(rows)-1, len(document))
			for i, r := range document {
				is.Equal(rows[i+1], r.cells(rows[0]))
				for name := range r.members() {
					is.True(slices.Contains(rows[0], name)) // each member has a column
				}
			}
			if path != auditPath { // the store assigns its ids and times
				tables[path] = page.body
			}
			empty := s.csv(t, "GET", path+"?page=9999")
			is.Equal(recordsOf(t, empty.body), rows[:1])
			is.Equal(s.csv(t, "GET", path, "If-None-Match", page.header.Get("ETag")).status, http.StatusNotModified)
			is.True(page.header.Get("ETag") != s.get(t, path).header.Get("ETag"))

			whole := s.csv(t, "GET", path+"?limit=all")
			is.Equal(whole.status, 200)
			is.Equal(whole.header.Get("ETag"), "")
			is.Equal(whole.body, s.csv(t, "GET", path+"?limit=1000").body)
		})
	}
	all, err := json.Marshal(tables)
	is.New(t).NoErr(err)
	compare(t, "csv", string(all))

	t.Run("pages", func(t *testing.T) {
		is := is.New(t)
		whole := recordsOf(t, s.csv(t, "GET", "/v1/people?limit=all&sort=-email").body)
		var walked [][]string
		for path := "/v1/people?limit=2&sort=-email"; path != ""; {
			a := s.csv(t, "GET", path)
			walked = append(walked, recordsOf(t, a.body)[1:]...)
			var next string
			for _, l := range a.header.Values("Link") {
				if target, ok := strings.CutSuffix(l, `>; rel="next"`); ok {
					next = strings.TrimPrefix(target, "<"+base)
				}
			}
			is.Equal(next, strings.TrimPrefix(s.get(t, path).page(t).Links.Next, base))
			path = next
		}
		is.Equal(walked, whole[1:])
		is.True(len(walked) > 3)
	})
	t.Run("Accept", func(t *testing.T) {
		is := is.New(t)
		for accept, want := range map[string]string{
			"text/csv": "text/csv", "text/csv, application/json;q=0.9": "text/csv", "text/csv, */*;q=0.1": "text/csv", "text/csv, */*": "text/csv",
			"text/csv, application/json": "application/json", "text/csv;q=0.5, application/json": "application/json",
			"text/csv;q=0.5, application/vnd.api+json": "application/vnd.api+json", "text/csv;q=0, */*": "application/json", "*/*": "application/json",
			"text/*, application/json;q=0.5": "application/json",
		} {
			a := s.exchange(t, "GET", "/v1/people", "Accept", accept)
			is.True(strings.HasPrefix(a.header.Get("Content-Type"), want))
		}
		is.Equal(s.csv(t, "GET", "/v1/people/"+ada).status, http.StatusNotAcceptable)
		is.Equal(s.csv(t, "GET", "/v2/export").status, http.StatusNotAcceptable)
	})
	t.Run("errors are JSON", func(t *testing.T) {
		is := is.New(t)
		for path, want := range map[string]string{
			"/v1/people?page=x":                                   "400 page must be a positive whole number",
			"/v1/people?limit=ALL":                                "400 limit must be a positive whole number",
			"/v1/people?limit=all&page=2":                         "400 limit must be a number if page or cursor is given",
			"/v1/people?limit=all&sort=what":                      "400 sort unknown attribute \"what\"",
			"/v1/groups/" + theirGroup + "/memberships?limit=all": "404 " + missing,
		} {
			a := s.csv(t, "GET", path)
			is.Equal(a.header.Get("Content-Type"), "application/json; charset=utf-8")
			is.Equal(a.header.Get("Content-Disposition"), "")
			is.True(strings.HasPrefix(a.failures(t)[0], want))
		}
		is.Equal(s.get(t, "/v1/people?limit=all").failures(t), []string{"400 limit must be a positive whole number"})
		is.Equal(s.exchange(t, "GET", "/v1/people?limit=all", "Accept", "text/csv", "X-Api-Key", "x").status, 401)
	})
	t.Run("a whole list of several pages", func(t *testing.T) {
		is := is.New(t)
		for i := range 1100 {
			_, err := s.app.Categories.Create(t.Context(), usecase.SystemActor(s.own), fmt.Sprintf("Category %04d", i))
			is.NoErr(err)
		}
		want := append(recordsOf(t, s.csv(t, "GET", "/v1/categories?limit=1000").body), recordsOf(t, s.csv(t, "GET", "/v1/categories?limit=1000&page=2").body)[1:]...)
		is.True(len(want) > 1100)
		is.Equal(recordsOf(t, s.csv(t, "GET", "/v1/categories?limit=all").body), want)
	})
	t.Run("HEAD and headers of a whole list", func(t *testing.T) {
		is := is.New(t)
		for _, method := range []string{"HEAD", "GET"} {
			a := s.csv(t, method, "/v2/courses/"+drawing+"/enrollments?limit=all")
			is.Equal(a.status, 200)
			is.Equal(a.header.Get("Content-Disposition"), "attachment; filename=enrollments.csv")
			is.Equal(a.header.Get("Cache-Control"), "no-cache")
			is.Equal(a.body == "", method == "HEAD")
		}
		is.Equal(unzip(t, s.csv(t, "GET", "/v1/people?limit=all", "Accept-Encoding", "gzip").body), s.csv(t, "GET", "/v1/people?limit=all").body)
	})
}

// csv sends a request that accepts only CSV.
func (s *server) csv(t *testing.T, method, path string, header ...string) response {
	t.Helper()
	return s.exchange(t, method, path, append([]string{"Accept", "text/csv", "Accept-Encoding", "identity"}, header...)...)
}

func recordsOf(t *testing.T, body string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// listedRow is a resource in a list.
type listedRow map[string]any

// rows returns the resources of the list.
func (s *server) rows(t *testing.T, path string) []listedRow {
	t.Helper()
	var list struct{ Data []listedRow }
	d := json.NewDecoder(strings.NewReader(s.get(t, path).body))
	d.UseNumber()
	if err := d.Decode(&list); err != nil {
		t.Fatal(err)
	}
	return list.Data
}

// members returns the cells of the resource by column name.
func (r listedRow) members() map[string]string {
	cells := map[string]string{"type": r["type"].(string)}
	if r["id"] != nil {
		cells["id"] = fmt.Sprint(r["id"])
	}
	attributes, _ := r["attributes"].(map[string]any)
	for name, v := range attributes {
		if properties, ok := v.(map[string]any); ok {
			for property, v := range properties {
				cells[name+"."+property] = textOf(v)
			}
			continue
		}
		cells[name] = textOf(v)
	}
	relationships, _ := r["relationships"].(map[string]any)
	for name, v := range relationships {
		var ids []string
		switch data := v.(map[string]any)["data"].(type) {
		case map[string]any:
			ids = []string{data["id"].(string)}
		case []any:
			for _, d := range data {
				ids = append(ids, d.(map[string]any)["id"].(string))
			}
		}
		cells[name] = strings.Join(ids, ",")
	}
	return cells
}

// cells returns the cells of the resource in the order of columns.
func (r listedRow) cells(columns []string) []string {
	cells, members := make([]string, len(columns)), r.members()
	for i, name := range columns {
		cells[i] = members[name]
	}
	return cells
}

func textOf(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		if strings.HasPrefix(v, "=") {
			return "'" + v
		}
		return v
	case []any:
		var texts []string
		for _, e := range v {
			texts = append(texts, textOf(e))
		}
		return strings.Join(texts, ",")
	}
	return fmt.Sprint(v)
}

package lists

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
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/golden"
	"lyceum/test/api/apitest/records"
	"lyceum/test/api/apitest/routes"
)

// subLists contains the lists whose paths contain an id.
var subLists = []string{
	"/v1/groups/" + records.Designers + "/memberships", "/v2/groups/" + records.Designers + "/memberships", "/v2/courses/" + records.Drawing + "/activities",
	"/v2/courses/" + records.Drawing + "/enrollments", "/v2/assignments/" + records.StillLife + "/submissions", "/v2/coupons/" + records.TenOff + "/redemptions",
}

// CSV checks that each list has the same rows as CSV and as a document.
func CSV(t *testing.T, s *fixture.Server) {
	s.Define(t, "people", "city", "text", "")
	is.New(t).Equal(s.Send(t, "PATCH", "/v2/people/"+records.Ada, `{"data":{"attributes":{"first_name":"=1+1","properties":{"city":"Zürich, \"ZH\""}}}}`).Status, 200)
	tables := map[string]string{}
	for _, path := range append(routes.Collections(), subLists...) {
		if path == routes.ChangesPath {
			is.New(t).Equal(s.CSV(t, "GET", path).Status, http.StatusNotAcceptable) // the change feed has no CSV
			continue
		}
		t.Run(path, func(t *testing.T) {
			is := is.New(t)
			page := s.CSV(t, "GET", path)
			is.Equal(page.Status, 200)
			is.Equal(page.Header.Get("Content-Type"), "text/csv; charset=utf-8")
			rows, document := recordsOf(t, page.Body), rowsOf(t, s, path)
			is.Equal(len(rows)-1, len(document))
			for i, r := range document {
				is.Equal(rows[i+1], r.cells(rows[0]))
				for name := range r.members() {
					is.True(slices.Contains(rows[0], name)) // each member has a column
				}
			}
			if path != routes.AuditPath { // the store assigns its ids and times
				tables[path] = page.Body
			}
			empty := s.CSV(t, "GET", path+"?page=9999")
			is.Equal(recordsOf(t, empty.Body), rows[:1])
			is.Equal(s.CSV(t, "GET", path, "If-None-Match", page.Header.Get("ETag")).Status, http.StatusNotModified)
			is.True(page.Header.Get("ETag") != s.Get(t, path).Header.Get("ETag"))

			whole := s.CSV(t, "GET", path+"?limit=all")
			is.Equal(whole.Status, 200)
			is.Equal(whole.Header.Get("ETag"), "")
			is.Equal(whole.Body, s.CSV(t, "GET", path+"?limit=1000").Body)
		})
	}
	all, err := json.Marshal(tables)
	is.New(t).NoErr(err)
	golden.Compare(t, "csv", string(all))

	t.Run("pages", func(t *testing.T) {
		is := is.New(t)
		whole := recordsOf(t, s.CSV(t, "GET", "/v1/people?limit=all&sort=-email").Body)
		var walked [][]string
		for path := "/v1/people?limit=2&sort=-email"; path != ""; {
			a := s.CSV(t, "GET", path)
			walked = append(walked, recordsOf(t, a.Body)[1:]...)
			var next string
			for _, l := range a.Header.Values("Link") {
				if target, ok := strings.CutSuffix(l, `>; rel="next"`); ok {
					next = strings.TrimPrefix(target, "<"+records.Base)
				}
			}
			is.Equal(next, strings.TrimPrefix(s.Get(t, path).Page(t).Links.Next, records.Base))
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
			a := s.Exchange(t, "GET", "/v1/people", "Accept", accept)
			is.True(strings.HasPrefix(a.Header.Get("Content-Type"), want))
		}
		is.Equal(s.CSV(t, "GET", "/v1/people/"+records.Ada).Status, http.StatusNotAcceptable)
		is.Equal(s.CSV(t, "GET", "/v2/export").Status, http.StatusNotAcceptable)
	})
	t.Run("errors are JSON", func(t *testing.T) {
		is := is.New(t)
		for path, want := range map[string]string{
			"/v1/people?page=x":                                           "400 page must be a positive whole number",
			"/v1/people?limit=ALL":                                        "400 limit must be a positive whole number",
			"/v1/people?limit=all&page=2":                                 "400 limit must be a number if page or cursor is given",
			"/v1/people?limit=all&sort=what":                              "400 sort unknown attribute \"what\"",
			"/v1/groups/" + records.TheirGroup + "/memberships?limit=all": "404 " + fixture.Missing,
		} {
			a := s.CSV(t, "GET", path)
			is.Equal(a.Header.Get("Content-Type"), "application/json; charset=utf-8")
			is.Equal(a.Header.Get("Content-Disposition"), "")
			is.True(strings.HasPrefix(a.Failures(t)[0], want))
		}
		is.Equal(s.Get(t, "/v1/people?limit=all").Failures(t), []string{"400 limit must be a positive whole number"})
		is.Equal(s.Exchange(t, "GET", "/v1/people?limit=all", "Accept", "text/csv", "X-Api-Key", "x").Status, 401)
	})
	t.Run("a whole list of several pages", func(t *testing.T) {
		is := is.New(t)
		for i := range 1100 {
			_, err := s.App.Categories.Create(t.Context(), usecase.SystemActor(s.Own), fmt.Sprintf("Category %04d", i))
			is.NoErr(err)
		}
		want := append(recordsOf(t, s.CSV(t, "GET", "/v1/categories?limit=1000").Body), recordsOf(t, s.CSV(t, "GET", "/v1/categories?limit=1000&page=2").Body)[1:]...)
		is.True(len(want) > 1100)
		is.Equal(recordsOf(t, s.CSV(t, "GET", "/v1/categories?limit=all").Body), want)
	})
	t.Run("HEAD and headers of a whole list", func(t *testing.T) {
		is := is.New(t)
		for _, method := range []string{"HEAD", "GET"} {
			a := s.CSV(t, method, "/v2/courses/"+records.Drawing+"/enrollments?limit=all")
			is.Equal(a.Status, 200)
			is.Equal(a.Header.Get("Content-Disposition"), "attachment; filename=enrollments.csv")
			is.Equal(a.Header.Get("Cache-Control"), "no-cache")
			is.Equal(a.Body == "", method == "HEAD")
		}
		is.Equal(fixture.Unzip(t, s.CSV(t, "GET", "/v1/people?limit=all", "Accept-Encoding", "gzip").Body), s.CSV(t, "GET", "/v1/people?limit=all").Body)
	})
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

// rowsOf returns the resources of the list.
func rowsOf(t *testing.T, s *fixture.Server, path string) []listedRow {
	t.Helper()
	var list struct{ Data []listedRow }
	d := json.NewDecoder(strings.NewReader(s.Get(t, path).Body))
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

package people

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// BulkRequests checks that a bulk request is accepted as a whole and that its parts are then
// applied one by one.
func BulkRequests(t *testing.T, s *fixture.Server) {
	t.Run("job runs from accepted to completed", func(t *testing.T) {
		is := is.New(t)
		var rows []string
		for i := range 250 {
			rows = append(rows, fmt.Sprintf(`{"email":"p%d@example.test","groups":"singers & dancers"}`, i))
		}
		rows[120] = `{}`
		for _, version := range []string{"/v1", "/v2"} {
			a := s.Send(t, "POST", version+"/bulk/people", `{"data":{"type":"any","attributes":{"people":[`+strings.Join(rows, ",")+`]}}}`)
			is.Equal(a.Status, 202)
			is.Equal(a.Header.Get("Location"), records.Base+version+"/bulk/jobs/"+a.ID(t))
			is.True(strings.Contains(a.Body, `"links":{"self":"`+a.Header.Get("Location")+`"}`))
			self := strings.TrimPrefix(a.Header.Get("Location"), records.Base)
			is.Equal(s.Get(t, self).Body, a.Body) // GET returns the same document as the POST
			begun := a.Job(t)
			is.Equal(begun, fixture.Job{Status: "queued", RowsTotal: 250, CreatedAt: begun.CreatedAt})

			for step, want := range []fixture.Job{
				{Status: "running", RowsTotal: 250, RowsDone: 100},
				{Status: "running", RowsTotal: 250, RowsDone: 200, RowsFailed: 1},
				{Status: "completed", RowsTotal: 250, RowsDone: 250, RowsFailed: 1},
			} {
				now := s.Clock.Advance(time.Second)
				is.True(s.ApplyPart(t))
				got := s.Get(t, self).Job(t)
				want.CreatedAt, want.CompletedAt = begun.CreatedAt, got.CompletedAt
				is.Equal(got, want)
				is.Equal(got.CompletedAt != nil, step == 2)
				if got.CompletedAt != nil {
					is.Equal(*got.CompletedAt, now.Format("2006-01-02T15:04:05.000Z"))
				}
			}
			is.True(!s.ApplyPart(t))
			is.Equal(s.Get(t, self).RowErrors(t), []string{"422 /data/attributes/people/120/email can't be blank"})
		}
		list := s.Get(t, "/v1/groups?filter[uuid][eq]="+records.Singers).Page(t)
		is.Equal(list.Data[0].Attributes["membership_count"], 249.0) // the second bulk request adds no person
	})

	t.Run("no rows", func(t *testing.T) {
		is := is.New(t)
		for _, kind := range []string{"people", "groups"} {
			a := s.Send(t, "POST", "/v1/bulk/"+kind, `{"data":{"type":"x","attributes":{"`+kind+`":[]}}}`)
			is.Equal(a.Status, 202)
			is.Equal(a.Job(t).Status, "completed")
			is.Equal(*a.Job(t).CompletedAt, a.Job(t).CreatedAt)
			is.True(!s.ApplyPart(t))
		}
	})

	t.Run("another school cannot get it", func(t *testing.T) {
		is := is.New(t)
		a := s.Send(t, "POST", "/v1/bulk/groups", `{"data":{"type":"x","attributes":{"groups":[]}}}`)
		is.Equal(s.Request("GET", "/v1/bulk/jobs/"+a.ID(t)).As(s.OtherTenantKey).Send(t).Status, 404)
	})
}

// RejectedBulkRequests checks the faults that reject a whole bulk request, and that no part of it
// is saved.
func RejectedBulkRequests(t *testing.T, s *fixture.Server) {
	rows := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("0,", n), ",") + "]" }
	long := func(n int) string {
		return `{"data":{"type":"x","attributes":{"people":[]}},"padding":"` + strings.Repeat("x", n) + `"}`
	}
	room := 8<<20 - len(long(0))
	tests := []struct {
		name, path, body string
		want             []string // expected faults; none: the request is accepted
	}{
		{"no body", "/v1/bulk/people", ``, []string{"400 The body must be a JSON document but is empty"}},
		{"no data", "/v1/bulk/people", `{}`, []string{"422 /data must be an object"}},
		{"no type", "/v1/bulk/people", `{"data":{"attributes":{"people":[]}}}`, []string{"422 /data/type can't be blank"}},
		{"a blank type", "/v1/bulk/groups", `{"data":{"type":" ","attributes":{"groups":[]}}}`, []string{"422 /data/type can't be blank"}},
		{"a type that is not a string", "/v1/bulk/groups", `{"data":{"type":7,"attributes":{"groups":[]}}}`, []string{"422 /data/type must be a string"}},
		{"no type in v2", "/v2/bulk/people", `{"data":{"attributes":{"people":[]}}}`, nil},
		{"any type", "/v1/bulk/groups", `{"data":{"type":"coupons","attributes":{"groups":[]}}}`, nil},
		{"an id", "/v1/bulk/groups", `{"data":{"type":"x","id":"` + records.Unknown + `","attributes":{"groups":[]}}}`, []string{"403 /data/id must not be present; the server assigns the id of a new resource"}},
		{"no attributes", "/v1/bulk/groups", `{"data":{"type":"x"}}`, []string{"422 /data/attributes/groups can't be blank"}},
		{"attributes that are not an object", "/v1/bulk/groups", `{"data":{"type":"x","attributes":[]}}`, []string{
			"422 /data/attributes must be an object", "422 /data/attributes/groups can't be blank",
		}},
		{"rows of another resource", "/v1/bulk/people", `{"data":{"attributes":{"groups":[]}}}`, []string{
			"422 /data/type can't be blank", "422 /data/attributes/people can't be blank",
		}},
		{"null", "/v1/bulk/people", `{"data":{"type":"x","attributes":{"people":null}}}`, []string{"422 /data/attributes/people can't be blank"}},
		{"an object", "/v1/bulk/people", `{"data":{"type":"x","attributes":{"people":{}}}}`, []string{"422 /data/attributes/people must be an array"}},
		{"the maximum number of rows", "/v1/bulk/people", `{"data":{"type":"x","attributes":{"people":` + rows(15_000) + `}}}`, nil},
		{"too many rows", "/v1/bulk/people", `{"data":{"type":"x","attributes":{"people":` + rows(15_001) + `}}}`, []string{
			"422 /data/attributes/people has too many elements (maximum is 15000)",
		}},
		{"too many rows, and no type", "/v1/bulk/groups", `{"data":{"attributes":{"groups":` + rows(15_001) + `}}}`, []string{
			"422 /data/type can't be blank", "422 /data/attributes/groups has too many elements (maximum is 15000)",
		}},
		{"too many courses", "/v1/bulk/groups", `{"data":{"type":"x","attributes":{"groups":[` +
			strings.Repeat(`{"name":"A","courses":"`+strings.Repeat("a,", 500)+`"},`, 200) + `{"name":"B","courses":"b"}]}}}`, []string{
			"422 /data/attributes/groups/200 has too many elements in total with the rows before it (maximum is 100000 per request)",
		}},
		{"a body of the maximum size", "/v1/bulk/people", long(room), nil},
		{"a body that is too large", "/v1/bulk/people", long(room + 1), []string{"413 The request body exceeds 8388608 bytes"}},
		{"a body that is too large", "/v2/bulk/groups", long(room + 1), []string{"413 The request body exceeds 8388608 bytes"}},
		{"a body nested too deeply", "/v1/bulk/people", `{"data":{"type":"x","attributes":{"people":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}}}`, []string{
			"400 The body has more than 32 levels of nesting",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			a := s.Send(t, "POST", tt.path, tt.body)
			if tt.want == nil {
				is.Equal(a.Status, 202)
				for s.ApplyPart(t) {
				}
				return
			}
			is.Equal(a.Failures(t), tt.want)
			is.True(!s.ApplyPart(t)) // no job is left
		})
	}

	t.Run("people under URL authentication", func(t *testing.T) {
		is := is.New(t)
		people := `{"data":{"type":"x","attributes":{"people":[{"email":"new@example.test"}]}}}`
		for _, version := range []string{"/v1", "/v2"} {
			a := s.Request("POST", version+"/bulk/people").As(s.URLKey).With(people).Send(t)
			is.Equal(a.Failures(t), []string{"403 Learners cannot be created while the school uses URL authentication"})
		}
		is.True(!s.ApplyPart(t))
		a := s.Request("POST", "/v1/bulk/groups").As(s.URLKey).With(`{"data":{"type":"x","attributes":{"groups":[]}}}`).Send(t)
		is.Equal(a.Status, 202)
	})
}

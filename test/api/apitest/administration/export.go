package administration

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/golden"
	"lyceum/test/api/apitest/routes"
)

// Export checks that GET returns the whole school as JSON lines, and that a key exports only
// its own school.
func Export(t *testing.T, s *fixture.Server) {
	get := func(method string, header ...string) fixture.Response {
		return s.Fetch(t, method, routes.ExportPath, append([]string{"X-Api-Key", s.Key}, header...)...)
	}

	t.Run("the school", func(t *testing.T) {
		is := is.New(t)
		a := get("GET")
		is.Equal(a.Status, 200)
		for name, want := range map[string]string{
			"Content-Type": "application/x-ndjson", "Content-Disposition": "attachment; filename=school.jsonl",
			"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff", "ETag": "",
		} {
			is.Equal(a.Header.Get(name), want)
		}
		lines := strings.Split(strings.TrimSuffix(a.Body, "\n"), "\n")
		is.True(strings.HasPrefix(lines[0], `{"kind":"school","format":1,"name":"`))
		is.True(strings.HasPrefix(lines[len(lines)-1], `{"kind":"end","lines":`))
		for _, word := range []string{`"ada@example.test"`, `"kind":"quiz_attempt"`, `"kind":"part"`, `"kind":"event"`} {
			is.True(strings.Contains(a.Body, word))
		}
		is.Equal(get("GET").Body, a.Body)
	})
	t.Run("the bytes are as recorded", func(t *testing.T) { golden.CompareLines(t, "export", get("GET").Body) })
	t.Run("HEAD", func(t *testing.T) {
		is := is.New(t)
		a := get("HEAD")
		is.Equal(a.Status, 200)
		is.Equal(a.Body, "")
		is.Equal(a.Header.Get("Content-Type"), "application/x-ndjson")
	})
	t.Run("Accept", func(t *testing.T) {
		is := is.New(t)
		for accept, status := range map[string]int{
			"": 200, "*/*": 200, "application/*": 200, "application/x-ndjson": 200, "application/x-ndjson, application/json;q=0.1": 200,
			"application/json": 406, "application/vnd.api+json": 406, "text/html": 406, "application/x-ndjson;q=0, */*": 406,
		} {
			a := get("GET", "Accept", accept)
			is.Equal(a.Status, status)
			if status == 406 {
				is.True(strings.Contains(a.Body, `"status":"406"`))
				is.Equal(a.Header.Get("Content-Disposition"), "")
			}
		}
	})
	t.Run("another school's key returns that school, and no key is 401", func(t *testing.T) {
		is := is.New(t)
		a := s.Fetch(t, "GET", routes.ExportPath, "X-Api-Key", s.OtherTenantKey)
		is.Equal(a.Status, 200)
		is.True(a.Body != get("GET").Body)
		a = s.Fetch(t, "GET", routes.ExportPath)
		is.Equal(a.Status, 401)
		is.True(!strings.Contains(a.Body, "kind"))
		a = s.Fetch(t, "POST", routes.ExportPath, "X-Api-Key", s.Key)
		is.Equal(a.Status, 405)
		is.Equal(a.Header.Get("Allow"), "GET, HEAD, OPTIONS")
	})
}

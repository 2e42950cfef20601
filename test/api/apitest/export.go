package apitest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
)

// schoolExport checks that GET returns the whole school as JSON lines, and that a key exports only
// its own school.
func schoolExport(t *testing.T, s *server) {
	get := func(method string, header ...string) response {
		return s.fetch(t, method, exportPath, append([]string{"X-Api-Key", s.key}, header...)...)
	}

	t.Run("the school", func(t *testing.T) {
		is := is.New(t)
		a := get("GET")
		is.Equal(a.status, 200)
		for name, want := range map[string]string{
			"Content-Type": "application/x-ndjson", "Content-Disposition": "attachment; filename=school.jsonl",
			"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff", "ETag": "",
		} {
			is.Equal(a.header.Get(name), want)
		}
		lines := strings.Split(strings.TrimSuffix(a.body, "\n"), "\n")
		is.True(strings.HasPrefix(lines[0], `{"kind":"school","format":1,"name":"`))
		is.True(strings.HasPrefix(lines[len(lines)-1], `{"kind":"end","lines":`))
		for _, word := range []string{`"ada@example.test"`, `"kind":"quiz_attempt"`, `"kind":"part"`, `"kind":"event"`} {
			is.True(strings.Contains(a.body, word))
		}
		is.Equal(get("GET").body, a.body)
	})
	t.Run("the bytes are as recorded", func(t *testing.T) { compareLines(t, "export", get("GET").body) })
	t.Run("HEAD", func(t *testing.T) {
		is := is.New(t)
		a := get("HEAD")
		is.Equal(a.status, 200)
		is.Equal(a.body, "")
		is.Equal(a.header.Get("Content-Type"), "application/x-ndjson")
	})
	t.Run("Accept", func(t *testing.T) {
		is := is.New(t)
		for accept, status := range map[string]int{
			"": 200, "*/*": 200, "application/*": 200, "application/x-ndjson": 200, "application/x-ndjson, application/json;q=0.1": 200,
			"application/json": 406, "application/vnd.api+json": 406, "text/html": 406, "application/x-ndjson;q=0, */*": 406,
		} {
			a := get("GET", "Accept", accept)
			is.Equal(a.status, status)
			if status == 406 {
				is.True(strings.Contains(a.body, `"status":"406"`))
				is.Equal(a.header.Get("Content-Disposition"), "")
			}
		}
	})
	t.Run("another school's key returns that school, and no key is 401", func(t *testing.T) {
		is := is.New(t)
		a := s.fetch(t, "GET", exportPath, "X-Api-Key", s.otherTenantKey)
		is.Equal(a.status, 200)
		is.True(a.body != get("GET").body)
		a = s.fetch(t, "GET", exportPath)
		is.Equal(a.status, 401)
		is.True(!strings.Contains(a.body, "kind"))
		a = s.fetch(t, "POST", exportPath, "X-Api-Key", s.key)
		is.Equal(a.status, 405)
		is.Equal(a.header.Get("Allow"), "GET, HEAD, OPTIONS")
	})
}

// compareLines compares lines with testdata/<name>.jsonl, or writes the file if the flag -update is
// set.
func compareLines(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".jsonl")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

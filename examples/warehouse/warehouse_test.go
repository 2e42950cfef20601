package warehouse_test

import (
	"lyceum/test/lyceumtest"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"warehouse.example"
)

func send(t *testing.T, l *lyceumtest.Server, method, path, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, l.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Api-Key", l.Key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode >= 300 {
		t.Fatalf("%s %s: %s", method, path, response.Status)
	}
}

// The copy begins with the exported people, and follows people who are created, updated and
// deleted. If the feed no longer has the changes, the copy begins again with an export.
func TestStep(t *testing.T) {
	lyceum := lyceumtest.Start(t, lyceumtest.WithDemo())
	s := warehouse.Sync{URL: lyceum.URL, Key: lyceum.Key, File: filepath.Join(t.TempDir(), "copy.json")}
	step := func() warehouse.Copy {
		t.Helper()
		c, err := s.Step(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	exported := step()
	if len(exported.Records) == 0 {
		t.Fatal("the copy is empty")
	}
	created := "people/"
	send(t, lyceum, "POST", "/v2/people", `{"data":{"type":"people","attributes":{"email":"new@example.test","first_name":"New"}}}`)
	for name, record := range step().Records {
		if strings.Contains(string(record), "new@example.test") {
			created = name
		}
	}
	if created == "people/" {
		t.Fatal("the new person is not in the copy")
	}
	send(t, lyceum, "PATCH", "/v2/"+created, `{"data":{"type":"people","attributes":{"first_name":"Renamed"}}}`)
	if got := string(step().Records[created]); !strings.Contains(got, "Renamed") {
		t.Errorf("got %s", got)
	}
	send(t, lyceum, "DELETE", "/v2/"+created, "")
	after := step()
	if _, exists := after.Records[created]; exists || len(after.Records) != len(exported.Records) {
		t.Errorf("got %d records, want %d", len(after.Records), len(exported.Records))
	}

	send(t, lyceum, "POST", "/v2/people", `{"data":{"type":"people","attributes":{"email":"late@example.test"}}}`)
	lyceum.App().Changes.KeepFor(-time.Hour) // all changes have expired
	for more := true; more; {
		var err error
		if more, err = lyceum.App().Changes.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := step(); len(got.Records) != len(exported.Records)+1 {
		t.Errorf("got %d records, want %d", len(got.Records), len(exported.Records)+1)
	}
}

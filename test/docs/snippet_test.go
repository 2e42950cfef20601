package docs_test

import (
	"net/http"
	"testing"

	"lyceum/test/lyceumtest"
)

func TestCourses(t *testing.T) {
	lyceum := lyceumtest.Start(t, lyceumtest.WithDemo()) // import "lyceum/test/lyceumtest"
	resp, err := http.Get(lyceum.URL + "/v2/courses?api_key=" + lyceum.Key)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("got %s, want 200", resp.Status)
	}
}

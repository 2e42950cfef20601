package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"

	"lyceum/domain/webhook"
)

// followed is a school with as many webhook endpoints as possible, which receive all changes.
type followed struct {
	once    sync.Once
	changes atomic.Int64
	err     error
}

// change adds a course to a group of very many people, or removes it.
func (f *followed) change(ctx context.Context, c *http.Client, w serverInfo) int {
	f.once.Do(func() { f.err = f.addEndpoints(ctx, c, w) })
	exitOn(ctx, f.err)
	n := int(f.changes.Add(1))
	method := []string{http.MethodPost, http.MethodDelete}[n/coursesOfGroup%2]
	body := strings.NewReader(fmt.Sprintf(`{"data":[{"type":"courses","id":%q}]}`, courseOfGroup(0, n%coursesOfGroup)))
	return request(ctx, c, method, w.URL+"/v2/groups/"+groupOf(0)+"/relationships/courses", w.Additions[0], body)
}

// addEndpoints adds the endpoints. Their receiver runs until the process ends.
func (f *followed) addEndpoints(ctx context.Context, c *http.Client, w serverInfo) error {
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	for range webhook.MaxEndpoints {
		if _, err := addEndpoint(ctx, c, w.URL, w.Additions[0], receiver.URL, "*"); err != nil {
			return err
		}
	}
	return nil
}

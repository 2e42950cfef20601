package web

import (
	"net/http/httptest"
	"testing"
	"testing/synctest"

	"github.com/matryer/is"
)

// Pages are rendered by a part of the processors only.
func TestRenderingIsLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		s := New(nil, Config{})
		for range cap(s.rendering) {
			s.rendering <- struct{}{} // pages that are rendered
		}
		w := httptest.NewRecorder()
		done := false
		go func() {
			s.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/learn/-/missing", nil))
			done = true
		}()
		synctest.Wait()
		is.True(!done)
		<-s.rendering
		synctest.Wait()
		is.True(done)
	})
}

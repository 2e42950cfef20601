package web_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/web"
	"lyceum/test/kit/heap"
)

// A value that is kept does not keep the other fields in memory, such as secrets.
func TestReadFormCopiesValues(t *testing.T) {
	is := is.New(t)
	const forms, size = 200, 200 << 10
	before := heap.InUse()
	kept := make([]string, forms)
	for i := range kept {
		r := httptest.NewRequest("POST", "/", strings.NewReader("name=Ada&other="+strings.Repeat("x", size)))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		form, err := web.ReadForm(httptest.NewRecorder(), r, 2*size)
		is.NoErr(err)
		kept[i] = form.Get("name")
	}
	is.True(heap.InUse()-before < forms*size/2)
	is.Equal(kept[forms-1], "Ada")
}

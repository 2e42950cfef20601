package web_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/school"
	"lyceum/test/kit/intercept"
	"lyceum/test/kit/stores"
)

// Pages do not read the structure of a course, which can have 8 MiB: a visitor without a key could
// otherwise make the server decode megabytes for each request.
func TestPagesReadNoStructures(t *testing.T) {
	is := is.New(t)
	var read []string
	a := newAcademy(t, func(*testing.T) stores.Backend {
		on := stores.Memory()
		on.Store = intercept.Store(on.Store, func(_ context.Context, call string) error {
			if strings.Contains(call, ".Structures.") {
				read = append(read, call)
			}
			return nil
		})
		return on
	}, school.Open)
	b, _ := newLearner(t, a)
	_, err := a.Structures.Get(t.Context(), owner, "seeing-light")
	is.NoErr(err)
	is.True(len(read) > 0) // the hook sees reads of structures
	read = nil
	c, err := a.Courses.Get(t.Context(), owner, "seeing-light")
	is.NoErr(err)
	for _, page := range []string{
		"/courses", "/c/" + c.EnrollToken, "/outline/seeing-light/cover", seeing, seeing + "/what-light-does", seeing + "/do-you-see-it", seeing + "/do-you-see-it/questions/1",
	} {
		is.Equal(b.get(page).status, http.StatusOK)
		is.Equal(read, nil) // after page
	}
}

package academy_test

import (
	"net/http"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/adapters/web"
)

// TestReportOfVideoSucceeds checks the status of a response that the academy writes without a
// status of its own. The script of the player ignores responses with another status.
func TestReportOfVideoSucceeds(t *testing.T) {
	is := is.New(t)
	academy := serve(t, make(sentInvitations, 10)) + web.Prefix + "/" + demo.Slug
	learner := newBrowser(t)
	open(t, learner, http.MethodPost, academy+"/demo", form, "role=learner")
	status, _, body := open(t, learner, http.MethodPost, academy+"/courses/seeing-light/ten-minutes-at-a-window/watched", form, "watched=1")
	is.Equal(status, http.StatusOK)
	is.Equal(body, "done")
}

package learning

import (
	"context"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/app/jobs"
	"lyceum/app/usecase"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// PersonDeletion checks what is deleted together with a person.
func PersonDeletion(t *testing.T, s *fixture.Server) {
	is := is.New(t)
	link := strings.TrimPrefix(downloadOf(t, s, records.AdasDrawing), records.Base)
	is.Equal(s.Fetch(t, "GET", link).Status, 200)
	is.Equal(s.Send(t, "DELETE", "/v1/people/"+records.Ada, "").Status, 204)
	is.Equal(s.Get(t, "/v1/analytics/courses").IDs(t), rowAlan)
	is.Equal(s.Get(t, "/v1/analytics/quiz_scores").NumberedIDs(t), "2")
	is.Equal(len(s.Get(t, "/v1/analytics/quiz_raw_answers").Page(t).Data), 1)
	is.Equal(s.Get(t, "/v2/submissions").IDs(t), "")
	is.Equal(len(s.Get(t, "/v2/events").Page(t).Data), 1)
	is.Equal(s.Fetch(t, "GET", link).Status, 404) // even before the file is deleted

	queued, err := s.Queue.List(context.Background(), jobs.FileCleanupKind)
	is.NoErr(err)
	is.Equal(len(queued), 2)
	for range queued {
		found, err := s.Discards.DeleteNext(t.Context())
		is.NoErr(err)
		is.True(found)
	}
	for _, id := range []string{records.AdasDrawing, records.AdasPage} {
		_, err := s.Files.Open(t.Context(), usecase.FilesOf(s.Own)+id)
		is.True(err != nil)
	}
	_, err = s.Files.Open(t.Context(), usecase.FilesOf(s.Theirs)+records.TheirSubmission)
	is.NoErr(err)
}

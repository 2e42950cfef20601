package learning

import (
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/bodies"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// SubmissionRetries checks that a file can be submitted again with the same Idempotency-Key.
func SubmissionRetries(t *testing.T, s *fixture.Server) {
	const path = "/v2/assignments/" + records.StillLife + "/submissions"
	send := func(t *testing.T, key, part, body string) fixture.Response {
		return s.Request("POST", path).With(strings.ReplaceAll(body, bodies.Boundary, part)).
			Set("Content-Type", "multipart/form-data; boundary="+part).Set("Idempotency-Key", key).Send(t)
	}
	submissions := func() int {
		return strings.Count(s.Get(t, "/v2/submissions?limit=1000").Body, `"type":"assignment_submissions"`)
	}
	form := bodies.FormBody("person", records.Ada, "file", "apple.txt|An apple")

	t.Run("a retry gets the recorded response, and no second file is stored", func(t *testing.T) {
		is := is.New(t)
		before, files := submissions(), s.Files.Count(t)
		first := send(t, "apple", "one", form)
		is.Equal(first.Status, 201)
		is.Equal(first.Header.Get("Idempotent-Replayed"), "")
		again := send(t, "apple", "another", form) // clients choose a new boundary for each request
		is.Equal(again.Status, 201)
		is.Equal(again.Header.Get("Idempotent-Replayed"), "true")
		is.Equal(again.Body, first.Body)
		is.Equal(again.Header.Get("Location"), first.Header.Get("Location"))
		reordered := send(t, "apple", "one", bodies.FormBody("file", "apple.txt|An apple", "person", records.Ada))
		is.Equal(reordered.Body, first.Body) // the parts are the same, in another order
		is.Equal(submissions(), before+1)
		is.Equal(s.Files.Count(t), files+1)
	})

	t.Run("another form under the key is 422 and leaves no file", func(t *testing.T) {
		is := is.New(t)
		is.Equal(send(t, "pear", "one", form).Status, 201)
		before, files := submissions(), s.Files.Count(t)
		for _, other := range []string{
			bodies.FormBody("person", records.Ada, "file", "apple.txt|An Apple"),
			bodies.FormBody("person", records.Ada, "file", "pear.txt|An apple"),
			bodies.FormBody("person", records.Ada, "activity", records.Still, "file", "apple.txt|An apple"),
			strings.Replace(form, "text/html", "text/plain", 1),
		} {
			is.Equal(send(t, "pear", "one", other).Failures(t),
				[]string{"422 Idempotency-Key This Idempotency-Key was already used for a different request"})
		}
		is.Equal(submissions(), before)
		is.Equal(s.Files.Count(t), files)
	})

	t.Run("rejected requests are not recorded and leave no file", func(t *testing.T) {
		is := is.New(t)
		before, files := submissions(), s.Files.Count(t)
		is.Equal(send(t, "plum", "one", bodies.FormBody("person", records.Grace, "file", "a|a")).Status, 422)
		is.Equal(send(t, "plum", "one", bodies.FormBody("file", "a|a")).Status, 422)
		is.Equal(send(t, "", "one", form).Status, 400)
		is.Equal(submissions(), before)
		is.Equal(s.Files.Count(t), files)
		is.Equal(send(t, "plum", "one", form).Status, 201)
	})

	t.Run("a file that is larger than other bodies", func(t *testing.T) {
		is := is.New(t)
		large := bodies.FormBody("person", records.Ada, "file", "large|"+strings.Repeat("x", fixture.UploadLimit))
		first := send(t, "large", "one", large)
		is.Equal(first.Status, 201)
		is.Equal(send(t, "large", "two", large).Body, first.Body)
	})

	t.Run("concurrent retries create one submission and one file", func(t *testing.T) {
		const many = 16
		is := is.New(t)
		before, files := submissions(), s.Files.Count(t)
		answers := make([]fixture.Response, many)
		var wg sync.WaitGroup
		for i := range many {
			wg.Go(func() { answers[i] = send(t, "race", "one", form) })
		}
		wg.Wait()
		for _, a := range answers {
			is.Equal(a.Status, 201)
			is.Equal(a.Body, answers[0].Body)
		}
		is.Equal(submissions(), before+1)
		is.Equal(s.Files.Count(t), files+1)
	})
}

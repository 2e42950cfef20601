package apitest

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/app/jobs"
)

// submissionRetries checks that a file can be submitted again with the same Idempotency-Key.
func submissionRetries(t *testing.T, s *server) {
	const path = "/v2/assignments/" + stillLife + "/submissions"
	send := func(t *testing.T, key, part, body string) response {
		return s.request("POST", path).with(strings.ReplaceAll(body, boundary, part)).
			set("Content-Type", "multipart/form-data; boundary="+part).set("Idempotency-Key", key).send(t)
	}
	submissions := func() int {
		return strings.Count(s.get(t, "/v2/submissions?limit=1000").body, `"type":"assignment_submissions"`)
	}
	form := formBody("person", ada, "file", "apple.txt|An apple")

	t.Run("a retry gets the recorded response, and no second file is stored", func(t *testing.T) {
		is := is.New(t)
		before, files := submissions(), s.submitted(t)
		first := send(t, "apple", "one", form)
		is.Equal(first.status, 201)
		is.Equal(first.header.Get("Idempotent-Replayed"), "")
		again := send(t, "apple", "another", form) // clients choose a new boundary for each request
		is.Equal(again.status, 201)
		is.Equal(again.header.Get("Idempotent-Replayed"), "true")
		is.Equal(again.body, first.body)
		is.Equal(again.header.Get("Location"), first.header.Get("Location"))
		reordered := send(t, "apple", "one", formBody("file", "apple.txt|An apple", "person", ada))
		is.Equal(reordered.body, first.body) // the parts are the same, in another order
		is.Equal(submissions(), before+1)
		is.Equal(s.submitted(t), files+1)
	})

	t.Run("another form under the key is 422 and leaves no file", func(t *testing.T) {
		is := is.New(t)
		is.Equal(send(t, "pear", "one", form).status, 201)
		before, files := submissions(), s.submitted(t)
		for _, other := range []string{
			formBody("person", ada, "file", "apple.txt|An Apple"),
			formBody("person", ada, "file", "pear.txt|An apple"),
			formBody("person", ada, "activity", still, "file", "apple.txt|An apple"),
			strings.Replace(form, "text/html", "text/plain", 1),
		} {
			is.Equal(send(t, "pear", "one", other).failures(t),
				[]string{"422 Idempotency-Key This Idempotency-Key was already used for a different request"})
		}
		is.Equal(submissions(), before)
		is.Equal(s.submitted(t), files)
	})

	t.Run("rejected requests are not recorded and leave no file", func(t *testing.T) {
		is := is.New(t)
		before, files := submissions(), s.submitted(t)
		is.Equal(send(t, "plum", "one", formBody("person", grace, "file", "a|a")).status, 422)
		is.Equal(send(t, "plum", "one", formBody("file", "a|a")).status, 422)
		is.Equal(send(t, "", "one", form).status, 400)
		is.Equal(submissions(), before)
		is.Equal(s.submitted(t), files)
		is.Equal(send(t, "plum", "one", form).status, 201)
	})

	t.Run("a file that is larger than other bodies", func(t *testing.T) {
		is := is.New(t)
		large := formBody("person", ada, "file", "large|"+strings.Repeat("x", uploadLimit))
		first := send(t, "large", "one", large)
		is.Equal(first.status, 201)
		is.Equal(send(t, "large", "two", large).body, first.body)
	})

	t.Run("concurrent retries create one submission and one file", func(t *testing.T) {
		const many = 16
		is := is.New(t)
		before, files := submissions(), s.submitted(t)
		answers := make([]response, many)
		var wg sync.WaitGroup
		for i := range many {
			wg.Go(func() { answers[i] = send(t, "race", "one", form) })
		}
		wg.Wait()
		for _, a := range answers {
			is.Equal(a.status, 201)
			is.Equal(a.body, answers[0].body)
		}
		is.Equal(submissions(), before+1)
		is.Equal(s.submitted(t), files+1)
	})
}

// submitted returns the number of stored files that were submitted over HTTP. The server has added
// a cleanup job for each of them.
func (s *server) submitted(t *testing.T) (n int) {
	t.Helper()
	queued, err := s.queue.List(context.Background(), jobs.FileCleanupKind)
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range queued {
		if f, err := s.files.Open(t.Context(), j.Payload); err == nil {
			_ = f.Close()
			n++
		}
	}
	return n
}

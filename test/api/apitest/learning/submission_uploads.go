package learning

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/test/api/apitest/bodies"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// SubmissionUploads checks submitting files.
func SubmissionUploads(t *testing.T, s *fixture.Server) {
	for _, tt := range []struct {
		name  string
		parts []string
		bytes string
		saved string // name under which a browser saves the file
	}{
		{"a page", []string{"person", records.Ada, "file", "page.html|<script>"}, "<script>", "page.html"},
		{"the file before the fields", []string{"file", "a.txt|a", "activity", records.Still, "person", records.Ada, "comment", "none"}, "a", "a.txt"},
		{"an empty file", []string{"person", records.Ada, "file", "empty|"}, "", "empty"},
		{"a name with a path", []string{"person", records.Ada, "file", `../../etc/passwd|x`}, "x", "passwd"},
		{"a name with a header injection", []string{"person", records.Ada, "file", `a%0d%0aSet-Cookie: x;é.txt|x`}, "x", "a0d0aset-cookie-xe.txt"},
		{"the maximum size", []string{"person", records.Ada, "file", "large|" + strings.Repeat("x", fixture.UploadLimit)}, strings.Repeat("x", fixture.UploadLimit), "large"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			made := s.SubmitForm(t, records.StillLife, tt.parts...)
			is.Equal(made.Status, 201)
			is.Equal(made.Header.Get("Location"), records.Base+"/v2/submissions/"+made.ID(t))
			a := s.Fetch(t, "GET", strings.TrimPrefix(downloadOf(t, s, made.ID(t)), records.Base))
			is.Equal(a.Status, 200)
			is.True(a.Body == tt.bytes)
			is.Equal(a.Header.Get("Content-Type"), "application/octet-stream")
			is.Equal(a.Header.Get("X-Content-Type-Options"), "nosniff")
			is.True(strings.HasPrefix(a.Header.Get("Content-Disposition"), "attachment; filename="+tt.saved+";"))
		})
	}
}

// RejectedUploads checks that a rejected form leaves no file.
func RejectedUploads(t *testing.T, s *fixture.Server) {
	const file = "a.txt|a"
	before := s.Get(t, "/v2/submissions").Body
	for _, tt := range []struct {
		name, assignment string
		parts            []string
		want             []string
	}{
		{"no assignment", records.Unknown, []string{"person", records.Ada, "file", file}, []string{"404 " + fixture.Missing}},
		{"an empty form", records.StillLife, nil, []string{"422 file can't be blank", "422 person can't be blank"}},
		{"no file", records.StillLife, []string{"person", records.Unknown}, []string{"422 file can't be blank", "404 person " + fixture.Missing}},
		{"a malformed person", records.StillLife, []string{"file", file, "person", "x"}, []string{"404 person " + fixture.Missing}},
		{"another school's", records.StillLife, []string{"file", file, "person", records.TheirPerson, "activity", records.TheirActivity}, []string{
			"404 activity " + fixture.Missing, "404 person " + fixture.Missing,
		}},
		{"not enrolled", records.StillLife, []string{"file", file, "person", records.Grace}, []string{"422 person is not enrolled in the course as a learner"}},
		{"two files", records.StillLife, []string{"file", file, "file", file, "person", records.Ada}, []string{"422 file is given more than once"}},
		{"two people", records.StillLife, []string{"file", file, "person", records.Ada, "person", records.Alan}, []string{"422 person is given more than once"}},
		{"another activity", records.StillLife, []string{"file", file, "person", records.Ada, "activity", records.Lines}, []string{"422 activity does not contain this assignment"}},
		{"in no activity", records.Essay, []string{"file", file, "person", records.Ada}, []string{"422 activity is required: no activity uses this assignment"}},
		{"no name", records.StillLife, []string{"person", records.Ada, "file", "..|a"}, []string{"422 file can't be blank"}},
		{"too large", records.StillLife, []string{"person", records.Ada, "file", "large|" + strings.Repeat("x", fixture.UploadLimit+1)}, []string{"413 The file exceeds 131072 bytes"}},
		{"much too large", records.StillLife, []string{"person", records.Ada, "file", "large|" + strings.Repeat("x", 2*fixture.UploadLimit)}, []string{"413 The file exceeds 131072 bytes"}},
		{"too many parts", records.StillLife, []string{strings.Repeat("x", 10), "", "file", file, "person", records.Ada}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			if tt.want == nil {
				for range 8 {
					tt.parts = append(tt.parts, "x", "")
				}
				tt.want = []string{"400 The form has more than 8 parts"}
			}
			is.Equal(s.SubmitForm(t, tt.assignment, tt.parts...).Failures(t), tt.want)
			is.Equal(s.Get(t, "/v2/submissions").Body, before)
		})
	}
	t.Run("not a form", func(t *testing.T) {
		is := is.New(t)
		a := s.Send(t, "POST", "/v2/assignments/"+records.StillLife+"/submissions", `{"data":{}}`)
		is.Equal(a.Status, http.StatusUnsupportedMediaType)
		whole := bodies.FormBody("person", records.Ada, "file", file)
		for _, cut := range []string{whole[:len(whole)-10], whole[:len(whole)/2], "", "x"} {
			is.Equal(s.Upload(t, records.StillLife, cut).Failures(t), []string{"400 Could not read the whole form"})
		}
		is.Equal(s.Get(t, "/v2/submissions").Body, before)
	})
	t.Run("a client that disconnects", func(t *testing.T) {
		is := is.New(t)
		r, w := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		request, err := http.NewRequestWithContext(ctx, "POST", s.URL+"/v2/assignments/"+records.StillLife+"/submissions", r)
		is.NoErr(err)
		request.Header.Set("Content-Type", "multipart/form-data; boundary="+bodies.Boundary)
		request.Header.Set("X-Api-Key", s.Key)
		go func() {
			_, _ = io.WriteString(w, strings.TrimSuffix(bodies.FormBody("person", records.Ada, "file", file), "--"+bodies.Boundary+"--\r\n"))
			_ = w.CloseWithError(errors.New("gone"))
		}()
		resp, err := http.DefaultClient.Do(request)
		if err == nil {
			is.Equal(resp.StatusCode, 400)
			is.NoErr(resp.Body.Close())
		}
		is.Equal(s.Get(t, "/v2/submissions").Body, before)
	})
}

package apitest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/matryer/is"
)

const boundary = "limit"

// formBody returns a multipart form. parts contains alternating names and values. The value of a
// file consists of its name and its content, separated by a vertical bar.
func formBody(parts ...string) string {
	var b strings.Builder
	for i := 0; i < len(parts); i += 2 {
		name, value := parts[i], parts[i+1]
		b.WriteString("--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + name + `"`)
		if file, bytes, ok := strings.Cut(value, "|"); ok {
			b.WriteString(`; filename="` + file + "\"\r\nContent-Type: text/html")
			value = bytes
		}
		b.WriteString("\r\n\r\n" + value + "\r\n")
	}
	return b.String() + "--" + boundary + "--\r\n"
}

// submitForm sends a form for an assignment.
func (s *server) submitForm(t *testing.T, assignment string, parts ...string) response {
	t.Helper()
	return s.upload(t, assignment, formBody(parts...))
}

func (s *server) upload(t *testing.T, assignment, body string) response {
	t.Helper()
	return s.request("POST", "/v2/assignments/"+assignment+"/submissions").with(body).
		set("Content-Type", "multipart/form-data; boundary="+boundary).send(t)
}

// submissionUploads checks submitting files.
func submissionUploads(t *testing.T, s *server) {
	for _, tt := range []struct {
		name  string
		parts []string
		bytes string
		saved string // name under which a browser saves the file
	}{
		{"a page", []string{"person", ada, "file", "page.html|<script>"}, "<script>", "page.html"},
		{"the file before the fields", []string{"file", "a.txt|a", "activity", still, "person", ada, "comment", "none"}, "a", "a.txt"},
		{"an empty file", []string{"person", ada, "file", "empty|"}, "", "empty"},
		{"a name with a path", []string{"person", ada, "file", `../../etc/passwd|x`}, "x", "passwd"},
		{"a name with a header injection", []string{"person", ada, "file", `a%0d%0aSet-Cookie: x;é.txt|x`}, "x", "a0d0aset-cookie-xe.txt"},
		{"the maximum size", []string{"person", ada, "file", "large|" + strings.Repeat("x", uploadLimit)}, strings.Repeat("x", uploadLimit), "large"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			made := s.submitForm(t, stillLife, tt.parts...)
			is.Equal(made.status, 201)
			is.Equal(made.header.Get("Location"), base+"/v2/submissions/"+made.id(t))
			a := s.fetch(t, "GET", strings.TrimPrefix(downloadOf(t, s, made.id(t)), base))
			is.Equal(a.status, 200)
			is.True(a.body == tt.bytes)
			is.Equal(a.header.Get("Content-Type"), "application/octet-stream")
			is.Equal(a.header.Get("X-Content-Type-Options"), "nosniff")
			is.True(strings.HasPrefix(a.header.Get("Content-Disposition"), "attachment; filename="+tt.saved+";"))
		})
	}
}

// rejectedUploads checks that a rejected form leaves no file.
func rejectedUploads(t *testing.T, s *server) {
	const file = "a.txt|a"
	before := s.get(t, "/v2/submissions").body
	for _, tt := range []struct {
		name, assignment string
		parts            []string
		want             []string
	}{
		{"no assignment", unknown, []string{"person", ada, "file", file}, []string{"404 " + missing}},
		{"an empty form", stillLife, nil, []string{"422 file can't be blank", "422 person can't be blank"}},
		{"no file", stillLife, []string{"person", unknown}, []string{"422 file can't be blank", "404 person " + missing}},
		{"a malformed person", stillLife, []string{"file", file, "person", "x"}, []string{"404 person " + missing}},
		{"another school's", stillLife, []string{"file", file, "person", theirPerson, "activity", theirActivity}, []string{
			"404 activity " + missing, "404 person " + missing,
		}},
		{"not enrolled", stillLife, []string{"file", file, "person", grace}, []string{"422 person is not enrolled in the course as a learner"}},
		{"two files", stillLife, []string{"file", file, "file", file, "person", ada}, []string{"422 file is given more than once"}},
		{"two people", stillLife, []string{"file", file, "person", ada, "person", alan}, []string{"422 person is given more than once"}},
		{"another activity", stillLife, []string{"file", file, "person", ada, "activity", lines}, []string{"422 activity does not contain this assignment"}},
		{"in no activity", essay, []string{"file", file, "person", ada}, []string{"422 activity is required: no activity uses this assignment"}},
		{"no name", stillLife, []string{"person", ada, "file", "..|a"}, []string{"422 file can't be blank"}},
		{"too large", stillLife, []string{"person", ada, "file", "large|" + strings.Repeat("x", uploadLimit+1)}, []string{"413 The file exceeds 131072 bytes"}},
		{"much too large", stillLife, []string{"person", ada, "file", "large|" + strings.Repeat("x", 2*uploadLimit)}, []string{"413 The file exceeds 131072 bytes"}},
		{"too many parts", stillLife, []string{strings.Repeat("x", 10), "", "file", file, "person", ada}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			if tt.want == nil {
				for range 8 {
					tt.parts = append(tt.parts, "x", "")
				}
				tt.want = []string{"400 The form has more than 8 parts"}
			}
			is.Equal(s.submitForm(t, tt.assignment, tt.parts...).failures(t), tt.want)
			is.Equal(s.get(t, "/v2/submissions").body, before)
		})
	}
	t.Run("not a form", func(t *testing.T) {
		is := is.New(t)
		a := s.send(t, "POST", "/v2/assignments/"+stillLife+"/submissions", `{"data":{}}`)
		is.Equal(a.status, http.StatusUnsupportedMediaType)
		whole := formBody("person", ada, "file", file)
		for _, cut := range []string{whole[:len(whole)-10], whole[:len(whole)/2], "", "x"} {
			is.Equal(s.upload(t, stillLife, cut).failures(t), []string{"400 Could not read the whole form"})
		}
		is.Equal(s.get(t, "/v2/submissions").body, before)
	})
	t.Run("a client that disconnects", func(t *testing.T) {
		is := is.New(t)
		r, w := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		request, err := http.NewRequestWithContext(ctx, "POST", s.url+"/v2/assignments/"+stillLife+"/submissions", r)
		is.NoErr(err)
		request.Header.Set("Content-Type", "multipart/form-data; boundary="+boundary)
		request.Header.Set("X-Api-Key", s.key)
		go func() {
			_, _ = io.WriteString(w, strings.TrimSuffix(formBody("person", ada, "file", file), "--"+boundary+"--\r\n"))
			_ = w.CloseWithError(errors.New("gone"))
		}()
		resp, err := http.DefaultClient.Do(request)
		if err == nil {
			is.Equal(resp.StatusCode, 400)
			is.NoErr(resp.Body.Close())
		}
		is.Equal(s.get(t, "/v2/submissions").body, before)
	})
}

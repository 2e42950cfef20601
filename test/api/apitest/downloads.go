package apitest

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/app/usecase"
	"lyceum/test/api/contract"
)

// submissionDownloads checks that a download link works without a key and expires.
func submissionDownloads(t *testing.T, s *server) {
	text := strings.TrimPrefix(downloadOf(t, s, adasDrawing), base)
	page := strings.TrimPrefix(downloadOf(t, s, adasPage), base)

	t.Run("link format", func(t *testing.T) {
		is := is.New(t)
		form := `^/files/submissions/` + adasDrawing + `/my-still-life--ete\.txt\?expires=1767376800&signature=[0-9a-f]{96}$`
		is.True(regexp.MustCompile(form).MatchString(text)) // valid until 18:00; the clock shows 16:04:05.123
	})
	t.Run("a file", func(t *testing.T) {
		is := is.New(t)
		a := s.fetch(t, "GET", text)
		is.Equal(a.status, 200)
		is.Equal(a.body, "An apple, a pear.\n")
		for name, want := range map[string]string{
			"Content-Type": "text/plain", "Content-Length": "18", "Accept-Ranges": "bytes", "Cache-Control": "private",
			"Content-Disposition":    `attachment; filename=my-still-life--ete.txt; filename*=UTF-8''My%20%22still%20life%22%20%E2%80%93%20%C3%A9t%C3%A9.txt`,
			"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox",
			"Referrer-Policy": "no-referrer", "ETag": `"` + adasDrawing + `"`,
		} {
			is.Equal(a.header.Get(name), want)
		}
		is.True(a.header.Get("X-Request-Id") != "")
	})
	t.Run("active content is sent as plain bytes", func(t *testing.T) {
		is := is.New(t)
		a := s.fetch(t, "GET", page)
		is.Equal(a.body, "<script>alert(1)</script>")
		is.Equal(a.header.Get("Content-Type"), "application/octet-stream")
		is.True(strings.HasPrefix(a.header.Get("Content-Disposition"), "attachment; filename=page.html;"))
	})
	t.Run("HEAD", func(t *testing.T) {
		is := is.New(t)
		a := s.fetch(t, "HEAD", text)
		is.Equal(a.status, 200)
		is.Equal(a.body, "")
		is.Equal(a.header.Get("Content-Length"), "18")
	})
	t.Run("a byte range", func(t *testing.T) {
		is := is.New(t)
		a := s.fetch(t, "GET", text, "Range", "bytes=3-7")
		is.Equal(a.status, 206)
		is.Equal(a.body, "apple")
		is.Equal(a.header.Get("Content-Range"), "bytes 3-7/18")
		is.Equal(s.fetch(t, "GET", text, "Range", "bytes=-6").body, "pear.\n")
		is.Equal(s.fetch(t, "GET", text, "Range", "bytes=0-0,3-7").status, 200) // the whole file
		a = s.fetch(t, "GET", text, "Range", "bytes=18-")
		is.Equal(a.status, 416)
		is.Equal(a.failures(t), []string{"416 The requested range is not satisfiable"})
		is.Equal(a.header.Get("Content-Range"), "bytes */18")
		is.Equal(a.header.Get("Content-Disposition"), "")
	})
	t.Run("If-None-Match and Accept", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.fetch(t, "GET", text, "If-None-Match", `"`+adasDrawing+`"`).status, 304)
		is.Equal(s.fetch(t, "GET", text, "Accept", "image/png").status, 200)
	})
	t.Run("other spellings and methods", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.fetch(t, "GET", "/"+text).status, 200)
		is.Equal(s.fetch(t, "GET", strings.Replace(text, "?", "/?", 1)).status, 200)
		is.Equal(s.fetch(t, "GET", text+"&utm=1").status, 200)
		is.Equal(s.fetch(t, "GET", strings.ReplaceAll(text, adasDrawing, strings.ToUpper(adasDrawing))).status, 200)
		is.Equal(s.fetch(t, "OPTIONS", text).header.Get("Allow"), "GET, HEAD, OPTIONS")
		is.Equal(s.fetch(t, "POST", text).status, 405)
		is.Equal(s.fetch(t, "DELETE", text).status, 405)
	})

	signature := text[len(text)-96:]
	const no = "403 This link is invalid"
	for name, tt := range map[string]struct{ path, want string }{
		"no signature":                   {strings.Split(text, "&")[0], no},
		"no expiry":                      {strings.Replace(text, "expires=", "was=", 1), no},
		"nothing":                        {strings.Split(text, "?")[0], no},
		"an altered signature":           {strings.Replace(text, signature, strings.Repeat("0", 96), 1), no},
		"another school":                 {strings.Replace(text, signature[:32], strings.Repeat("0", 32), 1), no},
		"no school":                      {strings.Replace(text, signature[:32], "", 1), no},
		"a malformed school id":          {strings.Replace(text, signature[:32], strings.Repeat("g", 32), 1), no},
		"half of a school id":            {strings.Replace(text, signature, signature[:16], 1), no},
		"a longer signature":             {text + "0", no},
		"an uppercase signature":         {strings.Replace(text, signature, strings.ToUpper(signature), 1), no},
		"a signature twice":              {text + "&signature=" + signature, no},
		"an additional blank signature":  {text + "&signature=", no},
		"a later expiry":                 {strings.Replace(text, "1767376800", "1767380400", 1), no},
		"an expiry with a leading zero":  {strings.Replace(text, "1767376800", "01767376800", 1), no},
		"an expiry that is not a number": {strings.Replace(text, "1767376800", "soon", 1), no},
		"an expiry in the past":          {strings.Replace(text, "1767376800", "-1", 1), "403 This link has expired"},
		"another name":                   {strings.Replace(text, "my-still-life--ete.txt", "my-still-life--ete.html", 1), no},
		"the name in uppercase":          {strings.Replace(text, "/my-", "/My-", 1), no},
		"another file":                   {strings.Replace(text, adasDrawing, adasPage, 1), no},
		"another school's file":          {strings.Replace(text, adasDrawing, theirSubmission, 1), no},
		"no file":                        {strings.Replace(text, adasDrawing, unknown, 1), no},
		"no id":                          {strings.Replace(text, adasDrawing, "x", 1), no},
		"a parent folder":                {strings.Replace(text, adasDrawing, "..", 1), no},
		"an escaped slash":               {strings.Replace(text, "/my-", "/..%2F..%2Fetc%2Fpasswd", 1), no},
		"an escaped zero":                {strings.Replace(text, "/my-", "/%00", 1), no},
		"an additional path segment":     {strings.Replace(text, "?", "/more?", 1), "401 You don't have the necessary credentials"},
		"a missing path segment":         {strings.Replace(text, "/"+adasDrawing, "", 1), "401 You don't have the necessary credentials"},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			a := s.fetch(t, "GET", tt.path)
			is.Equal(a.failures(t), []string{tt.want})
			is.Equal(a.header.Get("Cache-Control"), "no-cache")
			is.Equal(a.header.Get("Content-Type"), "application/json; charset=utf-8")
		})
	}

	t.Run("expiry", func(t *testing.T) {
		is := is.New(t)
		end := time.Unix(1767376800, 0)
		s.clock.Advance(end.Add(-time.Millisecond).Sub(s.clock.Now()))
		is.Equal(s.fetch(t, "GET", text).status, 200)
		s.clock.Advance(time.Millisecond)
		is.Equal(s.fetch(t, "GET", text).failures(t), []string{"403 This link has expired"})
		is.Equal(s.fetch(t, "GET", strings.TrimPrefix(downloadOf(t, s, adasDrawing), base)).status, 200)
	})
	t.Run("a deleted file", func(t *testing.T) {
		is := is.New(t)
		link := strings.TrimPrefix(downloadOf(t, s, adasDrawing), base)
		is.NoErr(s.files.Delete(t.Context(), usecase.FilesOf(s.own)+adasDrawing))
		is.Equal(s.fetch(t, "GET", link).failures(t), []string{"404 " + missing})
	})
}

// downloadOf returns the link to the file of a submission.
func downloadOf(t *testing.T, s *server, id string) string {
	t.Helper()
	var single struct {
		Data struct{ Links struct{ Download string } }
	}
	if err := json.Unmarshal([]byte(s.get(t, "/v2/submissions/"+id).body), &single); err != nil {
		t.Fatal(err)
	}
	return single.Data.Links.Download
}

// fetch sends a request without a key. header contains alternating names and values.
// contract.Transport compares the response with the description. fetch does not call check, because
// the response is not a JSON:API document.
func (s *server) fetch(t *testing.T, method, path string, header ...string) response {
	t.Helper()
	resp, err := contract.Transport{Contract: s.contract}.RoundTrip(s.newRequest(t, method, path, header...)) //lint:ignore bodyclose readResponse closes it
	return readResponse(t, resp, err)
}

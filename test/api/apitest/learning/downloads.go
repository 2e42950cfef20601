package learning

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/app/usecase"
	"lyceum/test/api/apitest/fixture"
	"lyceum/test/api/apitest/records"
)

// Downloads checks that a download link works without a key and expires.
func Downloads(t *testing.T, s *fixture.Server) {
	text := strings.TrimPrefix(downloadOf(t, s, records.AdasDrawing), records.Base)
	page := strings.TrimPrefix(downloadOf(t, s, records.AdasPage), records.Base)

	t.Run("link format", func(t *testing.T) {
		is := is.New(t)
		form := `^/files/submissions/` + records.AdasDrawing + `/my-still-life--ete\.txt\?expires=1767376800&signature=[0-9a-f]{96}$`
		is.True(regexp.MustCompile(form).MatchString(text)) // valid until 18:00; the clock shows 16:04:05.123
	})
	t.Run("a file", func(t *testing.T) {
		is := is.New(t)
		a := s.Fetch(t, "GET", text)
		is.Equal(a.Status, 200)
		is.Equal(a.Body, "An apple, a pear.\n")
		for name, want := range map[string]string{
			"Content-Type": "text/plain", "Content-Length": "18", "Accept-Ranges": "bytes", "Cache-Control": "private",
			"Content-Disposition":    `attachment; filename=my-still-life--ete.txt; filename*=UTF-8''My%20%22still%20life%22%20%E2%80%93%20%C3%A9t%C3%A9.txt`,
			"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox",
			"Referrer-Policy": "no-referrer", "ETag": `"` + records.AdasDrawing + `"`,
		} {
			is.Equal(a.Header.Get(name), want)
		}
		is.True(a.Header.Get("X-Request-Id") != "")
	})
	t.Run("active content is sent as plain bytes", func(t *testing.T) {
		is := is.New(t)
		a := s.Fetch(t, "GET", page)
		is.Equal(a.Body, "<script>alert(1)</script>")
		is.Equal(a.Header.Get("Content-Type"), "application/octet-stream")
		is.True(strings.HasPrefix(a.Header.Get("Content-Disposition"), "attachment; filename=page.html;"))
	})
	t.Run("HEAD", func(t *testing.T) {
		is := is.New(t)
		a := s.Fetch(t, "HEAD", text)
		is.Equal(a.Status, 200)
		is.Equal(a.Body, "")
		is.Equal(a.Header.Get("Content-Length"), "18")
	})
	t.Run("a byte range", func(t *testing.T) {
		is := is.New(t)
		a := s.Fetch(t, "GET", text, "Range", "bytes=3-7")
		is.Equal(a.Status, 206)
		is.Equal(a.Body, "apple")
		is.Equal(a.Header.Get("Content-Range"), "bytes 3-7/18")
		is.Equal(s.Fetch(t, "GET", text, "Range", "bytes=-6").Body, "pear.\n")
		is.Equal(s.Fetch(t, "GET", text, "Range", "bytes=0-0,3-7").Status, 200) // the whole file
		a = s.Fetch(t, "GET", text, "Range", "bytes=18-")
		is.Equal(a.Status, 416)
		is.Equal(a.Failures(t), []string{"416 The requested range is not satisfiable"})
		is.Equal(a.Header.Get("Content-Range"), "bytes */18")
		is.Equal(a.Header.Get("Content-Disposition"), "")
	})
	t.Run("If-None-Match and Accept", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Fetch(t, "GET", text, "If-None-Match", `"`+records.AdasDrawing+`"`).Status, 304)
		is.Equal(s.Fetch(t, "GET", text, "Accept", "image/png").Status, 200)
	})
	t.Run("other spellings and methods", func(t *testing.T) {
		is := is.New(t)
		is.Equal(s.Fetch(t, "GET", "/"+text).Status, 200)
		is.Equal(s.Fetch(t, "GET", strings.Replace(text, "?", "/?", 1)).Status, 200)
		is.Equal(s.Fetch(t, "GET", text+"&utm=1").Status, 200)
		is.Equal(s.Fetch(t, "GET", strings.ReplaceAll(text, records.AdasDrawing, strings.ToUpper(records.AdasDrawing))).Status, 200)
		is.Equal(s.Fetch(t, "OPTIONS", text).Header.Get("Allow"), "GET, HEAD, OPTIONS")
		is.Equal(s.Fetch(t, "POST", text).Status, 405)
		is.Equal(s.Fetch(t, "DELETE", text).Status, 405)
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
		"another file":                   {strings.Replace(text, records.AdasDrawing, records.AdasPage, 1), no},
		"another school's file":          {strings.Replace(text, records.AdasDrawing, records.TheirSubmission, 1), no},
		"no file":                        {strings.Replace(text, records.AdasDrawing, records.Unknown, 1), no},
		"no id":                          {strings.Replace(text, records.AdasDrawing, "x", 1), no},
		"a parent folder":                {strings.Replace(text, records.AdasDrawing, "..", 1), no},
		"an escaped slash":               {strings.Replace(text, "/my-", "/..%2F..%2Fetc%2Fpasswd", 1), no},
		"an escaped zero":                {strings.Replace(text, "/my-", "/%00", 1), no},
		"an additional path segment":     {strings.Replace(text, "?", "/more?", 1), "401 You don't have the necessary credentials"},
		"a missing path segment":         {strings.Replace(text, "/"+records.AdasDrawing, "", 1), "401 You don't have the necessary credentials"},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			a := s.Fetch(t, "GET", tt.path)
			is.Equal(a.Failures(t), []string{tt.want})
			is.Equal(a.Header.Get("Cache-Control"), "no-cache")
			is.Equal(a.Header.Get("Content-Type"), "application/json; charset=utf-8")
		})
	}

	t.Run("expiry", func(t *testing.T) {
		is := is.New(t)
		end := time.Unix(1767376800, 0)
		s.Clock.Advance(end.Add(-time.Millisecond).Sub(s.Clock.Now()))
		is.Equal(s.Fetch(t, "GET", text).Status, 200)
		s.Clock.Advance(time.Millisecond)
		is.Equal(s.Fetch(t, "GET", text).Failures(t), []string{"403 This link has expired"})
		is.Equal(s.Fetch(t, "GET", strings.TrimPrefix(downloadOf(t, s, records.AdasDrawing), records.Base)).Status, 200)
	})
	t.Run("a deleted file", func(t *testing.T) {
		is := is.New(t)
		link := strings.TrimPrefix(downloadOf(t, s, records.AdasDrawing), records.Base)
		is.NoErr(s.Files.Delete(t.Context(), usecase.FilesOf(s.Own)+records.AdasDrawing))
		is.Equal(s.Fetch(t, "GET", link).Failures(t), []string{"404 " + fixture.Missing})
	})
}

// downloadOf returns the link to the file of a submission.
func downloadOf(t *testing.T, s *fixture.Server, id string) string {
	t.Helper()
	var single struct {
		Data struct{ Links struct{ Download string } }
	}
	if err := json.Unmarshal([]byte(s.Get(t, "/v2/submissions/"+id).Body), &single); err != nil {
		t.Fatal(err)
	}
	return single.Data.Links.Download
}

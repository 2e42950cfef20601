package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"lyceum/domain/school"
)

// attack is an operation that several clients repeat, each on its own connections.
type attack struct {
	name    string
	clients int
	once    func(ctx context.Context, c *http.Client, w serverInfo) int // returns the status of the response, or 0 if there is none
}

var (
	imports    importer
	hooks      receivers
	allChanges followed
)

var attacks = []attack{
	{"expensive searches", 200, func(ctx context.Context, c *http.Client, w serverInfo) int {
		return request(ctx, c, http.MethodGet, w.URL+"/v1/analytics/courses?q=e+"+letter()+"&sort=-progress", w.Attacker, nil)
	}},
	{"lists with wrong filters", 200, func(ctx context.Context, c *http.Client, w serverInfo) int {
		return request(ctx, c, http.MethodGet, w.URL+"/v1/analytics/courses?q=e+a+n&sort=-progress&filter[full_name][cont]="+letter(), w.Attacker, nil)
	}},
	{"cheap requests", 200, func(ctx context.Context, c *http.Client, w serverInfo) int {
		return request(ctx, c, http.MethodGet, w.URL+"/v2/people?limit=100", w.Attacker, nil)
	}},
	{"pages of 1,000 people", 64, func(ctx context.Context, c *http.Client, w serverInfo) int {
		return request(ctx, c, http.MethodGet, w.URL+"/v2/people?limit=1000", w.Attacker, nil)
	}},
	{"pages of wide records", 60, func(ctx context.Context, c *http.Client, w serverInfo) int {
		return request(ctx, c, http.MethodGet, w.URL+"/v2/people?limit=100", w.Wide, nil)
	}},
	{"wide records without their properties", 60, func(ctx context.Context, c *http.Client, w serverInfo) int {
		return request(ctx, c, http.MethodGet, w.URL+"/v2/people?limit=100&fields[people]=email", w.Wide, nil)
	}},
	{"2,000 parameters without a key", 64, func(ctx context.Context, c *http.Client, w serverInfo) int {
		return request(ctx, c, http.MethodGet, w.URL+"/v2/people?"+parameters(2000), "", nil)
	}},
	{"6,000 parameters without a key", 64, func(ctx context.Context, c *http.Client, w serverInfo) int {
		return request(ctx, c, http.MethodGet, w.URL+"/v2/people?"+parameters(6000), "", nil)
	}},
	{"bodies of 880 KB", 8, func(ctx context.Context, c *http.Client, w serverInfo) int {
		body := strings.NewReader(`{"data":{"type":"categories","attributes":{"name":"` + strings.Repeat("x", 880<<10) + `"}}}`)
		return request(ctx, c, http.MethodPost, w.URL+"/v1/categories", w.Attacker, body)
	}},
	{"structures of 350,000 empty objects", 16, func(ctx context.Context, c *http.Client, w serverInfo) int {
		body := strings.NewReader(`{"data":{"attributes":{"activities":[` + strings.Repeat("{},", 1<<20/3) + `{}]}}}`)
		return request(ctx, c, http.MethodPut, w.URL+"/v2/courses/"+w.Course+"/structure", w.Attacker, body)
	}},
	{"exports read slowly", 20, func(ctx context.Context, c *http.Client, w serverInfo) int {
		r, _ := http.NewRequestWithContext(ctx, http.MethodGet, w.URL+"/v2/export", nil)
		r.Header.Set("X-Api-Key", w.Attacker)
		resp, err := c.Do(r)
		if err != nil {
			return 0
		}
		_, _ = io.CopyN(io.Discard, resp.Body, 1000)
		pause(ctx, time.Second)
		_ = resp.Body.Close()
		return resp.StatusCode
	}},
	{"bulk requests and invitations", 20, func(ctx context.Context, c *http.Client, w serverInfo) int {
		body := `{"data":{"type":"people","attributes":{"people":[` + bulkRows(500) + `]}}}`
		return request(ctx, c, http.MethodPost, w.URL+"/v1/bulk/people", w.Attacker, strings.NewReader(body))
	}},
	{"wrong keys", 200, func(ctx context.Context, c *http.Client, w serverInfo) int {
		random := make([]byte, school.SecretBytes)
		for i := range random {
			random[i] = byte(rand.IntN(256))
		}
		return request(ctx, c, http.MethodGet, w.URL+"/v2/school", school.EncodeSecret(random), nil)
	}},
	{"unknown invitations with 1 MiB", 50, func(ctx context.Context, c *http.Client, w serverInfo) int {
		body := strings.NewReader(`{"data":{"attributes":{"first_name":"` + strings.Repeat("x", 1<<20-100) + `"}}}`)
		return request(ctx, c, http.MethodPost, w.URL+"/v2/invitations/"+strings.Repeat(letter(), 40)+"/acceptance", "", body)
	}},
	{"the library of /docs, unpacked", 50, func(ctx context.Context, c *http.Client, w serverInfo) int {
		return request(ctx, c, http.MethodHead, w.URL+library, "", nil)
	}},
	{"the files without a key", 50, func(ctx context.Context, c *http.Client, w serverInfo) int {
		path := []string{library, "/openapi.json"}[rand.IntN(2)]
		return request(ctx, c, http.MethodGet, w.URL+path, "", nil)
	}},
	{"files submitted slowly", 200, func(ctx context.Context, c *http.Client, w serverInfo) int {
		return submit(ctx, c, w, "\r\n", slowBody{ctx})
	}},
	{"files submitted at full speed", 16, func(ctx context.Context, c *http.Client, w serverInfo) int {
		return submit(ctx, c, w, "\r\n", io.LimitReader(repeated("a text of some length\n"), 64<<20))
	}},
	{"files whose lines begin with the boundary", 16, func(ctx context.Context, c *http.Client, w serverInfo) int {
		line := []string{"\n", "\r\n"}[rand.IntN(2)]
		return submit(ctx, c, w, line, io.LimitReader(repeated(line+"--bX"), 64<<20))
	}},
	{"people imported as CSV", 1, func(ctx context.Context, _ *http.Client, w serverInfo) int { return imports.run(ctx, w) }},
	{"schools deleted", 1, func(ctx context.Context, _ *http.Client, w serverInfo) int { return imports.deleteSchool(ctx, w) }},
	{"bodies sent slowly", 200, func(ctx context.Context, c *http.Client, w serverInfo) int {
		return request(ctx, c, http.MethodPost, w.URL+"/v1/categories", w.Attacker, slowBody{ctx})
	}},
	{"requests with 14,000 header fields", 200, func(ctx context.Context, _ *http.Client, w serverInfo) int {
		return raw(ctx, w, manyFields)
	}},
	{"bodies in chunks of one byte", 50, func(ctx context.Context, _ *http.Client, w serverInfo) int {
		return raw(ctx, w, "POST /v2/people HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", smallChunks)
	}},
	{"health requests", 200, func(ctx context.Context, _ *http.Client, w serverInfo) int { return raw(ctx, w, probes) }},
	{"covers without a key", 64, func(ctx context.Context, c *http.Client, w serverInfo) int {
		return request(ctx, c, http.MethodGet, w.URL+"/learn/crowded/outline/large/cover", "", nil)
	}},
	{"webhooks to expensive certificates", 32, func(ctx context.Context, c *http.Client, w serverInfo) int { return hooks.ping(ctx, c, w) }},
	{"100,000 enrollments added again and again", 8, addCourses(1)},
	{"the same, by two schools", 8, addCourses(2)},
	{"20 webhook endpoints for many changes", 4, func(ctx context.Context, c *http.Client, w serverInfo) int { return allChanges.change(ctx, c, w) }},
	crowded,
	several,
}

// several is an attack with several kinds of requests at once.
var several = attack{"all at once", 200, func(ctx context.Context, c *http.Client, w serverInfo) int {
	get := func(path string) int { return request(ctx, c, http.MethodGet, w.URL+path, w.Attacker, nil) }
	switch rand.IntN(8) {
	case 0:
		return get("/v1/analytics/courses?q=e+" + letter() + "&sort=-progress")
	case 1:
		return get("/v2/people?limit=1000")
	case 2:
		return get(fmt.Sprintf("/v2/people?page=%d&limit=100", 1+rand.IntN(190)))
	case 3:
		return get("/v2/export")
	case 4:
		return request(ctx, c, http.MethodGet, w.URL+"/v2/people?limit=100", w.Wide, nil)
	case 5:
		body := fmt.Sprintf(`{"data":{"type":"people","attributes":{"people":[{"email":"a%d@example.test"}]}}}`, rand.Int64())
		return request(ctx, c, http.MethodPost, w.URL+"/v2/bulk/people", w.Attacker, strings.NewReader(body))
	case 6:
		body := fmt.Sprintf(`{"data":{"type":"categories","attributes":{"name":"c%d"}}}`, rand.Int64())
		return request(ctx, c, http.MethodPost, w.URL+"/v2/categories", w.Attacker, strings.NewReader(body))
	}
	return request(ctx, c, http.MethodGet, w.URL+"/openapi.json", "", nil)
}}

// slowBody is a body that sends two bytes per second.
type slowBody struct{ ctx context.Context }

// Read returns a space after a pause.
func (s slowBody) Read(b []byte) (int, error) {
	pause(s.ctx, 500*time.Millisecond)
	b[0] = ' '
	return 1, s.ctx.Err()
}

// parameters returns a query of n parameters.
func parameters(n int) string { return strings.TrimSuffix(strings.Repeat("a=1&", n), "&") }

func letter() string { return string(rune('a' + rand.IntN(6))) }

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{DisableCompression: true}}
}

// request sends a request, reads the response, and returns its status, or 0 if there is no
// response.
func request(ctx context.Context, c *http.Client, method, url, key string, body io.Reader) int {
	r, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return 0
	}
	if key != "" {
		r.Header.Set("X-Api-Key", key)
	}
	return finish(c.Do(r))
}

// submit submits a file, in a form whose lines end with line.
func submit(ctx context.Context, c *http.Client, w serverInfo, line string, file io.Reader) int {
	begin := "--b" + line + `Content-Disposition: form-data; name="file"; filename="a.txt"` + line + line
	r, _ := http.NewRequestWithContext(ctx, http.MethodPost, w.URL+"/v2/assignments/"+w.Assignment+"/submissions",
		io.MultiReader(strings.NewReader(begin), file))
	r.Header.Set("X-Api-Key", w.Attacker)
	r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
	return finish(c.Do(r))
}

// repeated is a text without an end, which repeats itself.
type repeated string

// Read implements io.Reader.
func (r repeated) Read(p []byte) (int, error) {
	if len(p) < len(r) {
		return copy(p, r), nil
	}
	n := 0
	for n+len(r) <= len(p) {
		n += copy(p[n:], r)
	}
	return n, nil
}

// finish reads a response and returns its status, or 0 if there is no response.
func finish(resp *http.Response, err error) int {
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	return resp.StatusCode
}

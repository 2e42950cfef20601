package cli

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/demo"
)

// free makes a server listen on any free port.
const free = "--addr=127.0.0.1:0"

const (
	// greeting is the text before the address in the banner.
	greeting = "Listening on "
	// memoryNotice begins a later line of the banner of a server in memory.
	memoryNotice = "IN-MEMORY STORE: "
)

// get sends a GET request and returns the status and the body of the response.
func get(ctx context.Context, url, key string) (int, string, error) {
	return ask(ctx, http.MethodGet, url, key, "")
}

// post is like get, but sends a POST request with a body.
func post(ctx context.Context, url, key, body string) (int, string, error) {
	return ask(ctx, http.MethodPost, url, key, body)
}

func ask(ctx context.Context, method, url, key, body string) (int, string, error) {
	client := http.Client{Transport: &http.Transport{
		DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}}
	request, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("X-Api-Key", key)
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	return response.StatusCode, string(answer), err
}

func TestServeStartsAnswersAndStops(t *testing.T) {
	is := is.New(t)
	p := start(t, nil, "serve", free)
	url := p.line(t, greeting)
	status, _, err := get(t.Context(), url+"/readyz", "")
	is.NoErr(err)
	is.Equal(status, http.StatusOK)
	status, _, err = get(t.Context(), url+"/v1/courses", "")
	is.NoErr(err)
	is.Equal(status, http.StatusUnauthorized)
	p.line(t, memoryNotice)
	p.stop()
	is.Equal(<-p.code, 0)
	_, _, err = get(t.Context(), url+"/readyz", "")
	is.True(err != nil) // no server listens
	is.True(strings.Contains(p.stderr.String(), "level=INFO msg=stopping"))
}

func TestReferencePageCanBeDisabled(t *testing.T) {
	is := is.New(t)
	for on, status := range map[string]int{"true": 200, "false": 404} {
		p := start(t, nil, "serve", free, "--docs="+on)
		url := p.line(t, greeting)
		p.line(t, memoryNotice) // it follows the line with the address of the page
		got, _, err := get(t.Context(), url+"/docs", "")
		is.NoErr(err)
		is.Equal(got, status)
		is.Equal(strings.Contains(p.stdout.String(), url+"/docs"), on == "true")
	}
}

// The printed command can be pasted into a shell.
func TestPrintedCurlCommandWorks(t *testing.T) {
	is := is.New(t)
	for _, mode := range []string{"off", "self-signed"} {
		p := start(t, nil, "serve", "--demo", free, "--tls.mode="+mode)
		url := p.line(t, greeting)
		_, description, err := get(t.Context(), url+"/openapi.json", "")
		is.NoErr(err)
		is.True(strings.Contains(description, `KEY=`+demo.Key+`\n`) && strings.Contains(description, `URL=`+url+`\n`)) // the quick start contains both
		line := p.line(t, "Try it: ")
		is.True(strings.Contains(line, demo.Key))
		out, err := exec.CommandContext(t.Context(), "sh", "-c", line).Output()
		is.NoErr(err)
		var document struct{ Data []any }
		is.NoErr(json.Unmarshal(out, &document))
		is.Equal(len(document.Data), 8) // all courses of the demo school
		is.Equal(p.line(t, `Key "Demo": `), demo.Key)
	}
}

func TestDemoRequiresLoopback(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"on postgres", []string{"--store=postgres", "--database.url=x"}, "serve --demo: is allowed only with --store=memory"},
		{
			"on every address",
			[]string{"--addr=:0", "--tls.mode=self-signed"},
			"serve --demo: requires a loopback address (addr is :0)",
		},
		{
			"on an address of the network",
			[]string{"--addr=192.0.2.7:80", "--tls.mode=insecure"},
			"serve --demo: requires a loopback address (addr is 192.0.2.7:80)",
		},
		{
			"behind a proxy",
			[]string{free, "--tls.mode=proxy", "--trusted-proxies=127.0.0.1"},
			"serve --demo: is not allowed with --tls.mode=proxy",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			code, stdout, stderr := lyceum(t, nil, append([]string{"serve", "--demo"}, tt.args...)...)
			is.Equal(code, 1)
			is.Equal(stdout, "")
			is.Equal(stderr, "lyceum: "+tt.want+"\n")
		})
	}
}

// head returns the first line of a school file, and end is the last line.
func head(name string) string {
	return `{"kind": "school", "format": 1, "name": "` + name + `"}` + "\n"
}

const end = "\n" + `{"kind": "end"}`

func TestServeLoadsSchools(t *testing.T) {
	is := is.New(t)
	two := write(t, "two.jsonl", head("Two")+`{"kind": "category", "name": "Only here"}`+end)
	three := write(t, "three.jsonl", head("Three")+`{"kind": "api_key", "name": "C", "secret": "`+demo.Key+`"}`+end)
	p := start(t, nil, "serve", free, "--load="+three, "--load="+two)
	url := p.line(t, greeting)
	for key, want := range map[string]int{p.line(t, `Key "admin": `): 1, demo.Key: 0} {
		status, body, err := get(t.Context(), url+"/v1/categories", key)
		is.NoErr(err)
		is.Equal(status, http.StatusOK)
		is.Equal(strings.Count(body, `"type":"categories"`), want) // each key gives access to its own school only
	}
	is.True(!strings.Contains(p.stdout.String(), demo.Key)) // a given secret is not printed
}

func TestDocumentedSchoolFileLoads(t *testing.T) {
	is := is.New(t)
	p := start(t, nil, "serve", free, "--load=../../docs/examples/school.jsonl")
	url, key := p.line(t, greeting), p.line(t, `Key "admin": `)
	for path, want := range map[string]int{
		"coupons": 2, "courses": 2, "people": 4, "groups": 1, "analytics/courses": 2, "submissions": 1,
	} {
		status, body, err := get(t.Context(), url+"/v2/"+path, key)
		is.NoErr(err)
		is.Equal(status, http.StatusOK)
		is.Equal(strings.Count(body, `"attributes"`), want) // number of records at this path
	}
}

func TestServeRejectsInvalidSchoolFiles(t *testing.T) {
	unknown := write(t, "a.jsonl", `{"kind": "school", "format": 1, "title": "x"}`)
	invalid := write(t, "b.jsonl", head("x")+`{"kind": "person", "email": "x"}`+end)
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"no file", []string{"--load=/none.jsonl"}, "serve --load: /none.jsonl: open /none.jsonl: no such file or directory"},
		{"an unknown member", []string{"--load=" + unknown}, "serve --load: " + unknown + ": line 1: school: title: unknown field"},
		{"what the domain refuses", []string{"--load=" + invalid}, "serve --load: " + invalid + ": line 2: person: email: is not a valid email address"},
		{
			"on postgres",
			[]string{"--load=" + unknown, "--store=postgres", "--database.url=x"},
			"serve --load: is allowed only with --store=memory",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			code, _, stderr := lyceum(t, nil, append([]string{"serve", free}, tt.args...)...)
			is.Equal(code, 1)
			is.Equal(stderr, "lyceum: "+tt.want+"\n")
		})
	}
}

func TestBannerShowsTLS(t *testing.T) {
	is := is.New(t)
	p := start(t, nil, "serve", free, "--tls.mode=self-signed")
	is.True(strings.HasPrefix(p.line(t, greeting), "https://127.0.0.1:"))
	is.Equal(len(p.line(t, "Certificate SHA-256 fingerprint: ")), 32*3-1)

	p = start(t, nil, "serve", "--addr=:0", "--tls.mode=insecure")
	is.True(strings.HasPrefix(p.line(t, greeting), "http://localhost:"))
	is.True(strings.HasPrefix(p.line(t, "WARNING: "), "tls.mode is insecure"))

	p = start(t, nil, "serve", free, "--tls.mode=proxy", "--trusted-proxies=10.0.0.0/8")
	is.True(strings.HasPrefix(p.line(t, "WARNING: "), "base-url is not set"))
}

func TestLinksUseConfiguredBases(t *testing.T) {
	is := is.New(t)
	p := start(t, environment{"LYCEUM_BASE_URL": "https://school.example/api/", "LYCEUM_ACADEMY_URL": "https://learn.example"},
		"serve", "--demo", free)
	url := p.line(t, greeting)
	_, body, err := get(t.Context(), url+"/v1/courses/welcome", demo.Key)
	is.NoErr(err)
	is.True(strings.Contains(body, `"self":"https://school.example/api/v1/courses/welcome"`))
	is.True(strings.Contains(body, `"teaching":"https://school.example/api/app/riverside-academy/courses/welcome"`))
	is.True(strings.Contains(body, `"share_course_link":"https://learn.example/outline/welcome/cover"`))
	is.True(!strings.Contains(body, url)) // not the listener's address
}

func TestHealthcheck(t *testing.T) {
	is := is.New(t)
	for _, mode := range []string{"off", "self-signed", "proxy"} {
		env := environment{"LYCEUM_TLS_MODE": mode, "LYCEUM_ADDR": "127.0.0.1:0"}
		args := []string{"serve"}
		if mode == "proxy" { // the health check does not go through the proxy
			args = append(args, "--trusted-proxies=192.0.2.7", "--base-url=https://school.example")
		}
		p := start(t, env, args...)
		_, env["LYCEUM_ADDR"], _ = strings.Cut(p.line(t, greeting), "://")
		code, stdout, _ := lyceum(t, env, "healthcheck")
		is.Equal(code, 0)
		is.Equal(stdout, "ready\n")
		p.stop()
		is.Equal(<-p.code, 0)
		code, _, stderr := lyceum(t, env, "healthcheck")
		is.Equal(code, 1)
		is.True(strings.HasPrefix(stderr, "lyceum: not ready: "))
	}
	code, _, stderr := lyceum(t, nil, "healthcheck", "--addr=nowhere")
	is.Equal(code, 1)
	is.Equal(stderr, "lyceum: addr: \"nowhere\" must have the form host:port, such as 127.0.0.1:8080\n")
}

func TestHealthcheckAddresses(t *testing.T) {
	is := is.New(t)
	p := start(t, nil, "serve", "--addr=:0", "--tls.mode=insecure")
	_, port, _ := strings.Cut(p.line(t, greeting), "//localhost")
	for _, host := range []string{"", "0.0.0.0", "[::]"} {
		code, _, _ := lyceum(t, nil, "healthcheck", "--addr="+host+port, "--tls.mode=insecure")
		is.Equal(code, 0)
	}
}

// The page of an accepted invitation signs the person in to this server's academy, or links to
// another site for learners. Without either, it has no link.
func TestInvitationLeadsToAcademy(t *testing.T) {
	for flag, want := range map[string]string{
		"--academy-url=": `<a href="http://127\.0\.0\.1:\d+/learn/donaudampf[a-z]+/sign-in/[0-9a-f]{40}">Begin</a>`,
		"--academy-url=https://learn.example.test/": `<a href="https://learn\.example\.test/">Begin</a>`,
		"--academy=false": `<p>Your account is ready\.`,
	} {
		t.Run(flag, func(t *testing.T) {
			is := is.New(t)
			url := start(t, nil, "serve", free, "--load=../../test/e2e/browser/school.jsonl", flag).line(t, greeting)
			status, page, err := post(t.Context(), url+"/invitations/"+strings.Repeat("2", 40), "", "")
			is.NoErr(err)
			is.Equal(status, http.StatusOK)
			is.True(regexp.MustCompile(want).MatchString(page))
			is.Equal(strings.Contains(page, "Your account is ready."), flag == "--academy=false")
		})
	}
}

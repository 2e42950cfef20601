package server_test

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"
	"go.uber.org/fx"
	"lyceum/adapters/demo"
	"lyceum/adapters/telemetry"
	"lyceum/app/transfer"
	"lyceum/cmd/server"
	"lyceum/test/api/contract"
)

// If the directory for files is full or not writable, only submissions are rejected. The status of
// the response, the readiness check and the metrics report it.
func TestUnavailableFilesFolder(t *testing.T) {
	for _, tt := range []struct {
		name   string
		damage func(t *testing.T, dir string) (repair func())
		status int
		detail string
	}{
		{"full", limitFiles, http.StatusInsufficientStorage, "There is not enough storage space for files"},
		{"not writable", replaceFolder, http.StatusServiceUnavailable, "The file directory is not writable"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			if tt.status == http.StatusInsufficientStorage && os.Getenv("LYCEUM_TEST_FULL") == "" {
				// The test limits a second process, because a limit of this one would also affect
				// files of the go command.
				command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestUnavailableFilesFolder$/^full$")
				command.Env = append(os.Environ(), "LYCEUM_TEST_FULL=1")
				out, err := command.CombinedOutput()
				if err != nil || !strings.Contains(string(out), "PASS") {
					t.Fatalf("%v\n%s", err, out)
				}
				return
			}
			cfg := local()
			cfg.Files.Dir, cfg.Metrics.Addr = t.TempDir(), "127.0.0.1:0"
			var metrics *telemetry.Server
			s, err := server.New(cfg, fx.Populate(&metrics))
			is.NoErr(err)
			_, err = s.App().Transfers.ImportNew(t.Context(), transfer.Import{Open: demo.School})
			is.NoErr(err)
			is.NoErr(s.Start(t.Context()))
			defer func() { is.NoErr(s.Stop()) }()

			shown := func() (reason, metric string) {
				status, _, body := get(t, s.URL()+"/readyz", nil)
				is.Equal(status, http.StatusOK) // everything else works
				var ready struct{ Status, Reason string }
				is.NoErr(json.Unmarshal([]byte(body), &ready))
				is.Equal(ready.Status, "up")
				_, _, exported := get(t, "http://"+metrics.Addr()+"/metrics", nil)
				for line := range strings.Lines(exported) {
					if value, ok := strings.CutPrefix(line, "lyceum_files_ready "); ok {
						metric = strings.TrimSpace(value)
					}
				}
				return ready.Reason, metric
			}
			// becomes waits for a reason and a metric. The server checks its readiness at most once
			// per second.
			becomes := func(reason, metric string) {
				t.Helper()
				for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
					gotReason, gotMetric := shown()
					if gotReason == reason && gotMetric == metric {
						return
					}
					if time.Now().After(deadline) {
						t.Fatalf("reason %q, metric %q; want %q, %q", gotReason, gotMetric, reason, metric)
					}
				}
			}

			becomes("", "1")
			_, _, before := get(t, s.URL()+"/v2/submissions?limit=1", nil)
			repair := tt.damage(t, cfg.Files.Dir)
			status, header, body := submitAgain(t, s.URL(), before)
			is.Equal(status, tt.status)
			is.True(strings.Contains(body, `"detail":"`+tt.detail+`"`))
			is.True(header.Get("Retry-After") != "")
			becomes(tt.detail, "0")
			status, _, after := get(t, s.URL()+"/v2/submissions?limit=1", nil)
			is.Equal(status, http.StatusOK)
			is.Equal(after, before) // nothing has been saved

			repair()
			status, _, _ = submitAgain(t, s.URL(), before)
			is.Equal(status, http.StatusCreated)
			becomes("", "1")
		})
	}
}

// limitFiles limits the size of files that this process can write, so that the readiness check
// fails as on a full disk. It must run in a process of its own.
func limitFiles(t *testing.T, _ string) (repair func()) {
	t.Helper()
	is := is.New(t)
	var former syscall.Rlimit
	is.NoErr(syscall.Getrlimit(syscall.RLIMIT_FSIZE, &former))
	repair = func() { is.NoErr(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &former)) }
	t.Cleanup(repair)
	is.NoErr(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 2048, Max: former.Max}))
	return repair
}

// replaceFolder replaces the directory for incomplete files with a file. Unlike permissions, this
// also has an effect for root.
func replaceFolder(t *testing.T, dir string) (repair func()) {
	t.Helper()
	is, incoming := is.New(t), filepath.Join(dir, ".incoming")
	is.NoErr(os.Remove(incoming))
	is.NoErr(os.WriteFile(incoming, nil, 0o600))
	return func() {
		is.NoErr(os.Remove(incoming))
		is.NoErr(os.Mkdir(incoming, 0o700))
	}
}

// submitAgain submits 64 KiB for the person and the assignment of the only submission in list. It
// checks that the response conforms to the OpenAPI document.
func submitAgain(t *testing.T, url, list string) (int, http.Header, string) {
	t.Helper()
	is := is.New(t)
	type toOne struct{ Data struct{ ID string } }
	var found struct {
		Data []struct {
			Relationships struct{ Person, Assignment, Activity toOne }
		}
	}
	is.NoErr(json.Unmarshal([]byte(list), &found))
	is.Equal(len(found.Data), 1)
	of := found.Data[0].Relationships
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	is.NoErr(w.WriteField("person", of.Person.Data.ID))
	if of.Activity.Data.ID != "" {
		is.NoErr(w.WriteField("activity", of.Activity.Data.ID))
	}
	part, err := w.CreateFormFile("file", "essay.txt")
	is.NoErr(err)
	_, err = part.Write(make([]byte, 64<<10))
	is.NoErr(err)
	is.NoErr(w.Close())
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		url+"/v2/assignments/"+of.Assignment.Data.ID+"/submissions", &form)
	is.NoErr(err)
	request.Header.Set("Content-Type", w.FormDataContentType())
	request.Header.Set("X-Api-Key", demo.Key)
	described, err := contract.Description()
	is.NoErr(err)
	client := http.Client{Transport: contract.Transport{
		Contract: described, Next: &http.Transport{DisableKeepAlives: true},
	}}
	response, err := client.Do(request)
	is.NoErr(err)
	body, err := io.ReadAll(response.Body)
	is.NoErr(err)
	is.NoErr(response.Body.Close())
	return response.StatusCode, response.Header, string(body)
}

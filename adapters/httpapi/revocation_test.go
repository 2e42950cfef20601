package httpapi_test

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/files"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/memory"
	"lyceum/app"
	"lyceum/domain/school"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
)

// A key that is revoked while a request waits for its body, its file or a change has no effect.
func TestKeyRevokedDuringARequest(t *testing.T) {
	person, assignment := uuid.NewString(), uuid.NewString()
	for _, tt := range []struct {
		name, method, path string
		mediaType, body    string
		atFirst            int // bytes of the body that arrive before the revocation
	}{
		{"a slow body", http.MethodPost, "/v2/categories", "application/json", `{"data":{"type":"categories","attributes":{"name":"Late"}}}`, 10},
		{
			"a file", http.MethodPost, "/v2/assignments/" + assignment + "/submissions", "multipart/form-data; boundary=part",
			fmt.Sprintf("--part\r\nContent-Disposition: form-data; name=\"person\"\r\n\r\n%s\r\n"+
				"--part\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nLate\r\n--part--\r\n", person), 150,
		},
		{"a change", http.MethodGet, "/v2/changes?wait=30&include=record&filter[changed_at][gt]=NOW", "", "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is, ctx := is.New(t), t.Context()
			store, clock := memory.New(), fake.NewClock(fake.Start)
			a := app.New(store, store.Schools(), store.Queue(), files.NewMemory(), fake.NewInvitationSender(), clock, fake.NewIDs())
			made, _, err := schoolWithAssignment(person, assignment).Import(ctx, a)
			is.NoErr(err)
			key, secret, err := a.Provision.CreateKey(ctx, made, school.KeyParams{Name: "leaked", Scope: school.Admin})
			is.NoErr(err)
			handler := httpapi.New(a, httpapi.Config{UploadTime: time.Hour}, slog.New(slog.DiscardHandler))
			revoke := func() {
				is.NoErr(a.Keys.Revoke(ctx, app.SystemActor(made), key.ID))
				clock.Advance(5 * time.Second)
			}
			body := io.MultiReader(strings.NewReader(tt.body[:tt.atFirst]), &waitingReader{strings.NewReader(tt.body[tt.atFirst:]), func() {
				revoke()
				time.Sleep(1100 * time.Millisecond) // a body that takes a second counts as slow
			}})
			path := strings.Replace(tt.path, "NOW", time.Now().UTC().Format(time.RFC3339Nano), 1)
			r := httptest.NewRequestWithContext(ctx, tt.method, path, body)
			if tt.body == "" {
				r.Body = http.NoBody
			}
			r.Header.Set("X-Api-Key", secret)
			r.Header.Set("Content-Type", tt.mediaType)
			w, done := httptest.NewRecorder(), make(chan struct{})
			go func() {
				defer close(done)
				handler.ServeHTTP(w, r)
			}()
			if tt.body == "" {
				for handler.Admission()["wait"].Running == 0 {
					select {
					case <-done:
						t.Fatal(w.Code, w.Body)
					case <-time.After(time.Millisecond):
					}
				}
				revoke()
				_, err := a.Categories.Create(ctx, app.SystemActor(made), "A change")
				is.NoErr(err)
			}
			<-done
			is.Equal(w.Code, http.StatusUnauthorized)
			var exported strings.Builder
			is.NoErr(a.Transfers.Export(ctx, app.SystemActor(made), &exported, func(int) {}))
			is.True(!strings.Contains(exported.String(), "Late"))
			is.True(!strings.Contains(exported.String(), "a.txt"))
		})
	}
}

// onWrite is a response that calls do before the first bytes are written.
type onWrite struct {
	*httptest.ResponseRecorder
	do func()
}

func (w *onWrite) Write(b []byte) (int, error) {
	if w.do != nil {
		w.do()
		w.do = nil
	}
	return w.ResponseRecorder.Write(b)
}

// An export and a whole list end when the key is revoked.
func TestKeyRevokedDuringAStream(t *testing.T) {
	var lines strings.Builder
	for i := range 20_000 {
		_, _ = fmt.Fprintf(&lines, `{"kind": "person", "email": "learner%d@example.test"}`+"\n", i)
	}
	store, clock := memory.New(), fake.NewClock(fake.Start)
	a := app.New(store, store.Schools(), store.Queue(), files.NewMemory(), fake.NewInvitationSender(), clock, fake.NewIDs())
	made, _, err := kit.School{Name: "Acme", Lines: lines.String()}.Import(t.Context(), a)
	is.New(t).NoErr(err)
	for _, path := range []string{"/v2/export", "/v2/people?limit=all"} {
		for _, revoked := range []bool{false, true} {
			t.Run(fmt.Sprint(path, " ", revoked), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					is, ctx := is.New(t), t.Context()
					key, secret, err := a.Provision.CreateKey(ctx, made, school.KeyParams{Name: "leaked", Scope: school.Admin})
					is.NoErr(err)
					handler := httpapi.New(a, httpapi.Config{}, slog.New(slog.DiscardHandler))
					w := &onWrite{httptest.NewRecorder(), func() {
						if revoked {
							is.NoErr(a.Keys.Revoke(ctx, app.SystemActor(made), key.ID))
						}
						clock.Advance(5 * time.Second)
						time.Sleep(2 * time.Second)
					}}
					r := httptest.NewRequestWithContext(ctx, http.MethodGet, path, http.NoBody)
					r.Header.Set("X-Api-Key", secret)
					r.Header.Set("Accept", "text/csv, application/x-ndjson")
					aborted := func() (aborted bool) {
						defer func() {
							err, ok := recover().(error)
							aborted = ok && errors.Is(err, http.ErrAbortHandler)
						}()
						handler.ServeHTTP(w, r)
						return false
					}()
					is.Equal(aborted, revoked)
					is.Equal(strings.Contains(w.Body.String(), "learner19999@"), !revoked)
				})
			})
		}
	}
}

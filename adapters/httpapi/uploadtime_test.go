package httpapi_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/files"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/memory"
	"lyceum/app"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit/fake"
)

// stuckStore is a store that can be stuck. While it is stuck, its transactions wait until their
// contexts end.
type stuckStore struct {
	ports.Store
	stuck *atomic.Bool
}

func (s stuckStore) InTx(ctx context.Context, id school.ID, fn func(ctx context.Context, tx ports.Tx) error) error {
	if s.stuck.Load() {
		<-ctx.Done()
		return ctx.Err()
	}
	return s.Store.InTx(ctx, id, fn)
}

// waitingReader calls wait before its first read.
type waitingReader struct {
	io.Reader
	wait func()
}

func (r *waitingReader) Read(b []byte) (int, error) {
	if r.wait != nil {
		r.wait()
		r.wait = nil
	}
	return r.Reader.Read(b)
}

// A client may send a file for longer than TimeLimit. TimeLimit applies to the processing of the
// request before and after the file.
func TestWorkOfAnUploadIsLimited(t *testing.T) {
	const limit, over = 300 * time.Millisecond, 10 * time.Second
	person, assignment := uuid.NewString(), uuid.NewString()
	inner := memory.New()
	store := stuckStore{inner, new(atomic.Bool)}
	a := app.New(store, inner.Schools(), inner.Queue(), files.NewMemory(), fake.NewInvitationSender(), fake.NewClock(fake.Start), fake.NewIDs())
	_, key, err := schoolWithAssignment(person, assignment).Import(t.Context(), a)
	is.New(t).NoErr(err)
	handler := httpapi.New(a, httpapi.Config{TimeLimit: limit, UploadTime: time.Hour}, slog.New(slog.DiscardHandler))

	for _, tt := range []struct {
		name       string
		before     bool // the store is stuck before the file is sent
		after      bool // the store is stuck after the file
		incomplete bool // the form names no person
		key        string
		want       int
	}{
		{name: "served", want: http.StatusCreated},
		{name: "before", before: true, want: http.StatusServiceUnavailable},
		{name: "after", after: true, want: http.StatusServiceUnavailable},
		{name: "retried", after: true, key: "once", want: http.StatusServiceUnavailable},
		{name: "incomplete", after: true, incomplete: true, want: http.StatusServiceUnavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			head := fmt.Sprintf("--part\r\nContent-Disposition: form-data; name=\"person\"\r\n\r\n%s\r\n", person)
			if tt.incomplete {
				head = ""
			}
			head += "--part\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n"
			rest := strings.Repeat("x", 1<<20) + "\r\n--part--\r\n"
			store.stuck.Store(tt.before)
			defer store.stuck.Store(false)
			ctx, cancel := context.WithTimeout(t.Context(), over)
			defer cancel()
			r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/v2/assignments/"+assignment+"/submissions",
				io.MultiReader(strings.NewReader(head), &waitingReader{strings.NewReader(rest), func() {
					time.Sleep(2 * limit)
					store.stuck.Store(tt.after)
				}}))
			r.Header.Set("X-Api-Key", key)
			r.Header.Set("Content-Type", "multipart/form-data; boundary=part")
			if tt.key != "" {
				r.Header.Set("Idempotency-Key", tt.key)
			}
			w := httptest.NewRecorder()
			begun := time.Now()
			handler.ServeHTTP(w, r)
			is.Equal(w.Code, tt.want)
			is.True(time.Since(begun) < over)
		})
	}
}

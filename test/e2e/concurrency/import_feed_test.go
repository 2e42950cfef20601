package concurrency_test

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/cmd/server"
	"lyceum/test/kit"
)

// importedPeople is more than an import sends to the store at once, so that a part of them is
// written before the end of the file is read.
const importedPeople = 6000

// While a school is imported on one server, a reader on another server follows the feed of another
// school without delay. The feed of the imported school waits for the import and then has each of
// its changes once, and each change of requests during the import.
func TestFollowersDuringImport(t *testing.T) {
	t.Parallel()
	is := is.New(t)
	cfg := sharedConfig(t)
	servers := []*server.Server{serve(t, cfg, 0), serve(t, cfg, 0)}
	imported, importedKey, err := kit.School{Name: "Large"}.Import(t.Context(), servers[0].App())
	is.NoErr(err)
	_, otherKey, err := kit.School{Name: "Other"}.Import(t.Context(), servers[0].App())
	is.NoErr(err)
	create := func(key, name string) {
		c := schoolClient{t, servers[0].URL(), key}
		status, text := c.send(http.MethodPost, "/v2/categories", asJSON, `{"data":{"type":"categories","attributes":{"name":"`+name+`"}}}`)
		if status != http.StatusCreated {
			t.Errorf("%d %s", status, text)
		}
	}
	large := &feedReader{client: schoolClient{t, servers[1].URL(), importedKey}, next: "/v2/changes?wait=1&limit=1000", changed: map[string]bool{}}
	other := &feedReader{client: schoolClient{t, servers[1].URL(), otherKey}, next: "/v2/changes?wait=1&limit=7", changed: map[string]bool{}}

	file := newHeldFile()
	release := sync.OnceFunc(func() { close(file.end) })
	defer release()
	done := make(chan error, 1)
	go func() {
		result, err := servers[0].App().Transfers.Import(t.Context(), app.SystemActor(imported), transfer.Import{Open: file.open})
		if err == nil && (len(result.Kinds) != 1 || result.Kinds[0].Created != importedPeople) {
			err = fmt.Errorf("imported %v", result.Kinds)
		}
		done <- err
	}()
	select {
	case <-file.held:
	case err := <-done:
		t.Fatal(err)
	}
	db, err := sql.Open("postgres", cfg.Postgres.DSN)
	is.NoErr(err)
	defer func() { _ = db.Close() }()
	announced := 0 // by the transaction of the import
	is.NoErr(db.QueryRowContext(t.Context(), `
		SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND classid = change_lock($1)::oid`,
		imported.String()).Scan(&announced))
	is.Equal(announced, 1)

	for n := range 10 {
		create(importedKey, fmt.Sprint("during the import ", n))
		before, sent := len(other.changed), time.Now()
		create(otherKey, fmt.Sprint("other ", n))
		for len(other.changed) == before && time.Since(sent) < 5*time.Second {
			other.step()
		}
		is.Equal(len(other.changed), before+1)
	}
	large.step()
	is.Equal(len(large.changed), 0)

	release()
	is.NoErr(<-done)
	for large.step() > 0 {
	}
	is.Equal(large.repeated, 0)
	is.Equal(len(large.changed), importedPeople+10)
	is.Equal(len(large.of("people/")), importedPeople)
	is.Equal(len(large.of("categories/")), 10)
	other.step()
	is.Equal(other.repeated, 0)
	is.Equal(len(other.of("categories/")), 10)
	is.Equal(len(other.changed), 10)
}

// heldFile is a school file with people. When it is read for the second time, to be written, its end
// can be read only after the channel end is closed.
type heldFile struct {
	text   string
	opened int
	held   chan struct{} // closed when the reader waits for end
	end    chan struct{}
}

func newHeldFile() *heldFile {
	var b strings.Builder
	b.WriteString(`{"kind": "school", "format": 1, "name": "Large"}` + "\n")
	for n := range importedPeople {
		fmt.Fprintf(&b, `{"kind": "person", "email": "person%d@example.test"}`+"\n", n)
	}
	return &heldFile{text: b.String(), held: make(chan struct{}), end: make(chan struct{})}
}

func (f *heldFile) open() (io.ReadCloser, error) {
	f.opened++
	last := io.Reader(strings.NewReader(`{"kind": "end"}` + "\n"))
	if f.opened == 2 {
		last = io.MultiReader(readerFunc(func([]byte) (int, error) {
			close(f.held)
			<-f.end
			return 0, io.EOF
		}), last)
	}
	return io.NopCloser(io.MultiReader(strings.NewReader(f.text), last)), nil
}

type readerFunc func(b []byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// feedReader follows the change feed of a school.
type feedReader struct {
	client   schoolClient
	next     string          // address of the next page
	changed  map[string]bool // names of the records
	repeated int             // number of changes of records that had a change before
}

// step reads a page and returns the number of its changes.
func (f *feedReader) step() int {
	var page struct {
		Data []struct {
			Relationships struct{ Record struct{ Data resource } }
		}
		Links struct{ Next string }
	}
	f.client.read(f.next, &page)
	for _, one := range page.Data {
		name := one.Relationships.Record.Data.name()
		if f.changed[name] {
			f.repeated++
		}
		f.changed[name] = true
	}
	f.next = page.Links.Next[strings.Index(page.Links.Next, "/v2/"):]
	return len(page.Data)
}

// of returns the names of the changed records with a prefix.
func (f *feedReader) of(prefix string) (names []string) {
	for name := range f.changed {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	return names
}

// Package transfer_test tests exports and imports of schools between stores.
package transfer_test

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/clock"
	"lyceum/adapters/demo"
	"lyceum/adapters/files"
	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/domain/reconcile"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/pgtest"
	"lyceum/test/kit/stores"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// useCases contains the use cases on a separate store.
type useCases struct {
	*app.App
	store ports.Store
	files ports.Files
}

func inMemory() useCases { return on(stores.Memory()) }

func onPostgres(t *testing.T) useCases {
	t.Helper()
	return on(stores.Postgres(t, pgtest.DSN(t), 16))
}

func on(b stores.Backend) useCases {
	kept := files.NewMemory()
	return useCases{
		app.New(b.Store, b.Schools, b.Queue, kept, fake.NewInvitationSender(), clock.NewSystem(), clock.NewRandom()),
		b.Store, kept,
	}
}

func (h useCases) export(t *testing.T, id school.ID) string {
	t.Helper()
	var b bytes.Buffer
	if err := h.Transfers.Export(t.Context(), app.SystemActor(id), &b, nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func reading(text string) transfer.Import {
	return transfer.Import{Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
}

// importSchool imports a new school from a valid file and returns its id.
func (h useCases) importSchool(t *testing.T, text string) school.ID {
	t.Helper()
	made, err := h.Transfers.ImportNew(t.Context(), reading(text))
	if err != nil {
		t.Fatal(err)
	}
	return made.School.ID
}

// renamed returns text with another name and slug of the school, so that one store can contain both
// schools.
func renamed(text, name string) string {
	head, rest, _ := strings.Cut(text, "\n")
	for key, value := range map[string]string{"name": name, "slug": strings.ToLower(strings.ReplaceAll(name, " ", "-"))} {
		before, after, found := strings.Cut(head, `"`+key+`":"`)
		if found {
			_, after, _ = strings.Cut(after, `"`)
			head = before + `"` + key + `":"` + value + `"` + after
		}
	}
	return head + "\n" + rest
}

func populated(t *testing.T, h useCases, name string) school.ID {
	t.Helper()
	file, err := demo.School()
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	// No two schools of a store can have the same id, API key or invitation.
	_, rest, _ := strings.Cut(string(text), "\n")
	rest = regexp.MustCompile(`(?m)^\{"kind": "(api_key|invitation)".*$`).ReplaceAllString(rest, "")
	return h.importSchool(t, `{"kind":"school","format":1,"name":"`+name+`","created_at":"2026-01-12T09:00:00Z"}`+"\n"+rest)
}

func filled(t *testing.T, h useCases, name string) school.ID {
	t.Helper()
	return h.generateSchool(t, name, demo.Size{
		People: 60, Courses: 7, Categories: 3, Coupons: 4, Groups: 8, Enrollments: 200, Memberships: 90, Answers: 333,
		Events: 500, Seed: 3,
	})
}

// generateSchool imports a new school with generated data and returns its id.
func (h useCases) generateSchool(t *testing.T, name string, size demo.Size) school.ID {
	t.Helper()
	made, err := h.Transfers.ImportNew(t.Context(), transfer.Import{Open: demo.Generated(name, size)})
	if err != nil {
		t.Fatal(err)
	}
	return made.School.ID
}

// TestSchoolRoundTrip exports a school and imports it into the other store. The exports of both
// stores must be equal byte for byte, derived data must be correct, and a second import must change
// nothing.
func TestSchoolRoundTrip(t *testing.T) {
	stores := map[string]useCases{"memory": inMemory(), "postgres": onPostgres(t)}
	for from, to := range map[string]string{"memory": "postgres", "postgres": "memory"} {
		for name, make := range map[string]func(*testing.T, useCases, string) school.ID{"demo": populated, "generated": filled} {
			t.Run(fmt.Sprintf("the school %s from %s to %s", name, from, to), func(t *testing.T) {
				is := is.New(t)
				called := unique("Moving")
				text := stores[from].export(t, make(t, stores[from], called))
				is.True(strings.HasPrefix(text, `{"kind":"school","format":1,"name":"`+called+`",`))
				there := stores[to].importSchool(t, text)
				is.Equal(stores[to].export(t, there), text)
				is.Equal(differences(t, stores[to], there), 0)

				again, err := stores[to].Transfers.Import(t.Context(), app.SystemActor(there), reading(text))
				is.NoErr(err)
				for _, k := range again.Kinds {
					is.Equal(k, transfer.ImportCount{Kind: k.Kind, Unchanged: k.Unchanged}) // nothing is created or updated
				}
				is.Equal(stores[to].export(t, there), text)
			})
		}
	}
}

func differences(t *testing.T, h useCases, id school.ID) int {
	t.Helper()
	n := 0
	if err := h.Reconcile.School(t.Context(), id, func(reconcile.Discrepancy) { n++ }); err != nil {
		t.Fatal(err)
	}
	return n
}

package transfer_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/clock"
	"lyceum/app"
	"lyceum/app/transfer"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

func unique(name string) string { return name + " " + clock.NewRandom().New().String() }

// onEachStore runs a test on each store.
func onEachStore(t *testing.T, test func(t *testing.T, h useCases)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) { test(t, inMemory()) })
	t.Run("postgres", func(t *testing.T) { test(t, onPostgres(t)) })
}

func TestImportUpdatesAndCreates(t *testing.T) {
	onEachStore(t, func(t *testing.T, h useCases) {
		is := is.New(t)
		id := h.importSchool(t, renamed(lines(smallSchool...), unique("Small")))
		before := h.export(t, id)
		text := lines(
			`{"kind":"school","format":1,"name":"Another name"}`,
			`{"kind":"category","name":"DESIGN"}`, `{"kind":"category","name":"Music"}`,
			`{"kind":"coupon","code":"ten","currency_code":"EUR","start_on":"2026-01-01","format":"fixed","value":11,"maximum_usages":5,"enabled":false}`,
			`{"kind":"person","email":"ada@example.test","last_name":"Lovelace","activated_at":"2026-03-01T00:00:00Z"}`,
			`{"kind":"person","email":"bob@example.test"}`, `{"kind":"person","email":"eve@example.test"}`,
			`{"kind":"course","permalink":"drawing","name":"Drawing II"}`,
			`{"kind":"activity","course":"drawing","title":"More","type":"text"}`,
			`{"kind":"group","name":"painters"}`,
			`{"kind":"membership","group":"Painters","person":"eve@example.test","role":"manager"}`,
			`{"kind":"enrollment","course":"drawing","person":"ada@example.test","role":"learner"}`,
			`{"kind":"enrollment","course":"drawing","person":"eve@example.test","role":"learner"}`,
			`{"kind":"attempt","course":"drawing","person":"ada@example.test","number":1}`,
			`{"kind":"attempt","course":"drawing","person":"ada@example.test","number":2}`,
			`{"kind":"event","type":"viewed","person":"ada@example.test","course":"drawing","activity":"Read","created_at":"2026-02-01T09:02:00Z"}`,
			`{"kind":"event","type":"viewed","person":"ada@example.test","course":"drawing","activity":"More","created_at":"2026-02-01T09:02:01Z"}`,
			`{"kind":"end"}`,
		)
		want := []transfer.ImportCount{
			{Kind: "category", Created: 1, Changed: 1},
			{Kind: "coupon", Changed: 1},
			{Kind: "person", Created: 1, Changed: 1, Unchanged: 1},
			{Kind: "course", Changed: 1},
			{Kind: "activity", Created: 1},
			{Kind: "group", Changed: 1},
			{Kind: "membership", Created: 1},
			{Kind: "enrollment", Created: 1, Unchanged: 1},
			{Kind: "attempt", Created: 1, Unchanged: 1},
			{Kind: "event", Created: 1, Unchanged: 1},
		}
		dryRun := reading(text)
		dryRun.DryRun = true
		dry, err := h.Transfers.Import(t.Context(), app.SystemActor(id), dryRun)
		is.NoErr(err)
		is.Equal(dry.Kinds, want)
		is.Equal(h.export(t, id), before) // the dry run changed nothing

		done, err := h.Transfers.Import(t.Context(), app.SystemActor(id), reading(text))
		is.NoErr(err)
		is.Equal(done.Kinds, want)
		is.Equal(differences(t, h, id), 0) // a new activity changes the progress of the attempt
		after := h.export(t, id)
		for _, part := range []string{
			`"name":"DESIGN"`, `"name":"Music"`, `"code":"ten","currency_code":"EUR","enabled":false`, `"value":11,`,
			`"first_name":"Ada","last_name":"Lovelace"`, `"activated_at":"2026-03-01T00:00:00.000Z"`, `"name":"Drawing II",`,
		} {
			is.True(strings.Contains(after, part)) // the export contains part
		}
		again, err := h.Transfers.Import(t.Context(), app.SystemActor(id), reading(text))
		is.NoErr(err)
		for _, k := range again.Kinds {
			is.Equal(k, transfer.ImportCount{Kind: k.Kind, Unchanged: k.Unchanged})
		}
		is.Equal(h.export(t, id), after)
	})
}

func TestInvalidLastLineChangesNothing(t *testing.T) {
	onEachStore(t, func(t *testing.T, h useCases) {
		is := is.New(t)
		id := h.importSchool(t, renamed(lines(smallSchool...), unique("Small")))
		before := h.export(t, id)
		text := lines(`{"kind":"school","format":1,"name":"X"}`, `{"kind":"category","name":"Music"}`,
			`{"kind":"person","email":"ada@example.test","last_name":"X"}`, `{"kind":"category","name":"music"}`, `{"kind":"end"}`)
		_, err := h.Transfers.Import(t.Context(), app.SystemActor(id), reading(text))
		is.Equal(err.Error(), "line 4: category: duplicates line 2")
		is.Equal(h.export(t, id), before)
	})
}

// TestFailedImportIsRolledBack imports a file that becomes invalid after the dry run. The import
// must fail during its writes and create no school.
func TestFailedImportIsRolledBack(t *testing.T) {
	onEachStore(t, func(t *testing.T, h useCases) {
		is := is.New(t)
		good := renamed(lines(smallSchool...), unique("Small"))
		opened := 0
		im := transfer.Import{Open: func() (io.ReadCloser, error) {
			text := good
			if opened++; opened == 3 { // opened for the school's name, for the dry run, and for the import
				text = strings.Replace(text, `"type":"watched"`, `"type":"wathced"`, 1)
			}
			return io.NopCloser(strings.NewReader(text)), nil
		}}
		_, err := h.Transfers.ImportNew(t.Context(), im)
		is.Equal(err.Error(), "line 22: event: type: must be one of: viewed, watched")
		all, err := h.Provision.Schools(t.Context())
		is.NoErr(err)
		for _, s := range all {
			is.True(!strings.Contains(good, `"`+s.State().Name+`"`))
		}
	})
}

// TestImportDuringSameWrites checks that an import accepts people whom requests add concurrently,
// and that it does not block these requests.
func TestImportDuringSameWrites(t *testing.T) {
	onEachStore(t, func(t *testing.T, h useCases) {
		is := is.New(t)
		id := h.importSchool(t, renamed(lines(smallSchool...), unique("Small")))
		text := []string{`{"kind":"school","format":1,"name":"X"}`}
		const people = 300
		for i := range people {
			text = append(text, fmt.Sprintf(`{"kind":"person","email":"p%d@example.test"}`, i))
		}
		text = append(text, `{"kind":"end"}`)
		var wg sync.WaitGroup
		var failed error
		wg.Go(func() {
			for i := 0; i < people; i += 7 {
				_, err := h.People.Create(t.Context(), app.SystemActor(id), person.Profile{Email: fmt.Sprintf("P%d@example.test", i)})
				if err != nil && !strings.Contains(err.Error(), "taken") {
					failed = errors.Join(failed, err)
				}
			}
		})
		var err error
		for range 20 { // an import fails after three conflicts
			if _, err = h.Transfers.Import(t.Context(), app.SystemActor(id), reading(lines(text...))); !errors.Is(err, ports.ErrExists) {
				break
			}
		}
		wg.Wait()
		is.NoErr(errors.Join(err, failed))
		found, err := h.store.Read(id).People.List(t.Context(), query.Query{Page: query.AllRows()})
		is.NoErr(err)
		is.Equal(len(found.Items), people+2)
		is.Equal(differences(t, h, id), 0)
	})
}

// TestExportIsConsistentDuringWrites checks that an export during writes contains the school at one
// instant: every reference in it has a target.
func TestExportIsConsistentDuringWrites(t *testing.T) {
	onEachStore(t, func(t *testing.T, h useCases) {
		is := is.New(t)
		id := h.importSchool(t, renamed(lines(smallSchool...), unique("Small")))
		ctx, stop := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				text := lines(`{"kind":"school","format":1,"name":"X"}`, fmt.Sprintf(`{"kind":"person","email":"w%d@example.test"}`, i),
					fmt.Sprintf(`{"kind":"enrollment","course":"drawing","person":"w%d@example.test","role":"learner"}`, i), `{"kind":"end"}`)
				_, _ = h.Transfers.Import(ctx, app.SystemActor(id), reading(text)) // the end of the test may cancel the import
			}
		})
		for range 10 {
			text := h.export(t, id)
			is.Equal(strings.Count(text, `"kind":"person","email":"w`), strings.Count(text, `"kind":"enrollment","course":"drawing","person":"w`))
			_, err := inMemory().Transfers.ImportNew(t.Context(), reading(text))
			is.NoErr(err)
		}
		stop()
		wg.Wait()
	})
}

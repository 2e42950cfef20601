package transfer_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/clock"
	"lyceum/adapters/files"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/ports"
	"lyceum/test/kit/fake"
	"lyceum/test/kit/pgtest"
)

// TestImportBeyondQuota checks that an import that exceeds a quota fails with the line number and
// saves nothing.
func TestImportBeyondQuota(t *testing.T) {
	onEachStore(t, func(t *testing.T, h useCases) {
		id := h.importSchool(t, renamed(lines(smallSchool...), unique("Small"))) // two people, three bytes
		before := h.export(t, id)
		refused := func(name, want string, q app.Quotas, bring func() error) {
			t.Helper()
			t.Run(name, func(t *testing.T) {
				is := is.New(t)
				h.SetQuotas(q)
				defer h.SetQuotas(app.Quotas{})
				err := bring()
				is.True(err != nil)
				is.Equal(err.Error(), want)
				is.Equal(h.export(t, id), before)
			})
		}
		const fullPeople = "cannot be created: the school has reached its maximum of 3 people"
		const fullBytes = "is larger than the space left for files in this school (maximum is 5 bytes in total)"
		for _, dry := range []bool{false, true} {
			name := map[bool]string{false: "import", true: "dry run"}[dry]
			into := func(text string) func() error {
				im := reading(text)
				im.DryRun = dry
				return func() error {
					_, err := h.Transfers.Import(t.Context(), app.SystemActor(id), im)
					return err
				}
			}
			table := reading("email,first_name\nADA@example.test,Augusta\nx@example.test,\ny@example.test,\nz@example.test,\n")
			table.DryRun = dry
			refused("CSV "+name, "line 4: "+fullPeople+"\nline 5: "+fullPeople, app.Quotas{People: 3}, func() error {
				_, err := h.Transfers.ImportPeople(t.Context(), app.SystemActor(id), table, true)
				return err
			})
			refused("people "+name, "line 4: person: "+fullPeople, app.Quotas{People: 3}, into(lines(
				smallSchool[0], `{"kind":"person","email":"bob@example.test","first_name":"Bob"}`,
				`{"kind":"person","email":"x@example.test"}`, `{"kind":"person","email":"y@example.test"}`, `{"kind":"end"}`,
			)))
			refused("files "+name, "line 10: submission: size: "+fullBytes, app.Quotas{Bytes: 5}, into(lines(
				smallSchool[0], smallSchool[6], smallSchool[8], smallSchool[12], `{"kind":"person","email":"bob@example.test"}`,
				`{"kind":"enrollment","course":"drawing","person":"bob@example.test","role":"learner"}`,
				`{"kind":"attempt","course":"drawing","person":"bob@example.test","number":1}`,
				`{"kind":"submission","course":"drawing","person":"bob@example.test","attempt":1,"activity":"Draw","name":"a","size":2}`,
				`{"kind":"part","data":"YWI="}`,
				`{"kind":"submission","course":"drawing","person":"bob@example.test","attempt":1,"activity":"Draw","name":"b","size":1}`,
				`{"kind":"part","data":"YQ=="}`, `{"kind":"end"}`,
			)))
		}
		t.Run("a new school", func(t *testing.T) {
			is := is.New(t)
			defer h.SetQuotas(app.Quotas{})
			text := renamed(lines(smallSchool...), unique("Small"))
			for want, q := range map[string]app.Quotas{
				"line 5: person: cannot be created: the school has reached its maximum of 1 people":                               {People: 1},
				"line 20: submission: size: is larger than the space left for files in this school (maximum is 2 bytes in total)": {Bytes: 2},
			} {
				h.SetQuotas(q)
				_, err := h.Transfers.ImportNew(t.Context(), reading(text))
				is.True(err != nil)
				is.True(strings.HasPrefix(err.Error(), want)) // further faults are about lines that refer to the rejected line
			}
			h.SetQuotas(app.Quotas{People: 2, Bytes: 3})
			_, err := h.Transfers.ImportNew(t.Context(), reading(text))
			is.NoErr(err)
		})
		t.Run("exactly the quota", func(t *testing.T) {
			is := is.New(t)
			h.SetQuotas(app.Quotas{People: 3, Bytes: 3})
			defer h.SetQuotas(app.Quotas{})
			_, err := h.Transfers.Import(t.Context(), app.SystemActor(id), reading(lines(
				append(smallSchool[:len(smallSchool)-1:len(smallSchool)-1], `{"kind":"end"}`)...)))
			is.NoErr(err) // existing records are not counted again
			_, err = h.Transfers.ImportPeople(t.Context(), app.SystemActor(id), reading("email\nada@example.test\nx@example.test\n"), false)
			is.NoErr(err)
		})
	})
}

// TestQuotaIsExactOnTwoServers checks that two servers that concurrently add many people add
// exactly as many as the quota allows.
func TestQuotaIsExactOnTwoServers(t *testing.T) {
	is := is.New(t)
	dsn := pgtest.DSN(t)
	var servers []*app.App
	for range 2 {
		db, err := pgdb.Open(t.Context(), pgdb.Config{DSN: dsn})
		is.NoErr(err)
		t.Cleanup(func() { _ = db.Close() })
		store := postgres.New(db)
		a := app.New(store, store.Schools(), store.Queue(), files.NewMemory(), fake.NewInvitationSender(), clock.NewSystem(), clock.NewRandom())
		a.SetQuotas(app.Quotas{People: 5})
		servers = append(servers, a)
	}
	made, err := servers[0].Transfers.ImportNew(t.Context(), reading(renamed(lines(smallSchool...), unique("Small")))) // two people
	is.NoErr(err)
	outcomes := make([]error, 34)
	var wg sync.WaitGroup
	for i := range outcomes {
		wg.Go(func() {
			_, outcomes[i] = servers[i%2].People.Create(t.Context(), app.SystemActor(made.School.ID),
				person.Profile{Email: fmt.Sprintf("new%d@example.test", i)})
		})
	}
	wg.Wait()
	added := 0
	for _, err := range outcomes {
		if err == nil {
			added++
			continue
		}
		is.True(fault.Is(err, fault.Invalid))
	}
	is.Equal(added, 3)
}

// TestQuotaWaitsForOtherAdditions checks that a request waits for a transaction of another server
// that adds a person, and then counts that person.
func TestQuotaWaitsForOtherAdditions(t *testing.T) {
	is := is.New(t)
	h := onPostgres(t)
	id := h.importSchool(t, renamed(lines(smallSchool...), unique("Small"))) // two people
	h.SetQuotas(app.Quotas{People: 3})
	outcome := make(chan error, 1)
	is.NoErr(h.store.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.School.GetForUpdate(ctx); err != nil {
			return err
		}
		p, err := person.New(person.ID{UUID: clock.NewRandom().New()}, person.Profile{Email: "x@example.test"}, time.Now())
		if err != nil {
			return err
		}
		if err := tx.People.Add(ctx, p); err != nil {
			return err
		}
		go func() {
			_, err := h.People.Create(t.Context(), app.SystemActor(id), person.Profile{Email: "y@example.test"})
			outcome <- err
		}()
		time.Sleep(500 * time.Millisecond) // without waiting, the request would count too few people
		return nil
	}))
	is.True(fault.Is(<-outcome, fault.Invalid))
}

package bulk_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/test/kit/stores"
)

// Rows about an address wait while the address of its person changes. They must not add the old
// address again, also if the person is deleted afterwards.
func TestRowsOfChangedAddress(t *testing.T) {
	const old = "ada@example.test"
	for _, tt := range []struct {
		name, old, email string
		failed           int
		deletes          bool
		after            []string // addresses after the rows were applied
	}{
		{"another address", old, "new@example.test", 1, false, []string{"bob@example.test", "new@example.test"}},
		{"another address, and the person is deleted", old, "new@example.test", 1, true, []string{"bob@example.test"}},
		{"another mark", old, "\u00e1da@example.test", 1, false, []string{"\u00e1da@example.test", "bob@example.test"}},
		{"another case", old, "Ada@example.test", 0, false, []string{"Ada@example.test", "bob@example.test"}},
		{"another address with the same key", "stra\u00dfe@example.test", "strasse@example.test", 0, false, []string{"bob@example.test", "strasse@example.test"}},
		{"the same address", old, old, 0, false, []string{old, "bob@example.test"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			onEachStore(t, func(t *testing.T, b stores.Backend) {
				is, w := is.New(t), newWorld(t, b, school.Preregistration)
				ada, err := w.People.Create(t.Context(), w.actor, person.Profile{Email: tt.old})
				is.NoErr(err)
				id := w.accept(bulk.People, strings.ToUpper(tt.old)+" Beginners", "bob@example.test Others")
				_, err = w.People.Update(t.Context(), w.actor, ada.ID, person.Changes{Email: &tt.email})
				is.NoErr(err)
				if tt.deletes {
					is.NoErr(w.People.Delete(t.Context(), w.actor, ada.ID))
				}
				is.True(w.applyNext(w.App))

				is.Equal(w.job(id).RowsFailed, tt.failed)
				if tt.failed > 0 {
					is.Equal(w.job(id).Errors, []bulk.RowError{{
						Row: 0, Kind: fault.Gone, Detail: "The email address of the person was changed after this request",
					}})
				}
				people, err := w.People.List(t.Context(), w.actor, query.Query{
					Page: query.AllRows(), Sort: []query.Order{{Attr: person.Schema.Attr("email")}},
				})
				is.NoErr(err)
				var emails []string
				for _, p := range people.Items {
					emails = append(emails, p.Email)
				}
				is.Equal(emails, tt.after)
			})
		})
	}
}

package transfer_test

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/category"
	"lyceum/domain/change"
	"lyceum/domain/query"
)

// A copy that starts from an export and follows the change feed is equal to the school, even if the
// school changes between the export and the changes that are read.
func TestCopyFollowsChanges(t *testing.T) {
	onEachStore(t, func(t *testing.T, h useCases) {
		is := is.New(t)
		id := populated(t, h, "Followed "+uuid.NewString())
		actor := app.SystemActor(id)
		random := rand.New(rand.NewPCG(1, 2))
		read := func() map[string]string {
			page, err := h.Categories.List(t.Context(), actor, query.Query{Page: query.AllRows()})
			is.NoErr(err)
			found := map[string]string{}
			for _, c := range page.Items {
				found[c.ID.String()] = c.Name
			}
			return found
		}
		write := func(n int) {
			for range n {
				all := read()
				keys := make([]string, 0, len(all))
				for k := range all {
					keys = append(keys, k)
				}
				if name := "C" + strconv.Itoa(random.Int()); len(keys) == 0 || random.IntN(3) == 0 {
					_, err := h.Categories.Create(t.Context(), actor, name)
					is.NoErr(err)
				} else if key := (category.ID{UUID: uuid.MustParse(keys[random.IntN(len(keys))])}); random.IntN(3) == 0 {
					is.NoErr(h.Categories.Delete(t.Context(), actor, key))
				} else {
					_, err := h.Categories.Update(t.Context(), actor, key, app.CategoryChanges{Name: &name})
					is.NoErr(err)
				}
			}
		}
		write(20)
		var lines strings.Builder
		is.NoErr(h.Transfers.ExportWithIDs(t.Context(), actor, &lines, nil))
		followed := map[string]string{}
		var position change.Position
		for line := range strings.Lines(lines.String()) {
			var l struct{ Kind, ID, Name, Changes string }
			is.NoErr(json.Unmarshal([]byte(line), &l))
			switch l.Kind {
			case "school":
				var ok bool
				position, ok = change.ParsePosition(l.Changes)
				is.True(ok)
			case "category":
				followed[l.ID] = l.Name
			}
		}
		for range 5 {
			write(20)
			now := read()
			page, err := h.Changes.List(t.Context(), actor, query.Query{
				Page:  query.AllRows(),
				Where: query.Cond{Attr: change.Schema.Attr("uuid"), Op: query.Gt, Values: []query.Value{{Int: position.Number}}},
			})
			is.NoErr(err)
			for _, c := range page.Items {
				position.Number = c.Position
				name, exists := now[c.Record.ID]
				if followed[c.Record.ID] = name; !exists {
					delete(followed, c.Record.ID)
				}
			}
			is.Equal(followed, now)
		}
	})
}

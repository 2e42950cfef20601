package transfer_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/query"
	"lyceum/ports"
)

// TestImportDuringCourseRemoval checks that an import whose event has the client ID of an event of
// a deleted course either succeeds or says that the deletion still runs, and succeeds afterwards.
func TestImportDuringCourseRemoval(t *testing.T) {
	onEachStore(t, func(t *testing.T, h useCases) {
		is := is.New(t)
		const event = `{"kind":"event","type":"viewed","person":"ada@example.test","course":"drawing","activity":"Watch","client_id":"c-1",`
		withEvent := func(at string) string {
			return lines(append(slices.Clone(smallSchool[:len(smallSchool)-2]), event+`"created_at":"`+at+`"}`, smallSchool[len(smallSchool)-1])...)
		}
		id := h.importSchool(t, renamed(withEvent("2026-02-01T10:02:00Z"), unique("Small")))
		actor := app.SystemActor(id)
		courses, err := h.store.Read(id).Courses.List(t.Context(), query.Query{Page: query.AllRows()})
		is.NoErr(err)
		_, err = h.Courses.DeleteAll(t.Context(), actor, courses.Items[0].ID)
		is.NoErr(err)
		_, err = h.Transfers.Import(t.Context(), actor, reading(withEvent("2026-02-02T10:02:00Z")))
		if err != nil {
			is.True(errors.Is(err, ports.ErrExists))
			is.True(strings.Contains(err.Error(), "is still being deleted in the background; import the file again later: "))
		}
		for more := true; more; {
			more, err = h.CourseRemoval.DeleteNext(t.Context())
			is.NoErr(err)
		}
		_, err = h.Transfers.Import(t.Context(), actor, reading(withEvent("2026-02-02T10:02:00Z")))
		is.NoErr(err)
		is.Equal(differences(t, h, id), 0)
	})
}

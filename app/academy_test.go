package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/app/auth"
	"lyceum/app/usecase"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/test/kit"
)

// A learner sees all of their courses with the progress of the latest attempt, regardless of the
// number of attempts.
func TestOwnCoursesWithManyAttempts(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, school.Preregistration)
	var lines strings.Builder
	lines.WriteString(`
{"kind": "person", "email": "ada@example.test"}
{"kind": "course", "permalink": "walks", "name": "Walks"}
{"kind": "activity", "course": "walks", "title": "Walk", "type": "text"}
{"kind": "course", "permalink": "dance", "name": "Dance"}
{"kind": "enrollment", "course": "dance", "person": "ada@example.test", "role": "learner", "created_at": "2026-01-01T00:00:00Z"}
{"kind": "enrollment", "course": "walks", "person": "ada@example.test", "role": "learner", "created_at": "2026-01-02T00:00:00Z"}
`)
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	for i := range 1001 {
		at = at.Add(time.Minute)
		done := `, "id": "00000000-0000-4000-8000-000000000001"` // imported IDs have no order
		if i < 1000 {
			done = fmt.Sprintf(`, "completed": [{"activity": "Walk", "at": %q}]`, at.Format(time.RFC3339))
		}
		fmt.Fprintf(&lines, `{"kind": "attempt", "course": "walks", "person": "ada@example.test", "number": %d, "started_at": %q%s}`+"\n", i+1, at.Format(time.RFC3339), done)
	}
	id, key, err := kit.School{Name: "Walkers", Lines: lines.String()}.Import(w.ctx, w.App)
	is.NoErr(err)
	actor, err := w.Auth.Authenticate(w.ctx, key)
	is.NoErr(err)
	people, err := w.People.List(w.ctx, actor, query.Query{})
	is.NoErr(err)
	ada := usecase.ByLearner(id, people.Items[0].ID, uuid.New())
	found, err := w.Academy.Courses(w.ctx, auth.Visitor{Actor: ada})
	is.NoErr(err)
	is.Equal(len(found), 2)
	is.Equal(found[0].Course.Name, "Dance")
	is.Equal(found[0].Progress.String(), "0")
	is.Equal(found[1].Course.Name, "Walks")
	is.Equal(found[1].Progress.String(), "0") // the last attempt is not completed
	played, err := w.Player.Course(w.ctx, ada, "walks")
	is.NoErr(err)
	is.Equal(played.Attempt.String(), "00000000-0000-4000-8000-000000000001")
	is.Equal(played.Progress.String(), "0")
}

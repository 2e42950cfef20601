package transfer_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/structure"
	"lyceum/test/kit"
)

// TestImportDuringLearningAndAuthoring imports a course repeatedly while people learn in it and
// while its structure is changed. Afterwards derived data must be correct, and an import of the
// first export must succeed.
func TestImportDuringLearningAndAuthoring(t *testing.T) {
	onEachStore(t, func(t *testing.T, h useCases) {
		is := is.New(t)
		id := h.importSchool(t, authoringLines())
		one := h.export(t, id)
		other := edit(t, one, extraLine, `"title":"Extra","key":"extra","type":"text","archived_at":"2026-05-01T00:00:00.000Z",`,
			roundLine, moreLine+","+roundLine, `"question":1,"of":1`, `"question":2,"number":1,"of":1`, `"name":"Drawing"`, `"name":"Drawing II"`)
		back := edit(t, one, roundLine, roundLine+","+strings.TrimSuffix(moreLine, "}")+`,"archived":true}`)
		actor, reader := app.SystemActor(id), h.store.Read(id)
		steps, err := reader.Activities.List(t.Context(), query.Query{Page: query.AllRows()})
		is.NoErr(err)
		people, err := reader.People.List(t.Context(), query.Query{Page: query.AllRows()})
		is.NoErr(err)
		in := steps.Items[0].Course
		ctx, stop := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			for ctx.Err() == nil {
				for _, p := range people.Items {
					for _, a := range steps.Items {
						_ = kit.NewLearning(h.App).Complete(ctx, actor, p.ID, a.ID) // may fail: not every person is a learner
					}
					_ = kit.NewLearning(h.App).Retake(ctx, actor, p.ID, in)
				}
			}
		})
		wg.Go(func() {
			for ctx.Err() == nil {
				renameAll(ctx, h, actor, in)
			}
		})
		for i := range 12 {
			text := []string{other, back}[i%2]
			for {
				_, err := h.Transfers.Import(t.Context(), actor, reading(text))
				if err == nil {
					break
				}
				if !fault.Is(err, fault.Unavailable) {
					t.Fatal(err)
				}
			}
		}
		stop()
		wg.Wait()
		is.Equal(differences(t, h, id), 0)
		_, err = h.Transfers.Import(t.Context(), actor, reading(one))
		is.NoErr(err)
		checkUnchanged(t, h, id, one)
	})
}

// renameAll renames every active activity of a course and then restores the original titles.
func renameAll(ctx context.Context, h useCases, actor app.Actor, in course.ID) {
	for _, more := range []string{"!", ""} {
		var plan structure.Plan
		s, err := h.Structures.Get(ctx, actor, in.String())
		if err != nil {
			return
		}
		for _, a := range s.Activities {
			a.Title = strings.TrimSuffix(a.Title, "!") + more
			plan.Activities = append(plan.Activities, structure.PlanOf(a))
		}
		// An outdated plan may remove activities; the next import adds them again.
		_, _ = h.Structures.Replace(ctx, actor, in.String(), app.StructureUpdate{Plan: plan, Check: func(now structure.Structure) error {
			if len(now.Activities) != len(plan.Activities) {
				return errors.New("another course")
			}
			return nil
		}})
	}
}

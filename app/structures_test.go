package app_test

import (
	"testing"

	"github.com/matryer/is"
	"lyceum/app"
	"lyceum/domain/activity"
	"lyceum/domain/fault"
	"lyceum/domain/structure"
)

// restructure replaces the structure of greek with text activities with the given keys.
func (c *classroom) restructure(dry bool, keys ...string) (app.StructureResult, error) {
	r := app.StructureUpdate{DryRun: dry, Check: func(structure.Structure) error { return nil }}
	for _, key := range keys {
		r.Plan.Activities = append(r.Plan.Activities, structure.Activity{Key: key, Title: key, Kind: "text"})
	}
	return c.Structures.Replace(c.ctx, c.actor, "greek", r)
}

func TestArchivedActivityRefusesRecords(t *testing.T) {
	is, c := is.New(t), newClassroom(t)
	is.NoErr(c.Learning.Complete(c.ctx, c.actor, c.ada, c.text))
	text, err := c.Activities.Get(c.ctx, c.actor, c.text)
	is.NoErr(err)
	_, err = c.restructure(false, "another")
	is.NoErr(err)
	for _, do := range c.deeds() {
		err := do(c.ada, c.text)
		is.True(fault.Is(err, fault.Invalid))
		is.Equal(fault.All(err)[0].Detail, "is archived")
	}
	_, err = c.restructure(false, text.Key)
	is.NoErr(err)
	is.NoErr(c.Learning.View(c.ctx, c.actor, c.ada, c.text))
	back, err := c.Activities.Get(c.ctx, c.actor, c.text)
	is.NoErr(err)
	is.Equal([]any{back.ID, back.Key, back.Archived()}, []any{c.text, text.Key, false})
}

func TestStructureDryRunSavesNothing(t *testing.T) {
	is, c := is.New(t), newClassroom(t)
	is.NoErr(c.Learning.Complete(c.ctx, c.actor, c.ada, c.text))
	before, err := c.Structures.Get(c.ctx, c.actor, "greek")
	is.NoErr(err)
	dry, err := c.restructure(true, "another")
	is.NoErr(err)
	for _, a := range dry.After.Activities {
		is.True(dry.ProvisionalIDs[a.ID.UUID])
	}
	after, err := c.Structures.Get(c.ctx, c.actor, "greek")
	is.NoErr(err)
	is.Equal(after, before)
	kept, err := c.restructure(false, "another")
	is.NoErr(err)
	is.Equal(kept.Report, dry.Report)
}

func TestRefusedStructureCheckChangesNothing(t *testing.T) {
	is, c := is.New(t), newClassroom(t)
	before, err := c.Structures.Get(c.ctx, c.actor, "greek")
	is.NoErr(err)
	_, err = c.Structures.Replace(c.ctx, c.actor, "greek", app.StructureUpdate{
		Check: func(structure.Structure) error { return fault.Conflictf("id", "no") },
	})
	is.True(fault.Is(err, fault.Conflict))
	after, err := c.Structures.Get(c.ctx, c.actor, "greek")
	is.NoErr(err)
	is.Equal(after, before)
}

func TestActivitiesWithoutKeyGetOne(t *testing.T) {
	is := is.New(t)
	taken := map[string]bool{"intro": true, "intro-2": true}
	is.Equal(activity.KeyFor("Intro!", func(key string) bool { return taken[key] }), "intro-3")
	is.Equal(activity.KeyFor("音", func(string) bool { return false }), "activity")
}

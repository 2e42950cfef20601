package groups

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/course"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// Locks tests which operations on people, groups and courses block each other.
func Locks(t *testing.T, b fixture.Backend) {
	finds := []struct {
		name string
		hold func(group.ID) func(context.Context, ports.Tx) error
	}{{"GetForUpdate", lockGroup}, {"GetManyForShare", shareGroup}}
	for _, find := range finds {
		t.Run(find.name+" of a group blocks its deletion", func(t *testing.T) {
			is, w := is.New(t), fixture.NewWorld(t, b)
			g := w.AddGroup("Painters")
			is.NoErr(w.CheckBlocks(find.hold(g.ID), func() error { return w.TryDeleteGroup(g.ID) }))
			is.Equal(len(w.All().Groups), 0)
		})
	}

	t.Run("GetForUpdate of a group blocks its update", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		g := w.AddGroup("Painters")
		changed := g
		changed.Name = "Artists"
		is.NoErr(w.CheckBlocks(lockGroup(g.ID), func() error { return w.TrySaveGroup(changed) }))
		is.Equal(w.Group(g.ID).Name, "Artists")
	})

	t.Run("GetForUpdate of a group blocks on GetManyForShare and GetForUpdate", func(t *testing.T) {
		for _, find := range finds {
			t.Run(find.name, func(t *testing.T) {
				is, w := is.New(t), fixture.NewWorld(t, b)
				g := w.AddGroup("Painters").ID
				is.NoErr(w.CheckBlocks(find.hold(g), func() error { return w.Try(lockGroup(g)) }))
			})
		}
	})

	t.Run("GetManyForShare of a group blocks on GetForUpdate", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		g := w.AddGroup("Painters").ID
		is.NoErr(w.CheckBlocks(lockGroup(g), func() error { return w.Try(shareGroup(g)) }))
	})

	t.Run("Joining a group blocks on a change of its courses and sees the change", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		g, ada, drawing := w.AddGroup("Painters").ID, w.AddPerson("ada@example.test").ID, w.AddCourse("Drawing").ID
		change := func(ctx context.Context, tx ports.Tx) error { return w.AddCoursesToGroup(ctx, tx, g, drawing) }
		is.NoErr(w.CheckBlocks(change, func() error { return w.TryAddPersonToGroup(ada, g) }))
		is.Equal(len(w.EnrollmentsOf(ada)), 1)
	})

	t.Run("Changing the courses of a group blocks on a joining member and sees the member", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		g, ada, drawing := w.AddGroup("Painters").ID, w.AddPerson("ada@example.test").ID, w.AddCourse("Drawing").ID
		join := func(ctx context.Context, tx ports.Tx) error { return w.AddPersonToGroup(ctx, tx, ada, g) }
		is.NoErr(w.CheckBlocks(join, func() error { return w.TryAddCoursesToGroup(g, drawing) }))
		is.Equal(len(w.EnrollmentsOf(ada)), 1)
	})

	t.Run("GetManyForShare of a person blocks deletion", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := w.AddPerson("ada@example.test")
		is.NoErr(w.CheckBlocks(sharePerson(p.ID), func() error { return w.TryDeletePerson(p.ID) }))
		is.Equal(len(w.All().People), 0)
	})

	t.Run("Readers do not block on a group locked for update", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		g, ada := w.AddGroup("Painters").ID, w.AddPerson("ada@example.test").ID
		w.AddMembership(ada, g, membership.Member)
		before := w.All()
		var during fixture.Everything
		var members []person.ID
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			err := lockGroup(g)(ctx, tx)
			during, members = w.All(), w.MembersOf(g)
			return err
		})
		is.Equal(fixture.Diff(during, before), "")
		is.Equal(members, []person.ID{ada})
	})

	if b.Serial {
		serialTransactions(t, b)
	} else {
		groupConcurrency(t, b)
	}
}

// serialTransactions tests that a store whose Backend is Serial runs the transactions of a school
// one after another.
func serialTransactions(t *testing.T, b fixture.Backend) {
	t.Run("Transactions of one school run one after another, those of two schools do not block each other", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		nothing := func(context.Context, ports.Tx) error { return nil }
		is.NoErr(w.CheckBlocks(nothing, func() error { return w.Try(nothing) }))
		is.NoErr(w.Concurrently(nothing, func() error { return w.OtherTenant.Try(nothing) }))
	})
}

// groupConcurrency tests which operations do not block each other in a store that runs transactions
// of a school concurrently.
func groupConcurrency(t *testing.T, b fixture.Backend) {
	t.Run("GetManyForShare of a group does not block on another GetManyForShare", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		g := w.AddGroup("Painters").ID
		is.NoErr(w.Concurrently(shareGroup(g), func() error { return w.Try(shareGroup(g)) }))
	})

	t.Run("Two people joining a group do not block each other", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		drawing := w.AddCourse("Drawing").ID
		g := w.AddGroup("Painters", drawing).ID
		ada, grace := w.AddPerson("ada@example.test").ID, w.AddPerson("grace@example.test").ID
		join := func(ctx context.Context, tx ports.Tx) error { return w.AddPersonToGroup(ctx, tx, ada, g) }
		is.NoErr(w.Concurrently(join, func() error { return w.TryAddPersonToGroup(grace, g) }))
		is.Equal(w.MembersOf(g), []person.ID{ada, grace})
		is.Equal(w.Group(g).MembershipCount, int64(2)) // both changes are saved
		is.Equal(w.CourseSummary(drawing).EnrollmentsCount, int64(2))
	})

	t.Run("Two people leaving a group do not block each other", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		g := w.AddGroup("Painters").ID
		ada, grace := w.AddPerson("ada@example.test").ID, w.AddPerson("grace@example.test").ID
		joined := w.AddMembership(ada, g, membership.Member)
		w.AddMembership(grace, g, membership.Member)
		leave := func(ctx context.Context, tx ports.Tx) error { return tx.Memberships.Delete(ctx, joined.ID) }
		is.NoErr(w.Concurrently(leave, func() error { return w.EndMembership(grace, g) }))
		is.Equal(len(w.MembersOf(g)), 0)
		is.Equal(w.Group(g).MembershipCount, int64(0))
	})

	t.Run("Changes of the courses of two groups do not block each other", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		drawing := w.AddCourse("Drawing").ID
		painters, singers := w.AddGroup("Painters").ID, w.AddGroup("Singers").ID
		change := func(ctx context.Context, tx ports.Tx) error { return w.AddCoursesToGroup(ctx, tx, painters, drawing) }
		is.NoErr(w.Concurrently(change, func() error { return w.TryAddCoursesToGroup(singers, drawing) }))
		is.Equal(w.CoursesOf(painters), []course.ID{drawing})
		is.Equal(w.CoursesOf(singers), []course.ID{drawing})
	})
}

func lockGroup(id group.ID) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error { return fixture.Second(tx.Groups.GetForUpdate(ctx, id)) }
}

func shareGroup(id group.ID) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error {
		return fixture.Second(tx.Groups.GetManyForShare(ctx, []group.ID{id}))
	}
}

func sharePerson(id person.ID) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error {
		return fixture.Second(tx.People.GetManyForShare(ctx, []person.ID{id}))
	}
}

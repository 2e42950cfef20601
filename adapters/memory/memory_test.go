package memory_test

import (
	"context"
	"testing"

	"github.com/matryer/is"
	"go.uber.org/fx"
	"go.uber.org/fx/fxtest"
	"go.uber.org/goleak"
	"lyceum/adapters/memory"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/reconcile"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/conformance/storetest"
	"lyceum/test/kit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConformance(t *testing.T) {
	storetest.Run(t, func(*testing.T) storetest.Backend {
		s := memory.New()
		return storetest.Backend{
			Store: s, Schools: s.Schools(), Queue: s.Queue(), Loader: s, Serial: true,
			Computed: []reconcile.Value{reconcile.PersonPartnerships, reconcile.CourseAnalytics, reconcile.FeedGaps},
			Run: func(*testing.T, string) (storetest.Backend, func()) {
				s := memory.New()
				return storetest.Backend{Store: s, Schools: s.Schools(), Queue: s.Queue(), Loader: s}, func() {}
			},
			Damage: func(t *testing.T, id school.ID, d storetest.Damage) {
				t.Helper()
				change, ok := damages[d]
				if !ok {
					t.Fatalf("no change for the damage %v", d)
				}
				if err := s.Damage(id, change); err != nil {
					t.Fatal(err)
				}
			},
		}
	})
}

// damages contains, for each damage of storetest, the function that causes it.
var damages = map[storetest.Damage]func(memory.Damaged){
	{Value: reconcile.PersonCourses, Defect: storetest.Wrong}: func(d memory.Damaged) {
		d.People(7, func(p *person.Summary) *int64 { return &p.CourseCount })
	},
	{Value: reconcile.PersonGroups, Defect: storetest.Wrong}: func(d memory.Damaged) {
		d.People(7, func(p *person.Summary) *int64 { return &p.GroupCount })
	},
	{Value: reconcile.CourseEnrollments, Defect: storetest.Wrong}: func(d memory.Damaged) { d.Courses(7) },
	{Value: reconcile.GroupMemberships, Defect: storetest.Wrong}:  func(d memory.Damaged) { d.Groups(7) },
	{Value: reconcile.QuizScores, Defect: storetest.Wrong}:        func(d memory.Damaged) { d.Scores(false) },
	{Value: reconcile.QuizScores, Defect: storetest.Missing}:      func(d memory.Damaged) { d.Scores(true) },
}

// The ports that the module provides must belong to the same store.
func TestModule(t *testing.T) {
	is := is.New(t)
	var (
		store   ports.Store
		schools ports.Schools
		queue   ports.Queue
	)
	fxtest.New(t, memory.Module, fx.Populate(&store, &schools, &queue)).RequireStart().RequireStop()

	s, err := school.New(school.ID{UUID: nth(1)}, "School", school.Open, then)
	is.NoErr(err)
	is.NoErr(kit.AddSchool(t.Context(), store, s))
	got, err := store.Read(s.State().ID).School.Get(t.Context())
	is.NoErr(err)
	is.Equal(got.State(), s.State())

	chore := newJob(s.State().ID, 1)
	is.NoErr(store.InTx(t.Context(), chore.School, func(ctx context.Context, tx ports.Tx) error {
		return tx.Jobs.Add(ctx, chore)
	}))
	kept, err := queue.List(t.Context(), chore.Kind)
	is.NoErr(err)
	is.Equal(kept, []job.Job{chore})
}

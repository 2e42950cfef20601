package transfer

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/category"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/group"
	"lyceum/domain/job"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/quiz"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/conformance/storetest/lists"
	"lyceum/test/kit/fake"
)

// Copies tests that the store copies its arguments and returns copies, so that a change to an
// argument or a result does not affect other readers.
func Copies(t *testing.T, b fixture.Backend) {
	for _, c := range lists.Cases {
		c.CheckCopies(t, b)
	}

	t.Run("The store copies its arguments", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		ours := fixture.New(w.Tenant, "ours")
		extra := w.AddCategory("Extra")
		avatar, at := "https://img.example.test/a.png", w.NextTime()

		p := w.NewPerson("ada@example.test", func(p *person.State) { p.AvatarURL, p.ActivatedAt = &avatar, &at })
		filed := []category.ID{extra.ID, ours.Category.ID} // not ordered by id
		c := w.NewCourse("Drawing", fixture.InCategories(filed...), fixture.InstructedBy(ours.Partnership.ID))
		es := []enrollment.Enrollment{
			w.NewEnrollment(p.ID, c.ID, enrollment.Learner), w.NewEnrollment(ours.Learner.ID, c.ID, enrollment.Learner),
		}
		ids := []course.ID{c.ID, ours.Course.ID}
		g := w.AddGroup("Painters").ID
		memberships := []membership.Membership{
			w.NewMembership(ours.Learner.ID, g, membership.Member), w.NewMembership(p.ID, g, membership.Member),
		}
		reduced := w.AddCoupon("Spring")
		groups, people := []group.ID{g, ours.Group.ID}, []person.ID{p.ID, ours.Learner.ID}
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.People.Add(ctx, person.Restore(p)); err != nil {
				return err
			}
			if err := tx.Courses.Add(ctx, course.Restore(c)); err != nil {
				return err
			}
			if _, err := tx.Enrollments.AddIfAbsent(ctx, es); err != nil {
				return err
			}
			if _, err := tx.Courses.GetManyForShare(ctx, ids); err != nil {
				return err
			}
			if _, err := tx.Enrollments.RemoveFromCourses(ctx, ours.Learner.ID, enrollment.Manager, ids); err != nil {
				return err
			}
			_, errGroups := tx.Groups.GetManyForShare(ctx, groups)
			_, errHeld := tx.Groups.CourseIDs(ctx, groups)
			_, errPeople := tx.People.GetManyForShare(ctx, people)
			_, errPut := tx.Groups.AddCourses(ctx, g, ids)
			_, errJoin := tx.Memberships.AddIfAbsent(ctx, memberships)
			_, errLeave := tx.Memberships.RemovePeople(ctx, g, membership.Manager, people)
			return errors.Join(errGroups, errHeld, errPeople, errPut, errJoin, errLeave)
		})
		is.Equal(ids, []course.ID{c.ID, ours.Course.ID}) // arguments are not modified
		is.Equal(groups, []group.ID{g, ours.Group.ID})
		is.Equal(people, []person.ID{p.ID, ours.Learner.ID})
		is.Equal([]person.ID{memberships[0].Person, memberships[1].Person}, []person.ID{ours.Learner.ID, p.ID})
		is.Equal(c.Categories, []category.ID{extra.ID, ours.Category.ID})
		before := fixture.CloneAll(w.All())

		avatar, at = "changed", fake.Start
		*reduced.EndOn = fake.Start // change the coupon that was passed to Add
		is.Equal(fixture.Diff(w.All(), before), "")
		ends := fixture.DayOf(w.NextTime())
		reduced.EndOn = &ends
		is.NoErr(w.TrySaveCoupon(reduced))
		before = fixture.CloneAll(w.All())
		ends = fake.Start
		c.Categories[0], c.Instructors[0] = category.ID{}, person.PartnershipID{}
		es[0], es[1] = enrollment.Enrollment{}, enrollment.Enrollment{}
		clear(ids)
		clear(memberships)
		is.Equal(fixture.Diff(w.All(), before), "")
		is.Equal(w.CoursesOf(g), []course.ID{ours.Course.ID, c.ID})

		saved := ours.Learner
		avatar, at = "https://img.example.test/b.png", w.NextTime()
		saved.AvatarURL, saved.ActivatedAt = &avatar, &at
		is.NoErr(w.TrySavePerson(saved))
		before = fixture.CloneAll(w.All())
		avatar, at = "changed", fake.Start
		is.Equal(fixture.Diff(w.All(), before), "")
	})

	t.Run("A reader returns copies", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		id := addVaried(w.Tenant)
		before := fixture.CloneAll(w.All())

		fixture.Overwrite(reflect.ValueOf(w.All()))
		is.Equal(fixture.Diff(w.All(), before), "")

		p := w.PersonSummary(id)
		overwritePerson(p.State)
		clear(p.Partnerships)
		clear(w.EnrollmentsOf(id))
		*w.Coupon(before.Coupons[0].ID).EndOn = fake.Start
		clear(w.MembersOf(before.Groups[0].ID))
		is.Equal(w.MembersOf(before.Groups[0].ID), []person.ID{id})
		for _, row := range before.Courses {
			c := w.CourseSummary(row.ID)
			clear(c.Categories)
			clear(c.Instructors)
		}
		is.Equal(fixture.Diff(w.All(), before), "")
	})

	t.Run("A transaction returns copies", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		id := addVaried(w.Tenant)
		before := fixture.CloneAll(w.All())
		var again person.State
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			p, err := tx.People.GetForUpdate(ctx, id)
			if err != nil {
				return err
			}
			overwritePerson(p.State())
			reduced, err := tx.Coupons.GetForUpdate(ctx, before.Coupons[0].ID)
			if err != nil {
				return err
			}
			*reduced.State().EndOn = fake.Start
			loaded, err := tx.People.GetManyForShare(ctx, []person.ID{id})
			if err != nil {
				return err
			}
			overwritePerson(loaded[id].State())
			found, err := tx.Courses.GetManyForShare(ctx, []course.ID{before.Courses[0].ID})
			if err != nil {
				return err
			}
			c := found[before.Courses[0].ID].State()
			clear(c.Categories)
			clear(c.Instructors)
			parts, err := tx.Partnerships.ByPerson(ctx, id)
			if err != nil {
				return err
			}
			clear(parts)
			es, err := tx.Enrollments.ByPerson(ctx, id)
			if err != nil {
				return err
			}
			clear(es)
			g := before.Groups[0].ID
			held, err := tx.Groups.CourseIDs(ctx, []group.ID{g})
			if err != nil {
				return err
			}
			clear(held[g])
			members, err := tx.Memberships.MemberIDs(ctx, g)
			if err != nil {
				return err
			}
			clear(members)
			people, err := tx.People.GetManyForShare(ctx, []person.ID{id})
			if err != nil {
				return err
			}
			overwritePerson(people[id].State())
			list, err := tx.People.List(ctx, query.Query{})
			if err != nil {
				return err
			}
			for _, row := range list.Items {
				overwritePerson(row.State)
				clear(row.Partnerships)
			}
			p, err = tx.People.GetForUpdate(ctx, id)
			again = p.State()
			return err
		})
		is.Equal(fixture.Diff(again, before.People[0].State), "")
		is.Equal(fixture.Diff(w.All(), before), "")
		is.Equal(w.CoursesOf(before.Groups[0].ID), []course.ID{before.Courses[0].ID})
		is.Equal(w.MembersOf(before.Groups[0].ID), []person.ID{id})
	})

	t.Run("Attempts, quiz attempts, quizzes and events are copies", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		l, at := fixture.NewCourseFixture(w.Tenant, "one"), w.NextTime()
		r := w.NewQuizAttempt(l.Attempt, l.QuizActivity, l.Quiz, 1, true, false)
		w.Save(r)
		a, part := l.Attempt, event.Fraction(500_000)
		a.LastCompletedAt = &at
		is.NoErr(w.TrySaveAttempt(a))
		kept := w.Append(w.NextTime(), event.Event{Kind: event.ViewedVideo, Person: l.Learner.ID, Activity: l.Video.ID, Watched: &part})
		look := func() []any {
			began, err := w.Latest(l.Learner.ID, l.Course.ID)
			is.NoErr(err)
			ran, err := w.LatestQuizAttempt(l.Attempt.ID, l.QuizActivity.ID)
			is.NoErr(err)
			asked, err := fixture.InTx(w.Tenant, func(ctx context.Context, tx ports.Tx) (quiz.State, error) {
				found, err := tx.Quizzes.GetManyForShare(ctx, []quiz.ID{l.Quiz.ID})
				return found[l.Quiz.ID].State(), err
			})
			is.NoErr(err)
			return []any{began, ran, asked, w.TallyOf(l.Attempt.ID), w.All()}
		}
		w.Complete(l.Attempt.ID, l.Text.ID, w.NextTime())
		before := []any{}
		for _, seen := range look() {
			before = append(before, fixture.DeepCopy(reflect.ValueOf(seen)).Interface())
		}
		at, part = time.Time{}, 0 // change an argument
		fixture.Overwrite(reflect.ValueOf(r.Answers))
		fixture.Overwrite(reflect.ValueOf(l.Quiz.Questions))
		fixture.Overwrite(reflect.ValueOf(kept)) // change a result
		for _, seen := range look() {
			fixture.Overwrite(reflect.ValueOf(seen))
		}
		is.Equal(fixture.Diff(look(), before), "")
	})

	t.Run("Jobs are copies", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		kind := fixture.NewKind()
		want := w.AddJob(kind)
		clear(w.Jobs(kind))
		is.Equal(fixture.Diff(w.Jobs(kind), []job.Job{want}), "")
		held := w.Lease(kind, 1, want.RunAt, want.RunAt.Add(time.Minute))
		kept := slices.Clone(held)
		clear(held)
		is.Equal(fixture.Diff(w.Jobs(kind), kept), "")
	})

	t.Run("Keys are copies", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		k := w.NewKey(0)
		used, revoked, expires := fake.Start, fake.Start.Add(time.Hour), fake.Start.Add(2*time.Hour)
		k.LastUsed, k.RevokedAt, k.ExpiresAt = &used, &revoked, &expires
		is.NoErr(w.TryAddKey(k))
		want := k
		wantUsed, wantRevoked, wantExpires := used, revoked, expires
		want.LastUsed, want.RevokedAt, want.ExpiresAt = &wantUsed, &wantRevoked, &wantExpires

		used, revoked, expires = time.Time{}, time.Time{}, time.Time{}
		for range 2 {
			keys, err := w.Schools.ListKeys(w.Context(), w.ID)
			is.NoErr(err)
			is.Equal(fixture.Diff(keys, []school.Key{want}), "")
			*keys[0].LastUsed, *keys[0].RevokedAt, *keys[0].ExpiresAt = time.Time{}, time.Time{}, time.Time{}
			keys[0] = school.Key{}
			found, _, err := w.Schools.KeyByHash(w.Context(), k.Hash)
			is.NoErr(err)
			is.Equal(fixture.Diff(found, want), "")
			*found.LastUsed, *found.RevokedAt = time.Time{}, time.Time{}
		}
	})
}

// addVaried adds records that contain pointers and lists, and returns the id of their person.
func addVaried(s fixture.Tenant) person.ID {
	s.T.Helper()
	avatar, at := "https://img.example.test/a.png", s.NextTime()
	p := s.AddPerson("ada@example.test", func(p *person.State) { p.AvatarURL, p.ActivatedAt = &avatar, &at })
	one, two := s.AddPartner(p.ID, person.Owner), s.AddPartner(p.ID, person.Instructor)
	c := s.AddCourse("Drawing", fixture.InCategories(s.AddCategory("Design").ID, s.AddCategory("Music").ID), fixture.InstructedBy(one.ID, two.ID))
	s.Enroll(p.ID, c.ID, enrollment.Learner)
	s.Enroll(p.ID, c.ID, enrollment.Manager)
	s.AddCoupon("Spring")
	s.AddMembership(p.ID, s.AddGroup("Painters", c.ID).ID, membership.Member)
	return p.ID
}

// overwritePerson changes the targets of the pointers in p.
func overwritePerson(p person.State) {
	if p.AvatarURL != nil {
		*p.AvatarURL = "changed"
	}
	if p.ActivatedAt != nil {
		*p.ActivatedAt = time.Time{}
	}
}

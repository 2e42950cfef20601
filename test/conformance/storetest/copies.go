package storetest

import (
	"context"
	"errors"
	"math/rand/v2"
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
	"lyceum/test/kit/fake"
)

// copies tests that the store copies its arguments and returns copies, so that a change to an
// argument or a result does not affect other readers.
func copies(t *testing.T, b Backend) {
	for _, c := range listCases {
		c.checkCopies(t, b)
	}

	t.Run("The store copies its arguments", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		ours := newFixture(w.tenant, "ours")
		extra := w.addCategory("Extra")
		avatar, at := "https://img.example.test/a.png", w.nextTime()

		p := w.newPerson("ada@example.test", func(p *person.State) { p.AvatarURL, p.ActivatedAt = &avatar, &at })
		filed := []category.ID{extra.ID, ours.category.ID} // not ordered by id
		c := w.newCourse("Drawing", inCategories(filed...), instructedBy(ours.partnership.ID))
		es := []enrollment.Enrollment{
			w.newEnrollment(p.ID, c.ID, enrollment.Learner), w.newEnrollment(ours.learner.ID, c.ID, enrollment.Learner),
		}
		ids := []course.ID{c.ID, ours.course.ID}
		g := w.addGroup("Painters").ID
		memberships := []membership.Membership{
			w.newMembership(ours.learner.ID, g, membership.Member), w.newMembership(p.ID, g, membership.Member),
		}
		reduced := w.addCoupon("Spring")
		groups, people := []group.ID{g, ours.group.ID}, []person.ID{p.ID, ours.learner.ID}
		w.do(func(ctx context.Context, tx ports.Tx) error {
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
			if _, err := tx.Enrollments.RemoveFromCourses(ctx, ours.learner.ID, enrollment.Manager, ids); err != nil {
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
		is.Equal(ids, []course.ID{c.ID, ours.course.ID}) // arguments are not modified
		is.Equal(groups, []group.ID{g, ours.group.ID})
		is.Equal(people, []person.ID{p.ID, ours.learner.ID})
		is.Equal([]person.ID{memberships[0].Person, memberships[1].Person}, []person.ID{ours.learner.ID, p.ID})
		is.Equal(c.Categories, []category.ID{extra.ID, ours.category.ID})
		before := cloneAll(w.all())

		avatar, at = "changed", fake.Start
		*reduced.EndOn = fake.Start // change the coupon that was passed to Add
		is.Equal(diff(w.all(), before), "")
		ends := dayOf(w.nextTime())
		reduced.EndOn = &ends
		is.NoErr(w.trySaveCoupon(reduced))
		before = cloneAll(w.all())
		ends = fake.Start
		c.Categories[0], c.Instructors[0] = category.ID{}, person.PartnershipID{}
		es[0], es[1] = enrollment.Enrollment{}, enrollment.Enrollment{}
		clear(ids)
		clear(memberships)
		is.Equal(diff(w.all(), before), "")
		is.Equal(w.coursesOf(g), []course.ID{ours.course.ID, c.ID})

		saved := ours.learner
		avatar, at = "https://img.example.test/b.png", w.nextTime()
		saved.AvatarURL, saved.ActivatedAt = &avatar, &at
		is.NoErr(w.trySavePerson(saved))
		before = cloneAll(w.all())
		avatar, at = "changed", fake.Start
		is.Equal(diff(w.all(), before), "")
	})

	t.Run("A reader returns copies", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		id := w.addVaried()
		before := cloneAll(w.all())

		overwrite(reflect.ValueOf(w.all()))
		is.Equal(diff(w.all(), before), "")

		p := w.personSummary(id)
		overwritePerson(p.State)
		clear(p.Partnerships)
		clear(w.enrollmentsOf(id))
		*w.coupon(before.Coupons[0].ID).EndOn = fake.Start
		clear(w.membersOf(before.Groups[0].ID))
		is.Equal(w.membersOf(before.Groups[0].ID), []person.ID{id})
		for _, row := range before.Courses {
			c := w.courseSummary(row.ID)
			clear(c.Categories)
			clear(c.Instructors)
		}
		is.Equal(diff(w.all(), before), "")
	})

	t.Run("A transaction returns copies", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		id := w.addVaried()
		before := cloneAll(w.all())
		var again person.State
		w.do(func(ctx context.Context, tx ports.Tx) error {
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
		is.Equal(diff(again, before.People[0].State), "")
		is.Equal(diff(w.all(), before), "")
		is.Equal(w.coursesOf(before.Groups[0].ID), []course.ID{before.Courses[0].ID})
		is.Equal(w.membersOf(before.Groups[0].ID), []person.ID{id})
	})

	t.Run("Attempts, quiz attempts, quizzes and events are copies", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		l, at := newCourseFixture(w.tenant, "one"), w.nextTime()
		r := w.newQuizAttempt(l.attempt, l.quizActivity, l.quiz, 1, true, false)
		w.save(r)
		a, part := l.attempt, event.Fraction(500_000)
		a.LastCompletedAt = &at
		is.NoErr(w.trySaveAttempt(a))
		kept := w.append(w.nextTime(), event.Event{Kind: event.ViewedVideo, Person: l.learner.ID, Activity: l.video.ID, Watched: &part})
		look := func() []any {
			began, err := w.latest(l.learner.ID, l.course.ID)
			is.NoErr(err)
			ran, err := w.latestQuizAttempt(l.attempt.ID, l.quizActivity.ID)
			is.NoErr(err)
			asked, err := inTx(w.tenant, func(ctx context.Context, tx ports.Tx) (quiz.State, error) {
				found, err := tx.Quizzes.GetManyForShare(ctx, []quiz.ID{l.quiz.ID})
				return found[l.quiz.ID].State(), err
			})
			is.NoErr(err)
			return []any{began, ran, asked, w.tallyOf(l.attempt.ID), w.all()}
		}
		w.complete(l.attempt.ID, l.text.ID, w.nextTime())
		before := []any{}
		for _, seen := range look() {
			before = append(before, deepCopy(reflect.ValueOf(seen)).Interface())
		}
		at, part = time.Time{}, 0 // change an argument
		overwrite(reflect.ValueOf(r.Answers))
		overwrite(reflect.ValueOf(l.quiz.Questions))
		overwrite(reflect.ValueOf(kept)) // change a result
		for _, seen := range look() {
			overwrite(reflect.ValueOf(seen))
		}
		is.Equal(diff(look(), before), "")
	})

	t.Run("Jobs are copies", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		kind := newKind()
		want := w.addJob(kind)
		clear(w.jobs(kind))
		is.Equal(diff(w.jobs(kind), []job.Job{want}), "")
		held := w.lease(kind, 1, want.RunAt, want.RunAt.Add(time.Minute))
		kept := slices.Clone(held)
		clear(held)
		is.Equal(diff(w.jobs(kind), kept), "")
	})

	t.Run("Keys are copies", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		k := w.newKey(0)
		used, revoked, expires := fake.Start, fake.Start.Add(time.Hour), fake.Start.Add(2*time.Hour)
		k.LastUsed, k.RevokedAt, k.ExpiresAt = &used, &revoked, &expires
		is.NoErr(w.tryAddKey(k))
		want := k
		wantUsed, wantRevoked, wantExpires := used, revoked, expires
		want.LastUsed, want.RevokedAt, want.ExpiresAt = &wantUsed, &wantRevoked, &wantExpires

		used, revoked, expires = time.Time{}, time.Time{}, time.Time{}
		for range 2 {
			keys, err := w.schools.ListKeys(w.ctx(), w.id)
			is.NoErr(err)
			is.Equal(diff(keys, []school.Key{want}), "")
			*keys[0].LastUsed, *keys[0].RevokedAt, *keys[0].ExpiresAt = time.Time{}, time.Time{}, time.Time{}
			keys[0] = school.Key{}
			found, _, err := w.schools.KeyByHash(w.ctx(), k.Hash)
			is.NoErr(err)
			is.Equal(diff(found, want), "")
			*found.LastUsed, *found.RevokedAt = time.Time{}, time.Time{}
		}
	})
}

// checkCopies tests that a list returns copies of its rows.
func (c *listCase[T]) checkCopies(t *testing.T, b Backend) {
	t.Run("Rows of the list "+c.name+" are copies", func(t *testing.T) {
		w := newWorld(t, b)
		written := c.write(w.tenant, rand.New(rand.NewPCG(3, 4)), hostileTexts[:20])
		rows := c.expectedRows(deepCopy(reflect.ValueOf(written)).Interface().([]T)) // copied before the arguments are overwritten
		overwrite(reflect.ValueOf(written))
		c.check(w.tenant, rows, query.Query{Page: query.AllRows()})
		for _, q := range []query.Query{{Page: query.AllRows()}, {Where: c.commonCond(), Page: query.NewPage(1, 3)}} {
			got, err := c.of(w.read()).List(w.ctx(), q)
			w.must(err)
			overwrite(reflect.ValueOf(got.Items))
			c.check(w.tenant, rows, query.Query{Page: query.AllRows()})
		}
	})
}

// overwrite zeroes the memory that copies of v share with v: the elements of slices and the targets
// of pointers. It ignores unexported fields.
func overwrite(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			overwrite(v.Index(i))
			v.Index(i).SetZero()
		}
	case reflect.Pointer:
		if !v.IsNil() && v.Elem().CanSet() {
			v.Elem().SetZero()
		}
	case reflect.Struct:
		for field, value := range v.Fields() {
			if field.IsExported() {
				overwrite(value)
			}
		}
	}
}

// cloneAll returns a deep copy of e. Without the copy, the expected records might share memory with
// the store and change together with the result.
func cloneAll(e everything) everything { return deepCopy(reflect.ValueOf(e)).Interface().(everything) }

// deepCopy returns a deep copy of v. Unexported fields are copied by assignment.
func deepCopy(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	switch {
	case v.Kind() == reflect.Slice && !v.IsNil():
		c.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			c.Index(i).Set(deepCopy(v.Index(i)))
		}
	case v.Kind() == reflect.Interface && !v.IsNil():
		c.Set(deepCopy(v.Elem()))
	case v.Kind() == reflect.Pointer && !v.IsNil():
		c.Set(reflect.New(v.Type().Elem()))
		c.Elem().Set(deepCopy(v.Elem()))
	case v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[time.Time]():
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				c.Field(i).Set(deepCopy(v.Field(i)))
			}
		}
	}
	return c
}

// addVaried adds records that contain pointers and lists, and returns the id of their person.
func (s tenant) addVaried() person.ID {
	s.t.Helper()
	avatar, at := "https://img.example.test/a.png", s.nextTime()
	p := s.addPerson("ada@example.test", func(p *person.State) { p.AvatarURL, p.ActivatedAt = &avatar, &at })
	one, two := s.addPartner(p.ID, person.Owner), s.addPartner(p.ID, person.Instructor)
	c := s.addCourse("Drawing", inCategories(s.addCategory("Design").ID, s.addCategory("Music").ID), instructedBy(one.ID, two.ID))
	s.enroll(p.ID, c.ID, enrollment.Learner)
	s.enroll(p.ID, c.ID, enrollment.Manager)
	s.addCoupon("Spring")
	s.addMembership(p.ID, s.addGroup("Painters", c.ID).ID, membership.Member)
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

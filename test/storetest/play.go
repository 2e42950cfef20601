package storetest

import (
	"context"
	"errors"

	"lyceum/domain/category"
	"lyceum/domain/coupon"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

// play is a transaction that writes to every kind of record, and what a school
// shows before and after it.
type play struct {
	before, after everything

	renamed, added category.State
	course         course.State
	changed, guest person.State
	partnership    person.Partnership
	arrival        enrollment.Enrollment
	gone           person.ID
	left           course.ID
	dropped        category.ID

	regrouped, club group.State // the club is new
	disbanded       group.ID
	seat            membership.Membership // of the guest in the club
	recoded, offer  coupon.State          // the offer is new
	withdrawn       coupon.ID
	quit            membership.Membership // of the changed person in the regrouped group
}

// newPlay fills s with what the play needs and writes the play.
func newPlay(s tenant) play {
	s.t.Helper()
	design, music := s.newCategory("Design"), s.newCategory("Music")
	ada, grace := s.newPerson("ada@example.test"), s.newPerson("grace@example.test")
	drawing := s.newCourse("Drawing", under(design.ID, music.ID))
	spring, autumn := s.newCoupon("Spring"), s.newCoupon("Autumn")
	painters, singers := s.newGroup("Painters"), s.newGroup("Singers")
	quit := s.newMembership(ada.ID, painters.ID, membership.Member)
	s.keep(
		design, music, spring, autumn, ada, grace, drawing, s.newEnrollment(ada.ID, drawing.ID, enrollment.Learner),
		painters, holding{painters.ID, drawing.ID}, singers, holding{singers.ID, drawing.ID},
		quit, s.newMembership(ada.ID, singers.ID, membership.Member),
	)
	p := play{
		before: s.all(), renamed: design, dropped: music.ID, changed: ada, gone: grace.ID, left: drawing.ID,
		added: s.newCategory("Theatre"), guest: s.newPerson("alan@example.test"),
		course: s.newCourse("Staging"), partnership: s.newPartner(ada.ID, person.Owner),
		regrouped: painters, club: s.newGroup("Stagers"), disbanded: singers.ID, quit: quit,
		recoded: spring, offer: s.newCoupon("Winter"), withdrawn: autumn.ID,
	}
	p.renamed.Name, p.renamed.UpdatedAt = "Drawing", s.next()
	p.recoded.Code, p.recoded.UsagesCount, p.recoded.EndOn, p.recoded.UpdatedAt = "Summer", 1, nil, s.next()
	p.changed.FirstName, p.changed.UpdatedAt = "Augusta", s.next()
	p.course.Categories = []category.ID{p.added.ID}
	p.course.Instructors = []person.PartnershipID{p.partnership.ID}
	p.arrival = s.newEnrollment(p.guest.ID, p.course.ID, enrollment.Learner)
	p.regrouped.Name, p.regrouped.UpdatedAt = "Artists", s.next()
	p.seat = s.newMembership(p.guest.ID, p.club.ID, membership.Member)

	drawing.Categories = []category.ID{design.ID}
	p.after = everything{
		School:     p.before.School,
		Categories: []category.State{p.renamed, p.added},
		Coupons:    []coupon.State{p.recoded, p.offer},
		Courses:    []course.Summary{{State: drawing}, {State: p.course, EnrollmentsCount: 1}},
		People: []person.Summary{
			{State: p.changed, Partnerships: []person.PartnershipID{p.partnership.ID}},
			{State: p.guest, CourseCount: 1, GroupCount: 1},
		},
		Enrollments: []enrollment.Enrollment{p.arrival},
		Groups:      []group.Summary{{State: p.regrouped}, {State: p.club, MembershipCount: 1}},
		Memberships: []membership.Membership{p.seat},
	}
	return p
}

// act is the play.
func (p play) act(ctx context.Context, tx ports.Tx) error {
	steps := []func() error{
		func() error { return tx.Categories.Save(ctx, category.Restore(p.renamed)) },
		func() error { return tx.Categories.Add(ctx, category.Restore(p.added)) },
		func() error { return tx.Courses.DetachCategory(ctx, p.dropped) },
		func() error { return tx.Categories.Remove(ctx, p.dropped) },
		func() error { return tx.Coupons.Save(ctx, coupon.Restore(p.recoded)) },
		func() error { return tx.Coupons.Remove(ctx, p.withdrawn) },
		func() error { return tx.Coupons.Add(ctx, coupon.Restore(p.offer)) },
		func() error { return tx.People.Save(ctx, person.Restore(p.changed)) },
		func() error { return tx.People.Remove(ctx, p.gone) },
		func() error { return tx.People.Add(ctx, person.Restore(p.guest)) },
		func() error { return second(tx.Partnerships.AddIfAbsent(ctx, p.partnership)) },
		func() error { return tx.Courses.Add(ctx, course.Restore(p.course)) },
		func() error {
			return second(tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{p.arrival}))
		},
		func() error {
			return second(tx.Enrollments.Remove(ctx, p.changed.ID, enrollment.Learner, []course.ID{p.left}))
		},
		func() error { return tx.Groups.Save(ctx, group.Restore(p.regrouped)) },
		func() error { return tx.Memberships.RemoveByID(ctx, p.quit.ID) },
		func() error { return tx.Memberships.RemoveOfGroup(ctx, p.disbanded) },
		func() error { return tx.Groups.Remove(ctx, p.disbanded) },
		func() error { return tx.Groups.Add(ctx, group.Restore(p.club)) },
		func() error { return second(tx.Groups.AddCourses(ctx, p.club.ID, []course.ID{p.course.ID})) },
		func() error {
			return second(tx.Memberships.AddIfAbsent(ctx, []membership.Membership{p.seat}))
		},
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// actAndWatch plays and then looks at what was written, from inside.
func (p play) actAndWatch(ctx context.Context, tx ports.Tx) error {
	if err := p.act(ctx, tx); err != nil {
		return err
	}
	return errors.Join(p.watchPeople(ctx, tx), p.watchCourses(ctx, tx), p.watchGroups(ctx, tx), p.watchCoupons(ctx, tx))
}

func (p play) watchPeople(ctx context.Context, tx ports.Tx) error {
	changed, errChanged := tx.People.Find(ctx, p.changed.ID)
	loaded, errLoaded := tx.People.Load(ctx, []person.ID{p.gone, p.changed.ID})
	guest, errGuest := tx.People.Get(ctx, p.guest.ID)
	_, errGone := tx.People.Find(ctx, p.gone)
	parts, errParts := tx.Partnerships.Of(ctx, p.changed.ID)
	if err := errors.Join(errChanged, errLoaded, errGuest, errParts); err != nil {
		return err
	}
	guest.CourseCount, guest.GroupCount = 0, 0 // counts are promised for the end
	return unlike(
		[]any{changed.State(), len(loaded), loaded[p.changed.ID].State(), guest, isMissing(errGone), parts},
		[]any{p.changed, 1, p.changed, person.Summary{State: p.guest}, true, []person.Partnership{p.partnership}},
	)
}

func (p play) watchCourses(ctx context.Context, tx ports.Tx) error {
	categories, errCategories := tx.Categories.List(ctx, query.Query{Page: query.Everything()})
	renamed, errRenamed := tx.Categories.Find(ctx, p.renamed.ID)
	_, errRemoved := tx.Categories.Find(ctx, p.dropped)
	courses, errCourses := tx.Courses.Load(ctx, []course.ID{p.course.ID})
	id, errLink := tx.Courses.ByPermalink(ctx, p.course.Permalink)
	arrived, errArrived := tx.Enrollments.OfPerson(ctx, p.guest.ID)
	left, errLeft := tx.Enrollments.OfPerson(ctx, p.changed.ID)
	if err := errors.Join(errCategories, errRenamed, errCourses, errLink, errArrived, errLeft); err != nil {
		return err
	}
	return unlike(
		[]any{categories.Items, renamed.State(), isMissing(errRemoved), courses[p.course.ID].State(), id, arrived, len(left)},
		[]any{p.after.Categories, p.renamed, true, p.course, p.course.ID, []enrollment.Enrollment{p.arrival}, 0},
	)
}

func (p play) watchGroups(ctx context.Context, tx ports.Tx) error {
	renamed, errRenamed := tx.Groups.Find(ctx, p.regrouped.ID)
	loaded, errLoaded := tx.Groups.Load(ctx, []group.ID{p.disbanded, p.club.ID})
	_, errDisbanded := tx.Groups.Get(ctx, p.disbanded)
	held, errHeld := tx.Groups.Courses(ctx, []group.ID{p.disbanded, p.club.ID})
	list, errList := tx.Memberships.List(ctx, query.Query{Page: query.Everything()})
	seat, errSeat := tx.Memberships.Get(ctx, p.seat.ID)
	_, errQuit := tx.Memberships.Get(ctx, p.quit.ID)
	members, errMembers := tx.Memberships.Members(ctx, p.club.ID)
	if err := errors.Join(errRenamed, errLoaded, errHeld, errList, errSeat, errMembers); err != nil {
		return err
	}
	return unlike(
		[]any{
			renamed.State(), len(loaded), loaded[p.club.ID].State(), isMissing(errDisbanded), held,
			list.Items, seat, isMissing(errQuit), members,
		},
		[]any{
			p.regrouped, 1, p.club, true,
			map[group.ID][]course.ID{p.club.ID: {p.course.ID}},
			p.after.Memberships, p.seat, true,
			[]person.ID{p.guest.ID},
		},
	)
}

func (p play) watchCoupons(ctx context.Context, tx ports.Tx) error {
	list, errList := tx.Coupons.List(ctx, query.Query{Page: query.Everything()})
	changed, errChanged := tx.Coupons.Find(ctx, p.recoded.ID)
	added, errAdded := tx.Coupons.Get(ctx, p.offer.ID)
	_, errGone := tx.Coupons.Get(ctx, p.withdrawn)
	if err := errors.Join(errList, errChanged, errAdded); err != nil {
		return err
	}
	return unlike(
		[]any{list.Items, changed.State(), added, isMissing(errGone)},
		[]any{p.after.Coupons, p.recoded, p.offer, true},
	)
}

// unlike returns what got is not want in as an error.
func unlike(got, want []any) error {
	if d := diff(got, want); d != "" {
		return errors.New(d)
	}
	return nil
}

package app

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/group"
	"lyceum/domain/membership"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/ports"
)

// sitting is a seat with whose it is.
type sitting struct {
	person person.ID
	Seat
}

// join keeps the memberships that sittings stand for and the enrollments that
// follow from them, unless a rule refuses one. What there is already, or stands
// twice, is passed over: who was taken out of a course since stays out. The
// people and the groups of all sittings have been loaded.
func join(
	ctx context.Context, d usecase.Deps, tx ports.Tx, people map[person.ID]person.Person, groups map[group.ID]group.Group, sittings []sitting,
) error {
	j, err := seatAll(ctx, d, tx, people, groups, sittings)
	if err != nil {
		return err
	}
	refused := make([]error, len(sittings))
	for i, err := range j.refused {
		refused[i] = fault.AtRow(err, i)
	}
	if err := fault.Join(refused...); err != nil {
		return err
	}
	return j.keep(ctx, tx)
}

// joining is what sittings come to.
type joining struct {
	seats   []membership.Membership
	places  []enrollment.Enrollment
	refused []error // what a rule has against each of the sittings, nil when nothing
}

// seatAll returns what the sittings of people in groups come to, as join says, and
// keeps nothing.
func seatAll(
	ctx context.Context, d usecase.Deps, tx ports.Tx, people map[person.ID]person.Person, groups map[group.ID]group.Group, sittings []sitting,
) (joining, error) {
	j := joining{refused: make([]error, len(sittings))}
	if len(sittings) == 0 {
		return j, nil
	}
	taken, err := seatsTaken(ctx, tx, people, groups)
	if err != nil {
		return joining{}, err
	}
	held, courses, err := coursesOf(ctx, tx, groups)
	if err != nil {
		return joining{}, err
	}
	now := d.Clock.Now()
	type follower struct {
		person person.ID
		course course.ID
	}
	following := map[follower]error{} // groups may hold the same courses
	for i, s := range sittings {
		if taken[s] {
			continue
		}
		taken[s] = true
		row, err := membership.Join(membership.ID{UUID: d.IDs.New()}, people[s.person], groups[s.Group], s.Role, now)
		j.seats, j.refused[i] = append(j.seats, row), err
		if !s.Role.Enrolls() {
			continue
		}
		for _, c := range held[s.Group] {
			place := follower{s.person, c}
			err, known := following[place]
			if !known {
				var e enrollment.Enrollment
				e, err = enrollment.Enroll(
					enrollment.ID{UUID: d.IDs.New()}, people[s.person], courses[c], enrollment.Learner, now)
				j.places, following[place] = append(j.places, e), err
			}
			j.refused[i] = fault.Join(j.refused[i], err)
		}
	}
	return j, nil
}

// keep keeps what the sittings come to.
func (j joining) keep(ctx context.Context, tx ports.Tx) error {
	if _, err := tx.Memberships.AddIfAbsent(ctx, j.seats); err != nil {
		return err
	}
	_, err := tx.Enrollments.AddIfAbsent(ctx, j.places)
	return err
}

// seatsTaken returns the seats that the people have in the groups.
func seatsTaken(
	ctx context.Context, tx ports.Tx, people map[person.ID]person.Person, groups map[group.ID]group.Group,
) (map[sitting]bool, error) {
	who := query.Cond{Attr: membership.Schema.Attr("person.id"), Op: query.Eq}
	for id := range people {
		who.Values = append(who.Values, query.Value{ID: id.UUID})
	}
	where := query.Cond{Attr: membership.Schema.Attr("group.id"), Op: query.Eq}
	for id := range groups {
		where.Values = append(where.Values, query.Value{ID: id.UUID})
	}
	found, err := tx.Memberships.List(ctx, query.Query{Where: query.And{who, where}, Page: query.Everything()})
	taken := make(map[sitting]bool, len(found.Items))
	for _, m := range found.Items {
		taken[sitting{person: m.Person, Seat: Seat{Group: m.Group, Role: m.Role}}] = true
	}
	return taken, err
}

// coursesOf returns which courses the groups hold, and these courses.
func coursesOf(
	ctx context.Context, tx ports.Tx, groups map[group.ID]group.Group,
) (map[group.ID][]course.ID, map[course.ID]course.Course, error) {
	ids := make([]group.ID, 0, len(groups))
	for id := range groups {
		ids = append(ids, id)
	}
	held, err := tx.Groups.Courses(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	var all []course.ID
	for _, courses := range held {
		all = append(all, courses...)
	}
	courses, err := tx.Courses.Load(ctx, all)
	return held, courses, err
}

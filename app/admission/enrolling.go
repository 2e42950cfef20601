package admission

import (
	"context"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/query"
	"lyceum/ports"
)

// Place is a role of a person in a course.
type Place struct {
	Person person.ID
	Course course.ID
	Role   enrollment.Role
}

// Enrolling decides, for the rows of a request, who is enrolled in which courses.
type Enrolling struct {
	deps    usecase.Deps
	rules   policy.Rules[policy.Enrolling]
	courses *Courses
	people  map[person.ID]person.Person
	now     time.Time

	asked    map[Place]error // the places that were asked for or are there already; nil: not refused
	row      []Place         // those that were asked for in the present row
	granted  []enrollment.Enrollment
	rowBegin int // in granted
}

// NewEnrolling returns the decisions about people in courses, which are all loaded.
func NewEnrolling(
	ctx context.Context, d usecase.Deps, tx ports.Tx, courses *Courses, people map[person.ID]person.Person,
) (*Enrolling, error) {
	e := &Enrolling{
		deps: d, rules: d.Policies.Living.Enroll, courses: courses, people: people, now: d.Clock.Now(),
		asked: map[Place]error{},
	}
	if len(e.rules) == 0 || len(people) == 0 || len(courses.ByID) == 0 {
		return e, nil
	}
	there, err := enrolled(ctx, tx, people, courses.ByID)
	for _, place := range there {
		e.asked[place] = nil
	}
	return e, err
}

// Row decides on the places of a row, of which it grants all or none. It returns what
// is refused, for each of them; nil if nothing is. Places that are there already are
// ignored.
func (e *Enrolling) Row(places []Place) []error {
	e.begin()
	refused := make([]error, len(places))
	for i, place := range places {
		refused[i] = e.ask(place)
	}
	if !anyOf(refused) {
		return nil
	}
	e.giveBack()
	return refused
}

// begin begins a row.
func (e *Enrolling) begin() { e.row, e.rowBegin = e.row[:0], len(e.granted) }

// ask returns why a place of the present row is refused, nil if it is granted or there
// already.
func (e *Enrolling) ask(place Place) error {
	err, known := e.asked[place]
	if known {
		return err
	}
	p, c := e.people[place.Person], e.courses.ByID[place.Course]
	err = e.rules.Check(policy.Enrolling{
		Person: p.State(), Course: c.State(), Role: place.Role, Learners: e.courses.learners[place.Course],
	})
	e.asked[place] = err
	e.row = append(e.row, place)
	if err == nil {
		e.granted = append(e.granted, enrollment.New(enrollment.ID{UUID: e.deps.IDs.New()}, p, c, place.Role, e.now))
		e.count(place, 1)
	}
	return err
}

// giveBack takes back what was granted in the present row.
func (e *Enrolling) giveBack() {
	for _, made := range e.granted[e.rowBegin:] {
		e.count(Place{made.Person, made.Course, made.Role}, -1)
	}
	for _, place := range e.row {
		delete(e.asked, place)
	}
	e.granted, e.row = e.granted[:e.rowBegin], e.row[:0]
}

func (e *Enrolling) count(place Place, n int64) {
	if _, counts := e.courses.learners[place.Course]; counts && place.Role == enrollment.Learner {
		e.courses.learners[place.Course] += n
	}
}

// Save saves what was granted.
func (e *Enrolling) Save(ctx context.Context, tx ports.Tx) error {
	_, err := tx.Enrollments.AddIfAbsent(ctx, e.granted)
	return err
}

// enrolled returns the places that people have in courses.
func enrolled(
	ctx context.Context, tx ports.Tx, people map[person.ID]person.Person, courses map[course.ID]course.Course,
) ([]Place, error) {
	who := query.Cond{Attr: enrollment.Schema.Attr("person.id"), Op: query.Eq}
	for id := range people {
		who.Values = append(who.Values, query.Value{ID: id.UUID})
	}
	where := query.Cond{Attr: enrollment.Schema.Attr("course.id"), Op: query.Eq}
	for id := range courses {
		where.Values = append(where.Values, query.Value{ID: id.UUID})
	}
	found, err := tx.Enrollments.List(ctx, query.Query{Where: query.And{who, where}, Page: query.Everything()})
	places := make([]Place, len(found.Items))
	for i, e := range found.Items {
		places[i] = Place{e.Person, e.Course, e.Role}
	}
	return places, err
}

// anyOf reports whether anything is refused.
func anyOf(refused []error) bool {
	for _, err := range refused {
		if err != nil {
			return true
		}
	}
	return false
}

// AtRows returns what is refused, each at its row; nil if nothing is.
func AtRows(refused []error) error {
	errs := make([]error, len(refused))
	for i, err := range refused {
		errs[i] = fault.AtRow(err, i)
	}
	return fault.Join(errs...)
}

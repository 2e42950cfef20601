package learning

import (
	"context"

	"lyceum/app/usecase"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/ports"
)

// learners contains the people and courses that rules on learning receive. If no added rule needs
// the records, only the ids are set.
type learners struct {
	people  map[person.ID]person.Person
	courses map[course.ID]course.State
}

// newLearners returns the records of pairs. It locks the people against deletion. The courses are
// already locked through their activities.
func newLearners(ctx context.Context, d usecase.Deps, tx ports.Tx, pairs []enrollment.PersonCourse) (learners, error) {
	l := learners{courses: map[course.ID]course.State{}}
	if !d.Policies.LoadsLearners() {
		return l, nil
	}
	ids := make([]person.ID, len(pairs))
	for i, pair := range pairs {
		ids[i] = pair.Person
		if _, ok := l.courses[pair.Course]; ok {
			continue
		}
		c, err := tx.Courses.Get(ctx, pair.Course)
		if err != nil {
			return l, err
		}
		l.courses[pair.Course] = c.State
	}
	var err error
	l.people, err = tx.People.GetManyForShare(ctx, ids)
	return l, err
}

// of returns the data about a learner that rules receive.
func (l learners) of(by policy.Request, pair enrollment.PersonCourse) policy.Learner {
	made := policy.Learner{Request: by, Person: l.people[pair.Person].State(), Course: l.courses[pair.Course]}
	made.Person.ID, made.Course.ID = pair.Person, pair.Course
	return made
}

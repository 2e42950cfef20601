package admission

import (
	"context"

	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/ports"
)

// Unenroll takes places in courses from people, all or, when a rule refuses one, none:
// then the faults are at the rows of the places. Places that are not there are ignored.
// People and courses are loaded. The places are all of one person or all in one course.
func Unenroll(
	ctx context.Context, rules policy.Set, tx ports.Tx,
	people map[person.ID]person.Person, courses map[course.ID]course.Course, places []Place,
) error {
	if len(rules.Unenroll) > 0 {
		have, err := enrolled(ctx, tx, people, courses)
		if err != nil {
			return err
		}
		refused, there := make([]error, len(places)), map[Place]bool{}
		for _, place := range have {
			there[place] = true
		}
		for i, place := range places {
			if there[place] {
				refused[i] = rules.Unenroll.Check(policy.Unenrolling{
					Person: people[place.Person].State(), Course: courses[place.Course].State(), Role: place.Role,
				})
			}
		}
		if err := AtRows(refused); err != nil {
			return err
		}
	}
	for _, role := range enrollment.Roles() {
		if err := unenrollAs(ctx, tx, role, places); err != nil {
			return err
		}
	}
	return nil
}

// unenrollAs removes those enrollments of places whose role is as.
func unenrollAs(ctx context.Context, tx ports.Tx, as enrollment.Role, places []Place) error {
	var people []person.ID
	var courses []course.ID
	onePerson := true
	for _, place := range places {
		if place.Role == as {
			people, courses = append(people, place.Person), append(courses, place.Course)
			onePerson = onePerson && place.Person == people[0]
		}
	}
	var err error
	switch {
	case len(people) == 0:
	case onePerson:
		_, err = tx.Enrollments.Remove(ctx, people[0], as, courses)
	default:
		_, err = tx.Enrollments.RemoveFrom(ctx, courses[0], as, people)
	}
	return err
}

package memory

import (
	"github.com/google/uuid"
	"lyceum/domain/course"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
)

// enrol keeps new enrollments, whose ids and places are free, and returns how
// many.
func enrol(s *state, es []*enrollment.Enrollment) (int, error) {
	l := s.enrollments.own(s.version)
	for _, e := range es {
		l.add(e)
		s.list(e)
	}
	return len(es), countLearners(s, es, 1)
}

// unenrol forgets enrollments and returns how many.
func unenrol(s *state, es []*enrollment.Enrollment) (int, error) {
	l := s.enrollments.own(s.version)
	for _, e := range es {
		l.remove(e)
		s.unlist(e)
	}
	return len(es), countLearners(s, es, -1)
}

// countLearners adds n for each of es, as learner, to the counts of its person
// and its course.
func countLearners(s *state, es []*enrollment.Enrollment, n int64) error {
	ofPerson, ofCourse := map[uuid.UUID]int64{}, map[uuid.UUID]int64{}
	for _, e := range es {
		if e.Role == enrollment.Learner {
			ofPerson[e.Person.UUID] += n
			ofCourse[e.Course.UUID] += n
		}
	}
	err := s.people.own(s.version).Add(ofPerson, func(p *person.Summary, n int64) { p.CourseCount += n })
	if err != nil {
		return err
	}
	return s.courses.own(s.version).Add(ofCourse, func(c *course.Summary, n int64) { c.EnrollmentsCount += n })
}

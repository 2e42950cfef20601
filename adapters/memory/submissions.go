package memory

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/adapters/memory/tables"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/submission"
	"lyceum/ports"
)

var (
	_ ports.SubmissionReader = submissionReader{}
	_ ports.SubmissionRepo   = submissions{}
)

type submissionReader = recordReader[submission.ID, *submission.Submission, submission.Summary]

func submissionsIn(v view) submissionReader {
	return submissionReader{
		v, func(s *state) ordered.Records[*submission.Submission] { return s.submissions.table },
		submission.Schema, (*state).submission,
	}
}

func newSubmissions() ordered.Records[*submission.Submission] {
	return tables.NewRecords(
		func(s *submission.Submission) uuid.UUID { return s.ID.UUID },
		func(s *submission.Submission) time.Time { return s.CreatedAt },
		[]ordered.Section[*submission.Submission]{
			{Attr: "person.id", ID: func(s *submission.Submission) uuid.UUID { return s.Person.UUID }},
			{Attr: "course.id", ID: func(s *submission.Submission) uuid.UUID { return s.Course.UUID }},
			{Attr: "assignment.id", ID: func(s *submission.Submission) uuid.UUID { return s.Assignment.UUID }},
			{Attr: "course_attempt.id", ID: func(s *submission.Submission) uuid.UUID { return s.CourseAttempt.UUID }},
		}...,
	)
}

type submissions struct {
	submissionReader
	tx *tx
}

// Add implements ports.SubmissionRepo.
func (r submissions) Add(ctx context.Context, added submission.Submission) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	_, begun := s.attempts.table.ByID.Get(added.CourseAttempt.UUID)
	for _, missing := range []struct {
		noun string
		ok   bool
	}{
		{"assignment", s.assignments.table.Has(added.Assignment.UUID)},
		{"activity", s.activities.table.Has(added.Activity.UUID)},
		{"course", s.courses.table.Has(added.Course.UUID)},
		{"person", s.people.table.Has(added.Person.UUID)},
		{"course attempt", begun},
	} {
		if !missing.ok {
			return fmt.Errorf("memory: the submission %s references an unknown %s", added.ID, missing.noun)
		}
	}
	if s.submissions.table.Has(added.ID.UUID) {
		return fmt.Errorf("memory: submissions: duplicate ID %s", added.ID)
	}
	s.submissions.writable(s.version).Set(&added)
	return nil
}

func (r submissions) removeOfCourse(ctx context.Context, c course.ID) ([]submission.ID, error) {
	return r.removeOf(ctx, "course.id", c.UUID, math.MaxInt)
}

// DeleteByPerson implements ports.SubmissionRepo.
func (r submissions) DeleteByPerson(ctx context.Context, p person.ID, limit int) ([]submission.ID, error) {
	return r.removeOf(ctx, "person.id", p.UUID, limit)
}

// removeOf removes the first submissions whose attribute section has the value id, at most limit,
// and returns their ids in ascending order.
func (r submissions) removeOf(ctx context.Context, section string, id uuid.UUID, limit int) ([]submission.ID, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	var ids []submission.ID
	for _, gone := range s.submissions.writable(s.version).RemoveWithin(section, id, limit) {
		ids = append(ids, gone.ID)
	}
	ordered.SortIDs(ids)
	return ids, nil
}

// submission returns the summary of kept with the current names of its person, course and
// assignment.
func (s *state) submission(kept *submission.Submission) submission.Summary {
	p, _ := s.people.table.ByID.Get(kept.Person.UUID)
	c, _ := s.courses.table.ByID.Get(kept.Course.UUID)
	a, _ := s.assignments.table.ByID.Get(kept.Assignment.UUID)
	return submission.Summary{
		Submission: *kept,
		PersonName: p.Row.FullName(), PersonEmail: p.Row.Email,
		AssignmentTitle: a.Row.Title, CourseName: c.Row.Name,
	}
}

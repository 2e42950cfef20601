package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/submission"
	"lyceum/ports"
)

var (
	_ ports.SubmissionReader = submissionReader{}
	_ ports.SubmissionRepo   = submissions{}
)

type submissionReader struct{ view view }

func (r submissionReader) List(ctx context.Context, q query.Query) (query.Result[submission.Summary], error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return query.Result[submission.Summary]{}, err
	}
	kept := s.submissions.table
	return ordered.Listing[*submission.Submission, submission.Summary]{
		Schema: submission.Schema,
		Rows:   kept.rows,
		Show:   ordered.Derive(submission.Schema, s.submission),
		ByID:   kept.byID.Ordered(),
		Find: map[string]ordered.Finder[*submission.Submission]{
			"uuid": func(_ query.Attr, v query.Value) (*submission.Submission, bool) { return kept.byID.Get(v.ID) },
		},
	}.List(ctx, q)
}

func (r submissionReader) Get(ctx context.Context, id submission.ID) (submission.Summary, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return submission.Summary{}, err
	}
	kept, ok := s.submissions.table.byID.Get(id.UUID)
	if !ok {
		return submission.Summary{}, fault.Missing()
	}
	return s.submission(kept), nil
}

type submissions struct {
	submissionReader
	tx *tx
}

func (r submissions) Add(ctx context.Context, added submission.Submission) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	_, begun := s.attempts.table.byID.Get(added.CourseAttempt.UUID)
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
			return fmt.Errorf("memory: the submission %s names an unknown %s", added.ID, missing.noun)
		}
	}
	if _, ok := s.submissions.table.byID.Get(added.ID.UUID); ok {
		return fmt.Errorf("memory: submissions already has %s", added.ID)
	}
	kept := s.submissions.own(s.version)
	kept.byID.Set(added.ID.UUID, &added)
	kept.rows.Set(&added)
	return nil
}

func (r submissions) removeOfCourse(ctx context.Context, c course.ID) ([]submission.ID, error) {
	return r.removeOf(ctx, "course.id", c.UUID)
}

func (r submissions) RemoveOfPerson(ctx context.Context, p person.ID) ([]submission.ID, error) {
	return r.removeOf(ctx, "person.id", p.UUID)
}

// removeOf forgets the submissions of a section and returns their ids.
func (r submissions) removeOf(ctx context.Context, section string, id uuid.UUID) ([]submission.ID, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	var ids []submission.ID
	kept := s.submissions.own(s.version)
	for _, gone := range slices.Collect(kept.rows.Within(section, id).From(0)) {
		kept.byID.Remove(gone.ID.UUID)
		kept.rows.Remove(gone)
		ids = append(ids, gone.ID)
	}
	slices.SortFunc(ids, func(a, b submission.ID) int { return ordered.CompareIDs(a.UUID, b.UUID) })
	return ids, nil
}

// submission returns a submission with the names of the moment.
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

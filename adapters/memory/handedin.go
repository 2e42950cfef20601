package memory

import (
	"cmp"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/submission"
)

// handedIn is the submissions of a school. They are never changed.
type handedIn struct {
	byID ordered.Dict[uuid.UUID, *submission.Submission]
	rows ordered.Index[*submission.Submission]
}

func newHandedIn() handedIn {
	return handedIn{
		byID: ordered.NewDict[uuid.UUID, *submission.Submission](ordered.CompareIDs),
		rows: ordered.NewIndex(ordered.Order[*submission.Submission]{
			Compare: func(a, b *submission.Submission) int {
				return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), ordered.CompareIDs(a.ID.UUID, b.ID.UUID))
			},
			Sections: []ordered.Section[*submission.Submission]{
				{Attr: "person.id", ID: func(s *submission.Submission) uuid.UUID { return s.Person.UUID }},
				{Attr: "course.id", ID: func(s *submission.Submission) uuid.UUID { return s.Course.UUID }},
				{Attr: "assignment.id", ID: func(s *submission.Submission) uuid.UUID { return s.Assignment.UUID }},
				{Attr: "course_attempt.id", ID: func(s *submission.Submission) uuid.UUID { return s.CourseAttempt.UUID }},
			},
		}),
	}
}

// Copy returns submissions that change on their own.
func (h handedIn) Copy() handedIn { return handedIn{h.byID.Copy(), h.rows.Copy()} }

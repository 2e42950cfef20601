package memory

import (
	"cmp"

	"github.com/google/uuid"
	"lyceum/domain/submission"
)

// handedIn is the submissions of a school. They are never changed.
type handedIn struct {
	byID dict[uuid.UUID, *submission.Submission]
	rows index[*submission.Submission]
}

func newHandedIn() handedIn {
	return handedIn{
		byID: newDict[uuid.UUID, *submission.Submission](compareIDs),
		rows: newIndex(order[*submission.Submission]{
			compare: func(a, b *submission.Submission) int {
				return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), compareIDs(a.ID.UUID, b.ID.UUID))
			},
			sections: []section[*submission.Submission]{
				{"person.id", func(s *submission.Submission) uuid.UUID { return s.Person.UUID }},
				{"course.id", func(s *submission.Submission) uuid.UUID { return s.Course.UUID }},
				{"assignment.id", func(s *submission.Submission) uuid.UUID { return s.Assignment.UUID }},
				{"course_attempt.id", func(s *submission.Submission) uuid.UUID { return s.CourseAttempt.UUID }},
			},
		}),
	}
}

// Copy returns submissions that change on their own.
func (h handedIn) Copy() handedIn { return handedIn{h.byID.Copy(), h.rows.Copy()} }

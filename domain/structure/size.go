package structure

import (
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
)

// MaxQuizText is the maximum total size, in bytes (quiz.State.Size), of the quizzes of a course
// after a revision; a quiz counts once for each activity that uses it. A plan can refer to a large
// quiz in a few bytes, but every response with the structure contains all its questions. The limit
// is larger than any structure that a request of 8 MiB can define.
const MaxQuizText = 8 << 20

// CheckQuizText returns a fault if the revision makes the course exceed MaxQuizText. A course that
// already exceeds it, because its quizzes were changed in another course, may keep its size or
// become smaller.
func (r Revision) CheckQuizText(was Structure) error {
	if now := r.After.quizText(); now > MaxQuizText && now > was.quizText() {
		return fault.Invalidf("activities",
			"must contain at most %d bytes of quizzes (a quiz counts once for each activity that uses it)", MaxQuizText)
	}
	return nil
}

// quizText returns the total size of the quizzes of the activities, in bytes.
func (s Structure) quizText() int {
	sizes, all := map[quiz.ID]int{}, 0
	for _, a := range s.Activities {
		size, known := sizes[a.Content.Quiz]
		if !known {
			size = s.Quizzes[a.Content.Quiz].Size()
			sizes[a.Content.Quiz] = size
		}
		all += size
	}
	return all
}

package structure

import (
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
)

// MaxContentSize is the maximum total size, in bytes, of the texts and quizzes (quiz.State.Size) of
// a course after a revision; a quiz counts once for each activity that uses it. A plan can refer to
// a large quiz in a few bytes and leave out texts that stay as they are, but every response with
// the structure contains them all. The limit is larger than any structure that a request of 8 MiB
// can define.
const MaxContentSize = 8 << 20

// CheckSize returns a fault if the revision makes the course exceed MaxContentSize. A course that
// already exceeds it, because its quizzes were changed in another course, may keep its size or
// become smaller.
func (r Revision) CheckSize(was Structure) error {
	if now := r.After.contentSize(); now > MaxContentSize && now > was.contentSize() {
		return fault.Invalidf("activities",
			"must contain at most %d bytes of texts and quizzes (a quiz counts once for each activity that uses it)", MaxContentSize)
	}
	return nil
}

// contentSize returns the total size of the texts and quizzes of the activities, in bytes. A quiz
// counts once for each activity that uses it.
func (s Structure) contentSize() int {
	sizes, all := map[quiz.ID]int{}, 0
	for _, a := range s.Activities {
		size, known := sizes[a.Content.Quiz]
		if !known {
			size = s.Quizzes[a.Content.Quiz].Size()
			sizes[a.Content.Quiz] = size
		}
		all += size + len(a.Content.Text)
	}
	return all
}

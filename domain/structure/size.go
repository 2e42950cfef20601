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

// MaxArchived and MaxArchivedSize are the maximum number of archived activities of a course, and of the
// bytes of their texts and quizzes. Each change of the structure reads them.
const (
	MaxArchived     = 2000
	MaxArchivedSize = 8 << 20
)

// CheckSize returns a fault if the revision makes the course exceed MaxContentSize, MaxArchived or
// MaxArchivedSize. A course that already exceeds one, for example because its quizzes were changed in
// another course, may keep its size or become smaller.
func (r Revision) CheckSize(was Structure) error {
	if now := r.After.contentSize(); now > MaxContentSize && now > was.contentSize() {
		return fault.Invalidf("activities",
			"must contain at most %d bytes of texts and quizzes (a quiz counts once for each activity that uses it)", MaxContentSize)
	}
	if n := len(r.After.Archived); n > max(MaxArchived, len(was.Archived)) {
		return fault.Invalidf("activities", "would leave %d archived activities with the course (maximum is %d): use a new course", n, MaxArchived)
	}
	if size := r.After.archivedSize(); size > max(MaxArchivedSize, was.archivedSize()) {
		return fault.Invalidf("activities",
			"would leave %d bytes of archived texts and quizzes with the course (maximum is %d): use a new course", size, MaxArchivedSize)
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

// archivedSize returns the total size of the texts and quizzes of the archived activities, in bytes. A
// quiz counts once.
func (s Structure) archivedSize() (all int) {
	seen := map[quiz.ID]bool{}
	for _, a := range s.Archived {
		all += len(a.Content.Text)
		if id := a.Content.Quiz; !seen[id] {
			seen[id] = true
			all += s.Quizzes[id].Size()
		}
	}
	return all
}

package structure

import (
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
)

// MaxQuizText is how many bytes of quizzes (quiz.State.Size) a course may come to
// show by a revision, each quiz counted once for each activity that shows it. A
// document that names a quiz by its id costs its sender a few bytes, and whoever
// reads the course all its questions. What a request of 8 MiB can write in full
// is within it.
const MaxQuizText = 8 << 20

// CheckQuizText returns why the course that was so may not become as the revision
// says, if it would show too much. A course that shows too much already, because
// its quizzes were changed in another course, may stay so or become smaller.
func (r Revision) CheckQuizText(was Structure) error {
	if now := r.After.quizText(); now > MaxQuizText && now > was.quizText() {
		return fault.Invalidf("activities",
			"must show at most %d bytes of quizzes, each counted in each activity that shows it", MaxQuizText)
	}
	return nil
}

// quizText returns how many bytes of quizzes the activities show.
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

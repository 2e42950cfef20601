package structure_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
)

// sized is a structure of which n activities show one quiz of size bytes, and an
// archived one does.
func sized(n, size int) structure.Structure {
	q := quiz.State{ID: test}
	q.Name = strings.Repeat("n", size)
	s := structure.Structure{Course: of, Quizzes: map[quiz.ID]quiz.State{test: q}}
	for i := range n {
		id := activity.ID{UUID: uuid.UUID{14: byte(i), 15: 1}}
		s.Activities = append(s.Activities, activity.State{ID: id, Content: activity.Answering(test)})
	}
	s.Archived = []activity.State{{Content: activity.Answering(test)}}
	return s
}

// Each activity that shows a quiz counts, and a course that shows too much may
// become smaller.
func TestCheckQuizText(t *testing.T) {
	const eighth = structure.MaxQuizText / 8
	for name, tt := range map[string]struct {
		was, now structure.Structure
		refused  bool
	}{
		"as much as may be":        {sized(0, 0), sized(8, eighth), false},
		"a byte more in each":      {sized(0, 0), sized(8, eighth+1), true},
		"an activity more":         {sized(8, eighth), sized(9, eighth), true},
		"too much, but no more":    {sized(9, eighth), sized(9, eighth), false},
		"too much, but less":       {sized(10, eighth), sized(9, eighth), false},
		"too much, and still more": {sized(9, eighth), sized(10, eighth), true},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			err := structure.Revision{After: tt.now}.CheckQuizText(tt.was)
			is.Equal(err != nil, tt.refused)
			if tt.refused {
				is.Equal(err, fault.Invalidf("activities",
					"must show at most 8388608 bytes of quizzes, each counted in each activity that shows it"))
			}
		})
	}
}

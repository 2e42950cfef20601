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

// sized returns a structure in which n activities and an archived one use a quiz of size bytes.
func sized(n, size int) structure.Structure {
	q := quiz.State{ID: test}
	q.Name = strings.Repeat("n", size)
	s := structure.Structure{Course: of, Quizzes: map[quiz.ID]quiz.State{test: q}}
	for i := range n {
		id := activity.ID{UUID: uuid.UUID{14: byte(i), 15: 1}}
		s.Activities = append(s.Activities, activity.State{ID: id, Content: activity.QuizContent(test)})
	}
	s.Archived = []activity.State{{Content: activity.QuizContent(test)}}
	return s
}

// withText returns s with a text of 8 bytes in one of its activities.
func withText(s structure.Structure) structure.Structure {
	s.Activities[0].Content.Text = "12345678"
	return s
}

// A quiz counts once for each activity that uses it. A course above the limit may become smaller.
func TestCheckSize(t *testing.T) {
	const eighth = structure.MaxContentSize / 8
	for name, tt := range map[string]struct {
		was, now structure.Structure
		refused  bool
	}{
		"exactly the limit":             {sized(0, 0), sized(8, eighth), false},
		"exactly the limit, and a text": {sized(0, 0), withText(sized(8, eighth)), true},
		"a text shorter, and a text":    {sized(0, 0), withText(sized(8, eighth-1)), false},
		"a byte more in each":           {sized(0, 0), sized(8, eighth+1), true},
		"an activity more":              {sized(8, eighth), sized(9, eighth), true},
		"above, but unchanged":          {sized(9, eighth), sized(9, eighth), false},
		"above, but smaller":            {sized(10, eighth), sized(9, eighth), false},
		"above, and larger":             {sized(9, eighth), sized(10, eighth), true},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			err := structure.Revision{After: tt.now}.CheckSize(tt.was)
			is.Equal(err != nil, tt.refused)
			if tt.refused {
				is.Equal(err, fault.Invalidf("activities",
					"must contain at most 8388608 bytes of texts and quizzes (a quiz counts once for each activity that uses it)"))
			}
		})
	}
}

// archived returns a structure with n archived activities, each with a text of size bytes.
func archived(n, size int) structure.Structure {
	s := structure.Structure{Course: of}
	for range n {
		s.Archived = append(s.Archived, activity.State{Content: activity.Content{Text: strings.Repeat("x", size)}})
	}
	return s
}

// Archived activities are limited, too, so that their course does not become slower with each change.
func TestCheckSizeOfArchived(t *testing.T) {
	const most, half = structure.MaxArchived, structure.MaxArchivedSize / 2
	for name, tt := range map[string]struct {
		was, now structure.Structure
		refused  string
	}{
		"exactly the number":   {archived(0, 0), archived(most, 0), ""},
		"one more":             {archived(most, 0), archived(most+1, 0), "would leave 2001 archived activities with the course (maximum is 2000): use a new course"},
		"above, but unchanged": {archived(most+1, 0), archived(most+1, 0), ""},
		"exactly the size":     {archived(0, 0), archived(2, half), ""},
		"a byte more in each":  {archived(2, half), archived(2, half+1), "would leave 8388610 bytes of archived texts and quizzes with the course (maximum is 8388608): use a new course"},
		"large, but unchanged": {archived(2, half+1), archived(2, half+1), ""},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			err := structure.Revision{After: tt.now}.CheckSize(tt.was)
			if tt.refused == "" {
				is.NoErr(err)
			} else {
				is.Equal(err, fault.Invalidf("activities", "%s", tt.refused))
			}
		})
	}
}

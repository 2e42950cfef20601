package postgres_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/property"
	"lyceum/domain/quiz"
	"lyceum/domain/school"
	"lyceum/domain/structure"
	"lyceum/ports"
)

// PostgreSQL stores long values outside the rows of a table. A change of another attribute does not
// store them again: otherwise a request of 6 KB that reorders the activities of a course would write
// the 8 MB of their texts.
func TestUnchangedLongValuesAreNotStoredAgain(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	people, courses := class(t, s, id, 1, 1)
	content := activity.Content{Kind: activity.Text, Text: random(50_000)}
	act, err := activity.New(activity.ID{UUID: uuid.New()}, courses[0], activity.Slot{Key: "long", Position: 1}, "Long", content, now)
	is.NoErr(err)
	choices := []quiz.Choice{{Text: random(1000), Correct: true}, {Text: random(1000)}, {Text: random(1000)}, {Text: random(1000)}}
	q := quiz.State{ID: quiz.ID{UUID: uuid.New()}, Name: "Long", CreatedAt: now, UpdatedAt: now}
	for i := range 2 {
		q.Questions = append(q.Questions, quiz.Question{ID: quiz.QuestionID{UUID: uuid.New()}, Key: fmt.Sprint("q", i), Text: random(4000), Choices: choices})
	}
	values := property.NewValues(property.Property{Name: "long", Value: property.TextValue(random(20_000))})
	change := func(write func(ctx context.Context, tx ports.Tx) error) {
		t.Helper()
		is.NoErr(s.InTx(t.Context(), id, write))
	}
	change(func(ctx context.Context, tx ports.Tx) error {
		_, err := tx.Structures.Save(ctx, structure.Revision{
			After: structure.Structure{Course: courses[0]}, Added: []activity.Activity{act}, AddedQuizzes: []quiz.Quiz{quiz.Restore(q)},
		})
		return err
	})
	title, numbers := 0, 0
	for _, tt := range []struct {
		table string
		long  int // bytes of the long values of the table
		write func(ctx context.Context, tx ports.Tx) error
	}{
		{"activities", 50_000, func(ctx context.Context, tx ports.Tx) error {
			title++
			state := act.State()
			state.Title = fmt.Sprint("Title ", title)
			_, err := tx.Structures.Save(ctx, structure.Revision{
				After: structure.Structure{Course: courses[0]}, Changed: []activity.Activity{activity.Restore(state)},
			})
			return err
		}},
		{"quiz_questions", 2 * 12_000, func(ctx context.Context, tx ports.Tx) error {
			numbers++
			changed := q
			changed.Questions = []quiz.Question{q.Questions[numbers%2], q.Questions[(numbers+1)%2]}
			_, err := tx.Structures.Save(ctx, structure.Revision{
				After: structure.Structure{Course: courses[0]}, ChangedQuizzes: []quiz.Quiz{quiz.Restore(changed)},
			})
			return err
		}},
		{"people", 40_000, func(ctx context.Context, tx ports.Tx) error {
			title++
			p, err := tx.People.GetForUpdate(ctx, people[0])
			if err != nil {
				return err
			}
			state := p.State()
			state.FirstName, state.Properties = fmt.Sprint("Ann ", title), values
			return tx.People.Save(ctx, person.Restore(state))
		}},
		{"all_courses", 40_000, func(ctx context.Context, tx ports.Tx) error {
			title++
			c, err := tx.Courses.GetForUpdate(ctx, courses[0])
			if err != nil {
				return err
			}
			state := c.State()
			state.Name, state.Properties = fmt.Sprint("Course ", title), values
			return tx.Courses.Save(ctx, course.Restore(state))
		}},
		{"schools", 20_000, func(ctx context.Context, tx ports.Tx) error {
			title++
			sch, err := tx.School.GetForUpdate(ctx)
			if err != nil {
				return err
			}
			state := sch.State()
			state.Name, state.Properties = fmt.Sprint("School ", title), values
			return tx.School.Save(ctx, school.Restore(state))
		}},
	} {
		t.Run(tt.table, func(t *testing.T) {
			is := is.New(t)
			size := func() int {
				return count(t, db, `SELECT pg_relation_size(reltoastrelid) FROM pg_class WHERE oid = $1::regclass`, tt.table)
			}
			change(tt.write)
			before := size()
			is.True(before >= tt.long/2) // there are long values
			for range 10 {
				change(tt.write)
			}
			is.True(size()-before < tt.long) // bytes
		})
	}
}

// random returns a text of n bytes that cannot be compressed well.
func random(n int) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(fmt.Sprintf("%016x", rand.Uint64()))
	}
	return b.String()[:n]
}

package memory_test

import (
	"context"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/memory"
	"lyceum/domain/analytics"
	"lyceum/domain/attempt"
	"lyceum/domain/enrollment"
	"lyceum/domain/event"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/submission"
	"lyceum/ports"
	"pgregory.net/rapid"
)

// Rows that contain names and counts of other records are stored without these values, in several
// orders. Every page must equal the page that Evaluate computes from the whole list.
func TestLearningListsMatchEvaluate(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		store, s := newSchool(t)
		drawLearning(rt, t, store, s)
		r := store.Read(s)
		for range 10 {
			checkList(rt, enrollment.Schema, r.Enrollments)
			checkList(rt, submission.Schema, r.Submissions)
			checkList(rt, event.Schema, r.Events)
			checkList(rt, analytics.CourseSchema, r.CourseAnalytics)
			checkList(rt, analytics.ScoreSchema, r.QuizScores)
			checkList(rt, analytics.AnswerSchema, r.RawAnswers)
		}
	})
}

// listedPeople is the number of people in TestFewOfManyPeople.
const listedPeople = 32

// A filter for a few of many people reads only the records of these people. Every page must equal
// the page that Evaluate computes from the whole list.
func TestFewOfManyPeople(t *testing.T) {
	store, s := newSchool(t)
	addPeople(t, store, s, 0, listedPeople)
	addCourses(t, store, s, 1)
	addLessons(t, store, s, 1)
	for p := range listedPeople {
		write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
			id := 10_000 + 100*p
			return learn(ctx, tx, id, newAttempt(id, p, 0, 1), 0, then.Add(time.Duration(p%5)*time.Hour))
		})
	}
	r := store.Read(s)
	checkFewPeople(t, submission.Schema, r.Submissions)
	checkFewPeople(t, event.Schema, r.Events)
	checkFewPeople(t, analytics.CourseSchema, r.CourseAnalytics)
	checkFewPeople(t, analytics.ScoreSchema, r.QuizScores)
	checkFewPeople(t, analytics.AnswerSchema, r.RawAnswers)
}

// checkFewPeople compares pages of a list of the records of three people with those of Evaluate.
func checkFewPeople[T any](t *testing.T, schema query.Schema[T], list ports.Lister[T]) {
	t.Helper()
	is := is.New(t)
	all, err := list.List(t.Context(), query.Query{Page: query.AllRows()})
	is.NoErr(err)
	few := query.Cond{Attr: schema.Attr("person.id"), Op: query.Eq}
	for _, p := range []int{7, 3, 7, 1_000_000, 21} { // one is repeated, and one does not exist
		few.Values = append(few.Values, query.Value{ID: nth(p)})
	}
	for page := range int64(4) {
		q := query.Query{Where: few, Page: query.NewPage(page+1, 2), Count: true}
		got, err := list.List(t.Context(), q)
		is.NoErr(err)
		want := schema.Evaluate(q, all.Items)
		is.Equal(append([]T{}, got.Items...), append([]T{}, want.Items...)) // either can be nil
		is.Equal(got.Total, want.Total)
		is.Equal(got.Total*listedPeople, int64(3*len(all.Items))) // each person has as many records
	}
}

// drawLearning adds random enrollments and learning records of a few people in a few courses.
func drawLearning(rt *rapid.T, t *testing.T, store *memory.Store, s school.ID) {
	t.Helper()
	const people, courses = 4, 3
	addPeople(t, store, s, 0, people)
	addCourses(t, store, s, courses)
	addLessons(t, store, s, courses)
	number := map[[2]int]int{}
	for i := range rapid.IntRange(0, 40).Draw(rt, "steps") {
		p, c := rapid.IntRange(0, people-1).Draw(rt, "person"), rapid.IntRange(0, courses-1).Draw(rt, "course")
		now := then.Add(time.Duration(rapid.IntRange(0, 3).Draw(rt, "hour")) * time.Hour)
		id := 10_000 + 100*i
		verb := rapid.IntRange(0, 7).Draw(rt, "verb")
		write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
			switch verb {
			case 0, 1, 2:
				e := enroll(id, p, c)
				e.CreatedAt, e.Role = now, rapid.SampledFrom(enrollment.Roles()).Draw(rt, "role")
				_, err := tx.Enrollments.AddIfAbsent(ctx, []enrollment.Enrollment{e})
				return err
			case 3, 4, 5:
				number[[2]int{p, c}]++
				return learn(ctx, tx, id, newAttempt(id, p, c, number[[2]int{p, c}]), c, now)
			case 6:
				return tx.Enrollments.DeleteByPerson(ctx, personID(p))
			}
			_, err := tx.Submissions.DeleteByPerson(ctx, personID(p), math.MaxInt32)
			for _, remove := range []func(context.Context, person.ID, int) (int, error){
				tx.Events.DeleteByPerson, tx.QuizAttempts.DeleteByPerson, tx.Attempts.DeleteByPerson,
			} {
				if err == nil {
					_, err = remove(ctx, personID(p), math.MaxInt)
				}
			}
			return err
		})
		if rapid.Bool().Draw(rt, "renamed") {
			rename(t, store, s, p, drawName.Draw(rt, "name"))
		}
	}
}

// learn adds a course attempt with two quiz attempts, a submission and two events.
func learn(ctx context.Context, tx ports.Tx, id int, in attempt.State, c int, now time.Time) error {
	if err := tx.Attempts.Add(ctx, attempt.Restore(in)); err != nil {
		return err
	}
	in.Progress, in.LastCompletedAt = 5000, &now
	for _, do := range []func() error{
		func() error { return tx.Attempts.Save(ctx, attempt.Restore(in)) },
		func() error { return tx.QuizAttempts.Add(ctx, newQuizRun(id+1, in, c, 1, 1, now)) },
		func() error { return tx.QuizAttempts.Save(ctx, newQuizRun(id+1, in, c, 1, questions, now)) },
		func() error { return tx.QuizAttempts.Add(ctx, newQuizRun(id+2, in, c, 2, 2, now.Add(time.Hour))) },
		func() error { return tx.Submissions.Add(ctx, newSubmission(id+3, in, c, now)) },
		func() error {
			e := event.NewView(in.Person, activityID(c))
			_, err := tx.Events.Append(ctx, []event.Event{e, e}, now)
			return err
		},
	} {
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}

// checkList compares a random page of a list with the page that Evaluate computes.
func checkList[T any](rt *rapid.T, schema query.Schema[T], list ports.Lister[T]) {
	all, err := list.List(context.Background(), query.Query{Page: query.AllRows()})
	if err != nil {
		rt.Fatal(err)
	}
	q := query.Query{
		Where: drawLearningExpr(rt, schema),
		Sort: rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) query.Order {
			return query.Order{Attr: rapid.SampledFrom(schema.Attrs()).Draw(rt, "attr"), Desc: rapid.Bool().Draw(rt, "desc")}
		}), 0, 2).Draw(rt, "sort"),
		Page: query.NewPage(rapid.Int64Range(1, 4).Draw(rt, "page"), rapid.IntRange(1, 6).Draw(rt, "limit")),
	}
	got, err := list.List(context.Background(), q)
	if err != nil {
		rt.Fatal(err)
	}
	want := schema.Evaluate(q, all.Items)
	if got.More != want.More || len(got.Items) != len(want.Items) ||
		len(got.Items) > 0 && !reflect.DeepEqual(got.Items, want.Items) {
		rt.Fatalf("%+v:\nwant %+v\ngot  %+v", q, want, got)
	}
}

// drawLearningExpr draws filters on ids, numbers, times and texts. It may return nil.
func drawLearningExpr[T any](rt *rapid.T, schema query.Schema[T]) query.Expr {
	var conds []query.Expr
	for _, attr := range schema.Attrs() {
		c := query.Cond{Attr: attr}
		switch attr.Kind {
		case query.UUID:
			c.Op, c.Values = query.Eq, []query.Value{{ID: nth(rapid.IntRange(0, 3).Draw(rt, "id"))}}
		case query.Integer:
			c.Op, c.Values = query.Eq, []query.Value{{Int: rapid.Int64Range(1, 5).Draw(rt, "number")}}
		case query.Timestamp:
			from := then.Add(time.Duration(rapid.IntRange(-1, 4).Draw(rt, "from")) * time.Hour)
			c.Op = rapid.SampledFrom([]query.Op{query.Lt, query.Lteq, query.Gt, query.Gteq}).Draw(rt, "op")
			c.Values = []query.Value{{From: from, To: from.Add(time.Millisecond)}}
		case query.Text:
			c.Op, c.Values = query.Cont, []query.Value{{Text: "a", Fold: "a"}}
		default:
			continue
		}
		conds = append(conds, c)
	}
	parts := rapid.SliceOfN(rapid.SampledFrom(conds), 0, 3).Draw(rt, "parts")
	switch rapid.IntRange(0, 3).Draw(rt, "shape") {
	case 0:
		return nil
	case 1:
		return query.Or(parts)
	case 2:
		return conds[rapid.IntRange(0, len(conds)-1).Draw(rt, "only")]
	}
	return query.And(parts)
}

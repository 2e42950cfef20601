package memory_test

import (
	"context"
	"fmt"
	"testing"

	"lyceum/adapters/memory"
	"lyceum/domain/analytics"
	"lyceum/domain/enrollment"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/text"
	"lyceum/ports"
	"lyceum/test/kit/heap"
)

const manyPeople, manyCourses = 100_000, 2_000

func BenchmarkList(b *testing.B) {
	store, s := newSchool(b)
	addPeople(b, store, s, 0, manyPeople)
	of := func(s string) []query.Value { return []query.Value{{Text: s, Fold: text.Fold(s)}} }
	for _, bench := range []struct {
		name string
		q    query.Query
	}{
		{"first page", query.Query{}},
		{"deep page", query.Query{Page: query.NewPage(2000, 25)}},
		{"by email", query.Query{Where: query.Cond{
			Attr: person.Schema.Attr("email"), Op: query.Eq, Values: of("p777@example.test"),
		}}},
		{"common name", query.Query{Where: query.Cond{
			Attr: person.Schema.Attr("full_name"), Op: query.Cont, Values: of("last1"),
		}}},
		{"rare name", query.Query{Where: query.Cond{
			Attr: person.Schema.Attr("full_name"), Op: query.Cont, Values: of("first99 last99"),
		}}},
		{"other order", query.Query{Sort: []query.Order{{Attr: person.Schema.Attr("created_at"), Desc: true}}}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			people := store.Read(s).People
			b.ReportAllocs()
			for b.Loop() {
				if _, err := people.List(b.Context(), bench.q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkGet(b *testing.B) {
	store, s := newSchool(b)
	addPeople(b, store, s, 0, manyPeople)
	ids := make([]person.ID, 1000)
	for i := range ids {
		ids[i] = personID(i * manyPeople / len(ids))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := store.Read(s).People.Get(b.Context(), ids[i%len(ids)]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWrite adds one person per transaction.
func BenchmarkWrite(b *testing.B) {
	store, s := newSchool(b)
	addPeople(b, store, s, 0, manyPeople)
	b.ReportAllocs()
	for i := manyPeople; b.Loop(); i++ {
		addPeople(b, store, s, i, i+1)
	}
}

// BenchmarkEnroll enrolls one person in five courses per transaction.
func BenchmarkEnroll(b *testing.B) {
	store, s := newSchool(b)
	addPeople(b, store, s, 0, manyPeople)
	addCourses(b, store, s, manyCourses)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		es := make([]enrollment.Enrollment, 5)
		for j := range es {
			es[j] = enroll(5*i+j, i%manyPeople, (5*i+j+i/manyPeople)%manyCourses)
		}
		write(b, store, s, func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Enrollments.AddIfAbsent(ctx, es)
			return err
		})
	}
}

// BenchmarkBigSchool fills a school with 100,000 people and 1,000,000 enrollments and reports
// the size of the heap.
func BenchmarkBigSchool(b *testing.B) {
	for b.Loop() {
		before := heap.InUse()
		store, s := bigSchool(b)
		b.ReportMetric(float64(heap.InUse()-before)/(1<<20), "MiB")
		page, err := store.Read(s).Courses.List(b.Context(), query.Query{Page: query.AllRows()})
		if err != nil {
			b.Fatal(err)
		}
		var learners int64
		for _, c := range page.Items {
			learners += c.EnrollmentsCount
		}
		if learners != 10*manyPeople {
			b.Fatal(fmt.Sprint("learners: ", learners))
		}
	}
}

func bigSchool(b *testing.B) (*memory.Store, school.ID) {
	b.Helper()
	store, s := newSchool(b)
	addPeople(b, store, s, 0, manyPeople)
	addCourses(b, store, s, manyCourses)
	for begin := 0; begin < manyPeople; begin += 1000 {
		var es []enrollment.Enrollment
		for p := begin; p < begin+1000; p++ {
			for i := range 10 {
				es = append(es, enroll(10*p+i, p, (7*p+i)%manyCourses))
			}
		}
		write(b, store, s, func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Enrollments.AddIfAbsent(ctx, es)
			return err
		})
	}
	return store, s
}

// BenchmarkCourseAnalytics lists the rows of 100,000 enrollments. Half of them have an attempt.
func BenchmarkCourseAnalytics(b *testing.B) {
	before := heap.InUse()
	store, s := manyLearners(b, manyPeople/2)
	b.Logf("%.0f MiB", float64(heap.InUse()-before)/(1<<20))
	attr := analytics.CourseSchema.Attr
	of := func(s string) []query.Value { return []query.Value{{Text: s, Fold: text.Fold(s)}} }
	for _, bench := range []struct {
		name string
		q    query.Query
	}{
		{"first page", query.Query{}},
		{"deep page", query.Query{Page: query.NewPage(2000, 25)}},
		{"of a person", query.Query{Where: eq(attr("person.id"), 777)}},
		{"of a course", query.Query{Where: eq(attr("course.id"), 7), Page: query.NewPage(300, 25)}},
		{"rare name", query.Query{Where: query.Cond{Attr: attr("person_name"), Op: query.Cont, Values: of("first99 last99")}}},
		{"other order", query.Query{Sort: []query.Order{{Attr: attr("progress"), Desc: true}}}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			rows := store.Read(s).CourseAnalytics
			b.ReportAllocs()
			for b.Loop() {
				if _, err := rows.List(b.Context(), bench.q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

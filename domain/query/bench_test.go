package query_test

import (
	"testing"

	"lyceum/domain/person"
	"lyceum/domain/query"
)

// nested is a request that a reporting client could send.
var nested = query.Request{
	Terms: []query.Term{
		{Param: "filter[or][and][full_name][start]", Path: []string{"or", "and", "full_name", "start"}, Value: "ada"},
		{Param: "filter[or][and][course_count][gt]", Path: []string{"or", "and", "course_count", "gt"}, Value: "18"},
		{Param: "filter[or][email][cont]", Path: []string{"or", "email", "cont"}, Value: "admin"},
		{Param: "filter[created_at][gteq]", Path: []string{"created_at", "gteq"}, Value: "2026-01-02"},
	},
	Search: "ada love",
	Sort:   "-course_count,full_name",
}

func BenchmarkBuild(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := query.Build(person.Schema, nested); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompileAndMatch(b *testing.B) {
	q, err := query.Build(person.Schema, nested)
	if err != nil {
		b.Fatal(err)
	}
	row := person.Schema.Record(person.Summary{State: person.State{Email: "ada@example.test", FirstName: "Ada"}})
	b.Run("compile", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			person.Schema.Compile(q.Where)
		}
	})
	b.Run("match", func(b *testing.B) {
		b.ReportAllocs()
		match := person.Schema.Compile(q.Where)
		for b.Loop() {
			match(row)
		}
	})
}

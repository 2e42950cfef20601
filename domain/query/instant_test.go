package query_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/domain/query"
)

// A time is parsed as a range of milliseconds, which differs between equality and other predicates.
func TestInstants(t *testing.T) {
	const day = "[2026-01-31T00:00:00, 2026-02-01T00:00:00)"
	for _, tc := range []struct {
		value        string
		equal, other string
	}{
		// A date is the whole day.
		{"2026-01-31", day, day},
		// Equality matches every time that begins with the same digits.
		{"2026-01-31T15:04:05Z", "[2026-01-31T15:04:05, 2026-01-31T15:04:06)", "[2026-01-31T15:04:05, 2026-01-31T15:04:05.001)"},
		{"2026-01-31T15:04:05.1Z", "[2026-01-31T15:04:05.1, 2026-01-31T15:04:05.2)", "[2026-01-31T15:04:05.1, 2026-01-31T15:04:05.101)"},
		{"2026-01-31T15:04:05.120Z", "[2026-01-31T15:04:05.12, 2026-01-31T15:04:05.121)", "[2026-01-31T15:04:05.12, 2026-01-31T15:04:05.121)"},
		{"2026-01-31T15:04:05.123000Z", "[2026-01-31T15:04:05.123, 2026-01-31T15:04:05.124)", "[2026-01-31T15:04:05.123, 2026-01-31T15:04:05.124)"},
		{"2026-01-31T23:59:59.999Z", "[2026-01-31T23:59:59.999, 2026-02-01T00:00:00)", "[2026-01-31T23:59:59.999, 2026-02-01T00:00:00)"},
		// No attribute is between two milliseconds.
		{"2026-01-31T15:04:05.1234Z", "[2026-01-31T15:04:05.124, 2026-01-31T15:04:05.124)", "[2026-01-31T15:04:05.124, 2026-01-31T15:04:05.124)"},
		{"2026-01-31T15:04:05.123456789Z", "[2026-01-31T15:04:05.124, 2026-01-31T15:04:05.124)", "[2026-01-31T15:04:05.124, 2026-01-31T15:04:05.124)"},
		// Offsets.
		{"2026-01-31T15:04:05", "[2026-01-31T15:04:05, 2026-01-31T15:04:06)", "[2026-01-31T15:04:05, 2026-01-31T15:04:05.001)"},
		{"2026-01-31T15:04:05.5", "[2026-01-31T15:04:05.5, 2026-01-31T15:04:05.6)", "[2026-01-31T15:04:05.5, 2026-01-31T15:04:05.501)"},
		{"2026-01-31T15:04:05.000+02:00", "[2026-01-31T13:04:05, 2026-01-31T13:04:05.001)", "[2026-01-31T13:04:05, 2026-01-31T13:04:05.001)"},
		{"2026-01-31T15:04:05.000 02:00", "[2026-01-31T13:04:05, 2026-01-31T13:04:05.001)", "[2026-01-31T13:04:05, 2026-01-31T13:04:05.001)"},
		{"2026-01-31T15:04:05.000-05:30", "[2026-01-31T20:34:05, 2026-01-31T20:34:05.001)", "[2026-01-31T20:34:05, 2026-01-31T20:34:05.001)"},
		{"2026-01-31T23:30:00.000-23:59", "[2026-02-01T23:29:00, 2026-02-01T23:29:00.001)", "[2026-02-01T23:29:00, 2026-02-01T23:29:00.001)"},
		{"2026-01-31t15:04:05.000z", "[2026-01-31T15:04:05, 2026-01-31T15:04:05.001)", "[2026-01-31T15:04:05, 2026-01-31T15:04:05.001)"},
	} {
		t.Run(tc.value, func(t *testing.T) {
			is := is.New(t)
			for predicate, want := range map[string]string{
				"eq": "= " + tc.equal, "in": "= " + tc.equal, "not_eq": "!= " + tc.equal,
				"lt": "< " + tc.other, "lteq": "<= " + tc.other, "gt": "> " + tc.other, "gteq": ">= " + tc.other,
			} {
				q := build(t, "filter[created_at]["+predicate+"]="+tc.value)
				is.Equal(show(q.Where), "created_at "+want)
			}
		})
	}
}

func TestInvalidInstants(t *testing.T) {
	for _, value := range []string{
		"", "now", "2026", "2026-01", "2026-1-31", "2026-02-29", "2026-13-01", "20260131", "2026-01-31T", "2026-01-31Z",
		"2026-01-31T15:04", "2026-01-31T15:04Z", "2026-01-31 15:04:05Z", "2026-01-31T25:00:00Z", "2026-01-31T15:60:00Z",
		"2026-01-31T15:04:05.Z", "2026-01-31T15:04:05,5Z", "2026-01-31T15:04:05.1234567890Z", "2026-01-31T15:04:05+0200",
		"2026-01-31T15:04:05+2", "2026-01-31T15:04:05+24:00", "2026-01-31T15:04:05+02:60", "2026-01-31T15:04:05  02:00",
		"2026-02-30T15:04:05Z", " 2026-01-31", "2026-01-31\n", "+2026-01-31T15:04:05Z", "２０２６-01-31",
	} {
		t.Run(value, func(t *testing.T) {
			is := is.New(t)
			_, err := query.Build(rows, query.Request{Terms: terms("filter[created_at][eq]=" + value)})
			is.True(err != nil)
		})
	}
}

// The attributes in this test are just before, within and just after the range of the operand.
func TestTruthOfInstants(t *testing.T) {
	for _, tc := range []struct {
		operand string
		row     string
		holds   []string // the predicates that hold, of eq, not_eq, lt, lteq, gt, gteq
	}{
		{"2026-01-31", "2026-01-30T23:59:59.999Z", []string{"not_eq", "lt", "lteq"}},
		{"2026-01-31", "2026-01-31T00:00:00.000Z", []string{"eq", "lteq", "gteq"}},
		{"2026-01-31", "2026-01-31T23:59:59.999Z", []string{"eq", "lteq", "gteq"}},
		{"2026-01-31", "2026-02-01T00:00:00.000Z", []string{"not_eq", "gt", "gteq"}},
		{"2026-01-31T10:00:00Z", "2026-01-31T09:59:59.999Z", []string{"not_eq", "lt", "lteq"}},
		{"2026-01-31T10:00:00Z", "2026-01-31T10:00:00.000Z", []string{"eq", "lteq", "gteq"}},
		{"2026-01-31T10:00:00Z", "2026-01-31T10:00:00.999Z", []string{"eq", "gt", "gteq"}},
		{"2026-01-31T10:00:00Z", "2026-01-31T10:00:01.000Z", []string{"not_eq", "gt", "gteq"}},
		{"2026-01-31T10:00:00.1234Z", "2026-01-31T10:00:00.123Z", []string{"not_eq", "lt", "lteq"}},
		{"2026-01-31T10:00:00.1234Z", "2026-01-31T10:00:00.124Z", []string{"not_eq", "gt", "gteq"}},
		{"2026-01-31T12:00:00 02:00", "2026-01-31T10:00:00.000Z", []string{"eq", "lteq", "gteq"}},
	} {
		t.Run(tc.operand+" "+tc.row, func(t *testing.T) {
			is := is.New(t)
			r := rows.Record(row{CreatedAt: at(tc.row)})
			var holds []string
			for _, predicate := range []string{"eq", "not_eq", "lt", "lteq", "gt", "gteq"} {
				if rows.Compile(build(t, "filter[created_at]["+predicate+"]="+tc.operand).Where)(r) {
					holds = append(holds, predicate)
				}
			}
			is.Equal(strings.Join(holds, " "), strings.Join(tc.holds, " "))
		})
	}
}

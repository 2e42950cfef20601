package analytics_test

import (
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/analytics"
	"lyceum/domain/decimal"
)

func TestBandOf(t *testing.T) {
	for p, band := range map[decimal.Percent]int{0: 0, 1: 1, 49_99: 1, 50_00: 2, 99_99: 2, 100_00: 3} {
		is.New(t).Equal(analytics.BandOf(p), band)
	}
}

func TestWeekOf(t *testing.T) {
	is := is.New(t)
	monday := time.Date(2026, 1, 26, 0, 0, 0, 0, time.UTC)
	for _, at := range []time.Time{monday, now, monday.Add(7*24*time.Hour - 1), monday.In(time.FixedZone("west", -3600))} {
		is.Equal(analytics.WeekOf(at), monday)
	}
	is.Equal(analytics.WeekOf(monday.Add(-1)), monday.AddDate(0, 0, -7))
}

func TestFillWeeks(t *testing.T) {
	is := is.New(t)
	first := analytics.WeekOf(now).AddDate(0, 0, -14)
	second := analytics.Week{Start: first.AddDate(0, 0, 7), Active: 1, Enrollments: 2, Completions: 3}
	is.Equal(analytics.FillWeeks([]analytics.Week{second}, first, now), []analytics.Week{
		{Start: first}, second, {Start: first.AddDate(0, 0, 14)},
	})
}

func TestTrimWeeks(t *testing.T) {
	is := is.New(t)
	none, some := analytics.Week{}, analytics.Week{Enrollments: 1}
	for _, tt := range []struct{ weeks, want []analytics.Week }{
		{nil, nil},
		{[]analytics.Week{none}, []analytics.Week{none}},
		{[]analytics.Week{none, none, none}, []analytics.Week{none, none}},
		{[]analytics.Week{none, some, none, none}, []analytics.Week{some, none, none}},
		{[]analytics.Week{some, none, none}, []analytics.Week{some, none, none}},
	} {
		is.Equal(analytics.TrimWeeks(tt.weeks, 2), tt.want)
	}
	is.Equal(analytics.CountActive([]analytics.Week{none, some, none, some}), 2)
}

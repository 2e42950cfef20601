package event_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/person"
)

func TestWithClientData(t *testing.T) {
	now := time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	at := func(d time.Duration) *time.Time { t := now.Add(d); return &t }
	epoch, before := time.Unix(0, 0), time.Unix(0, -1)
	for _, tc := range []struct {
		name   string
		at     *time.Time
		id     string
		fields []string
	}{
		{"nothing", nil, "", nil},
		{"all that may be", at(event.ClockSkew), strings.Repeat("~", event.MaxClientID), nil},
		{"long ago", &epoch, "!", nil},
		{"too long ago", &before, "", []string{"occurred_at"}},
		{"in the future", at(event.ClockSkew + time.Millisecond), "", []string{"occurred_at"}},
		{"a long id", nil, strings.Repeat("a", event.MaxClientID+1), []string{"client_id"}},
		{"a space", nil, "a b", []string{"client_id"}},
		{"a line", nil, "a\n", []string{"client_id"}},
		{"letters of others", at(time.Hour), "é", []string{"client_id", "occurred_at"}},
		{"no text", nil, "\xff", []string{"client_id"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			got, err := event.NewView(person.ID{}, activity.ID{}).WithClientData(tc.at, tc.id, now)
			var fields []string
			for _, f := range fault.All(err) {
				is.Equal(f.Kind, fault.Invalid)
				fields = append(fields, f.Field)
			}
			is.Equal(fields, tc.fields)
			if tc.fields == nil {
				is.Equal(got.ClientID, tc.id)
				is.Equal(got.OccurredAt == nil, tc.at == nil)
			}
		})
	}
}

func TestOccurredAtIsTruncatedToMilliseconds(t *testing.T) {
	is := is.New(t)
	at := time.Date(2026, 1, 31, 15, 4, 5, 123_999_999, time.FixedZone("", 3600))
	got, err := event.NewView(person.ID{}, activity.ID{}).WithClientData(&at, "", at)
	is.NoErr(err)
	is.Equal(*got.OccurredAt, time.Date(2026, 1, 31, 14, 4, 5, 123e6, time.UTC))
}

func TestSameAs(t *testing.T) {
	now := time.Date(2026, 1, 31, 15, 4, 5, 0, time.UTC)
	later, half, whole := now.Add(time.Second), event.Fraction(500_000), event.Fraction(1_000_000)
	e := event.Event{
		Position: 1, Kind: event.ViewedVideo, Person: person.ID{UUID: uuid.New()}, Activity: activity.ID{UUID: uuid.New()},
		Watched: &half, CreatedAt: now, OccurredAt: &now, ClientID: "a",
	}
	for _, tc := range []struct {
		name   string
		change func(*event.Event)
		want   bool
	}{
		{"itself", func(*event.Event) {}, true},
		{"from another time in the feed", func(o *event.Event) { o.Position, o.CreatedAt = 2, later }, true},
		{"in another zone", func(o *event.Event) { at := now.In(time.FixedZone("", 3600)); o.OccurredAt = &at }, true},
		{"another kind", func(o *event.Event) { o.Kind = event.ViewedActivity }, false},
		{"another person", func(o *event.Event) { o.Person = person.ID{} }, false},
		{"another activity", func(o *event.Event) { o.Activity = activity.ID{} }, false},
		{"more watched", func(o *event.Event) { o.Watched = &whole }, false},
		{"nothing watched", func(o *event.Event) { o.Watched = nil }, false},
		{"another time", func(o *event.Event) { o.OccurredAt = &later }, false},
		{"no time", func(o *event.Event) { o.OccurredAt = nil }, false},
		{"another id", func(o *event.Event) { o.ClientID = "b" }, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			o := e
			tc.change(&o)
			is.Equal(e.SameAs(o), tc.want)
			is.Equal(o.SameAs(e), tc.want)
		})
	}
}

func TestParseFraction(t *testing.T) {
	for number, want := range map[string]string{
		"0": "0", "1": "1", "0.75": "0.75", "5e-1": "0.5", "1e-99": "0", "0.3333335": "0.333334", "-0": "0", "100E-2": "1",
		"1.0000001": "", "-0.1": "", "1e1": "", "1e999999999": "", "1e-100": "", "0x1": "", "01": "", ".5": "", "": "", "NaN": "",
		"0." + strings.Repeat("0", 98): "0", "0." + strings.Repeat("0", 99): "",
	} {
		t.Run(number, func(t *testing.T) {
			is := is.New(t)
			got, err := event.ParseFraction(number)
			if want == "" {
				is.Equal(fault.All(err)[0].Field, "percentage_watched")
				return
			}
			is.NoErr(err)
			is.Equal(got.String(), want)
		})
	}
}

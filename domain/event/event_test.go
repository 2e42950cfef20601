package event_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/activity"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/query"
	"lyceum/test/conformance/schematest"
	"pgregory.net/rapid"
)

var (
	now = time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	who = person.ID{UUID: uuid.UUID{15: 1}}
	act = activity.ID{UUID: uuid.UUID{15: 2}}
)

func TestNewViewAndNewWatch(t *testing.T) {
	is := is.New(t)
	is.Equal(event.NewView(who, act), event.Event{Kind: event.ViewedActivity, Person: who, Activity: act})
	half := event.Fraction(500_000)
	got, err := event.NewWatch(who, activity.State{ID: act, Content: activity.VideoContent(time.Minute)}, half)
	is.NoErr(err)
	is.Equal(got, event.Event{Kind: event.ViewedVideo, Person: who, Activity: act, Watched: &half})
	for _, content := range []activity.Content{activity.TextContent(), {Kind: activity.Quiz}, {Kind: activity.Assignment}} {
		_, err := event.NewWatch(who, activity.State{ID: act, Content: content}, half)
		is.True(fault.Is(err, fault.Invalid))
		is.Equal(fault.All(err)[0].Field, "activity")
	}
}

func TestParseKind(t *testing.T) {
	is := is.New(t)
	is.Equal(event.ViewedActivity.String(), "learner_viewed_activity_events")
	is.Equal(event.ViewedVideo.String(), "learner_viewed_video_activity_events")
	for _, k := range []event.Kind{event.ViewedActivity, event.ViewedVideo} {
		got, err := event.ParseKind(k.String())
		is.NoErr(err)
		is.Equal(got, k)
	}
	_, err := event.ParseKind("")
	is.True(fault.Is(err, fault.Invalid))
}

func TestNewFraction(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"0", "0"},
		{"1", "1"},
		{"0.5", "0.5"},
		{"1/3", "0.333333"},
		{"2/3", "0.666667"},
		{"0.0000005", "0.000001"}, // rounded half up
		{"0.00000049", "0"},
		{"0.9999995", "1"},
	} {
		t.Run(tc.in, func(t *testing.T) {
			is := is.New(t)
			r, ok := new(big.Rat).SetString(tc.in)
			is.True(ok)
			got, err := event.NewFraction(r)
			is.NoErr(err)
			is.Equal(got.String(), tc.want)
		})
	}
	for _, in := range []string{"-1/1000000000", "1000000001/1000000000", "75", "-1"} {
		t.Run(in, func(t *testing.T) {
			is := is.New(t)
			r, _ := new(big.Rat).SetString(in)
			_, err := event.NewFraction(r)
			is.True(fault.Is(err, fault.Invalid))
			is.Equal(fault.All(err)[0].Field, "percentage_watched")
		})
	}
}

// String returns a number that parses to the same fraction.
func TestFractionRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := event.Fraction(rapid.Int64Range(0, 1_000_000).Draw(t, "millionths"))
		r, ok := new(big.Rat).SetString(f.String())
		if !ok || r.Cmp(f.Rat()) != 0 {
			t.Fatalf("%s is not %s", f, f.Rat())
		}
		if again, err := event.NewFraction(r); err != nil || again != f {
			t.Fatalf("%s became %s, %v", f, again, err)
		}
	})
}

func TestSchema(t *testing.T) {
	is := is.New(t)
	half := event.Fraction(500_000)
	full := event.Event{
		Position: 7, Kind: event.ViewedVideo, Person: who, Activity: act, Watched: &half, CreatedAt: now,
		OccurredAt: &now, ClientID: "Player-1",
	}
	schematest.Attributes(t, event.Schema, full, map[string]string{
		"type":               "learner_viewed_video_activity_events",
		"created_at":         "2026-01-31T15:04:05.123Z",
		"percentage_watched": "0.50",
		"occurred_at":        "2026-01-31T15:04:05.123Z",
		"client_id":          "Player-1",
		"person.id":          who.String(),
		"activity.id":        act.String(),
	})
	is.Equal(schematest.Order(event.Schema), "created_at")
	is.Equal(event.Schema.Attr("uuid").Kind, query.Integer)
	is.True(event.Schema.Attr("percentage_watched").Nullable) // null for other kinds
}

// Events with equal times are ordered by position.
func TestOrderOfTheFeed(t *testing.T) {
	is := is.New(t)
	one, two, three := event.Event{Position: 10, CreatedAt: now}, event.Event{Position: 9, CreatedAt: now}, event.Event{Position: 1, CreatedAt: now.Add(1)}
	got := event.Schema.Evaluate(query.Query{}, []event.Event{three, one, two})
	is.Equal(got.Items, []event.Event{two, one, three})
}

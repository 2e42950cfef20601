package invitation_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/school"
)

func TestClaim(t *testing.T) {
	var (
		midnight = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
		noon     = midnight.Add(12 * time.Hour)
		tomorrow = midnight.Add(24 * time.Hour)
		ada      = invitation.HashAddress(school.ID{UUID: uuid.UUID{1}}, "ada@example.test")
		message  = job.ID{UUID: uuid.UUID{1}}
		another  = job.ID{UUID: uuid.UUID{2}}
		none     invitation.Delivery
	)
	last := func(at time.Time) invitation.Delivery {
		return invitation.Delivery{Address: ada, MessageID: another, At: at}
	}
	for name, tc := range map[string]struct {
		perDay int
		at     time.Time
		last   invitation.Delivery
		day    invitation.Day
		want   int       // messages counted after the claim
		held   time.Time // zero: the message is sent
	}{
		"first message ever":             {3, noon, none, invitation.Day{}, 1, time.Time{}},
		"within the pause":               {3, noon, last(noon.Add(-59 * time.Second)), invitation.Day{Start: midnight, Messages: 1}, 1, noon.Add(time.Second)},
		"after the pause":                {3, noon, last(noon.Add(-time.Minute)), invitation.Day{Start: midnight, Messages: 1}, 2, time.Time{}},
		"within the pause over midnight": {3, tomorrow, last(tomorrow.Add(-time.Second)), invitation.Day{Start: midnight, Messages: 1}, 0, tomorrow.Add(59 * time.Second)},
		"last one of the day":            {3, noon, none, invitation.Day{Start: midnight, Messages: 2}, 3, time.Time{}},
		"above the limit":                {3, noon, none, invitation.Day{Start: midnight, Messages: 3}, 3, tomorrow},
		"above a limit that was lowered": {3, noon, none, invitation.Day{Start: midnight, Messages: 9}, 9, tomorrow},
		"first one of the next day":      {3, tomorrow, none, invitation.Day{Start: midnight, Messages: 3}, 1, time.Time{}},
		"clock behind another server's":  {3, noon, none, invitation.Day{Start: tomorrow, Messages: 3}, 3, tomorrow.Add(24 * time.Hour)},
		"no limit":                       {0, noon, none, invitation.Day{Start: midnight, Messages: 1 << 20}, 1<<20 + 1, time.Time{}},
		"day in UTC": {
			3, tomorrow.In(time.FixedZone("west", -5*3600)), none,
			invitation.Day{Start: midnight, Messages: 3},
			1,
			time.Time{},
		},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			d := invitation.Delivery{Address: ada, MessageID: message, At: tc.at}
			day, hold := invitation.Limits{PerDay: tc.perDay}.Claim(d, tc.last, tc.day)
			is.Equal(day.Messages, tc.want)
			is.Equal(hold != nil, !tc.held.IsZero())
			if hold != nil {
				is.Equal(hold.Until, tc.held)
				is.True(strings.HasPrefix(hold.Cause, "held: "))
			}
		})
	}
}

func TestLimitsForStrangers(t *testing.T) {
	for perDay, want := range map[int]int{0: 0, 1: 1, 2: 1, 5000: 2500} {
		is.New(t).Equal(invitation.Limits{PerDay: perDay}.ForStrangers(), invitation.Limits{PerDay: want})
	}
}

func TestRetries(t *testing.T) {
	is := is.New(t)
	s := school.ID{UUID: uuid.UUID{1}}
	d := invitation.Delivery{Address: invitation.HashAddress(s, "ada@example.test"), MessageID: job.ID{UUID: uuid.UUID{1}}, At: time.Now()}
	again, otherMessage, address := d, d, d
	again.At = d.At.Add(time.Hour)
	otherMessage.MessageID = job.ID{UUID: uuid.UUID{2}}
	address.Address = invitation.HashAddress(s, "new@example.test")
	is.True(again.Retries(d))
	is.True(!otherMessage.Retries(d))
	is.True(!address.Retries(d))
	is.True(!d.Retries(invitation.Delivery{}))
}

func TestHashAddress(t *testing.T) {
	is := is.New(t)
	acme, other := school.ID{UUID: uuid.UUID{1}}, school.ID{UUID: uuid.UUID{2}}
	is.Equal(invitation.HashAddress(acme, "Ada@Example.test"), invitation.HashAddress(acme, "ada@example.test"))
	is.True(invitation.HashAddress(acme, "ada@example.test") != invitation.HashAddress(acme, "bob@example.test"))
	is.True(invitation.HashAddress(acme, "ada@example.test") != invitation.HashAddress(other, "ada@example.test"))
}

// Addresses of strangers that differ only in their tags are counted together, and separately from
// the address without a tag, which a person can have.
func TestHashStranger(t *testing.T) {
	s, other := school.ID{UUID: uuid.UUID{1}}, school.ID{UUID: uuid.UUID{2}}
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"ada+1@example.test", "ADA+2+3@example.test", true},
		{"ada+1@example.test", "ada+@example.test", true},
		{"ada@example.test", "ADA@example.test", true},
		{`"ada+@"@example.test`, `"ada+b"@example.test`, true},
		{`"ada+b"@example.test`, "ada+1@example.test", true},
		{"ada+1@example.test", "ada@example.test", false},
		{"ada+1@example.test", "bob+1@example.test", false},
		{"ada+1@example.test", "ada+1@school.test", false},
		{"a.da@example.test", "ada@example.test", false},
	} {
		t.Run(tt.a+", "+tt.b, func(t *testing.T) {
			is := is.New(t)
			is.Equal(invitation.HashStranger(s, tt.a) == invitation.HashStranger(s, tt.b), tt.want)
			is.True(invitation.HashStranger(s, tt.a) != invitation.HashStranger(other, tt.a))
			is.True(invitation.HashStranger(s, tt.a) != invitation.HashAddress(s, tt.b) || !strings.Contains(tt.a, "+"))
		})
	}
	is.New(t).Equal(invitation.HashStranger(s, "ada@example.test"), invitation.HashAddress(s, "ada@example.test"))
}

package signin_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/signin"
)

var now = time.Date(2026, 1, 31, 15, 4, 5, 0, time.UTC)

func TestSessionSlides(t *testing.T) {
	is := is.New(t)
	s := signin.NewSession(signin.SessionID{UUID: uuid.New()}, "token", person.ID{UUID: uuid.New()}, "A\x00browser"+strings.Repeat("é", 300), now)
	is.Equal(s.Hash, signin.HashToken("token"))
	is.Equal(len([]rune(s.Device)), 200)
	is.True(strings.HasPrefix(s.Device, "Abrowseré"))
	is.True(s.Active(now.Add(signin.SessionLifetime - 1)))
	is.True(!s.Active(now.Add(signin.SessionLifetime)))
	is.True(!s.Use(now.Add(time.Hour - 1))) // within the resolution
	is.True(s.Use(now.Add(time.Hour)))
	is.Equal(s.UsedAt, now.Add(time.Hour))
	is.True(s.Active(now.Add(signin.SessionLifetime)))
}

func TestLinkIsUsableOnceForAQuarterOfAnHour(t *testing.T) {
	is := is.New(t)
	l, err := signin.NewLink(signin.LinkID{UUID: uuid.New()}, school.ID{}, "ada@example.test", "/courses", now)
	is.NoErr(err)
	is.Equal(l.Return, "/courses")
	is.True(fault.Is(l.CheckUsable(now), fault.Gone)) // not sent yet
	is.True(l.Pending(now.Add(time.Hour - 1)))
	is.True(!l.Pending(now.Add(time.Hour)))
	sent := now.Add(30 * time.Minute)
	l.Send("token", sent)
	is.Equal(l.Hash, signin.HashToken("token"))
	is.NoErr(l.CheckUsable(sent.Add(15*time.Minute - 1)))
	is.True(fault.Is(l.CheckUsable(sent.Add(15*time.Minute)), fault.Gone))
	l.Use(sent)
	is.True(fault.Is(l.CheckUsable(sent), fault.Gone))
}

func TestMayRequest(t *testing.T) {
	is := is.New(t)
	is.True(signin.MayRequest(0, time.Time{}, now))
	is.True(!signin.MayRequest(1, now.Add(-time.Minute+1), now))
	is.True(signin.MayRequest(1, now.Add(-time.Minute), now))
	is.True(!signin.MayRequest(1, now.Add(10*time.Minute), now)) // requested on a server whose clock is ahead
	is.True(signin.MayRequest(1, now.Add(10*time.Minute+1), now))
	is.True(signin.MayRequest(5, now.Add(-time.Minute), now))
	is.True(!signin.MayRequest(6, now.Add(-10*time.Minute+1), now))
	is.True(signin.MayRequest(6, now.Add(-10*time.Minute), now))
	is.True(signin.LaterInterval < signin.LinkLifetime)
}

func TestCheckReturn(t *testing.T) {
	for path, ok := range map[string]bool{
		"/": true, "/courses": true, "/c/5eed?x=1": true, "/outline/a/cover": true,
		"": false, "courses": false, "//evil.test": false, "/\\evil.test": false, "https://evil.test": false, "/a b": false,
		"/a\r\nSet-Cookie:x": false, "/../app": false, "/é": false, "/" + strings.Repeat("a", 500): false,
		"/%2e%2e/app": false, "/%2E./app": false,
	} {
		is.New(t).Equal(signin.CheckReturn(path) == nil, ok) // whether path is valid
	}
	l, err := signin.NewLink(signin.LinkID{}, school.ID{}, "ada@example.test", "//evil.test", now)
	is := is.New(t)
	is.NoErr(err)
	is.Equal(l.Return, "")
	_, err = signin.NewLink(signin.LinkID{}, school.ID{}, "not an address", "/", now)
	is.True(fault.Is(err, fault.Invalid))
}

func TestSameAddress(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"ada@example.test", "Ada@EXAMPLE.test", true},
		{"vera@strasse.example", "vera@straße.example", false},
		{"k@example.test", "\u212a@example.test", false},  // the Kelvin sign
		{"fi@example.test", "\ufb01@example.test", false}, // the ligature
	} {
		is.New(t).Equal(signin.SameAddress(tt.a, tt.b), tt.want)
	}
}

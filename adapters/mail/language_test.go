package mail_test

import (
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/mail"
	"lyceum/test/kit/mailtest"
)

func TestGermanMessage(t *testing.T) {
	is := is.New(t)
	s := mailtest.Start(t, mailtest.Config{})
	cfg := to(s)
	cfg.Language = mail.German
	l := message
	// This is the next day in UTC.
	l.ExpiresAt = time.Date(2026, 3, 31, 23, 0, 0, 0, time.FixedZone("", -2*60*60))
	o := deliver(t, cfg, s, l).Parse(t)
	is.Equal(o.Subject, "Einladung zu Acme")
	is.Equal(o.From.Name, "Acme über Lyceum")
	is.Equal(o.Text, `Hallo Ada Lovelace,

Sie sind eingeladen, Acme beizutreten.

Öffnen Sie diese Adresse, um die Einladung anzunehmen:

https://api.example.test/invitations/5eed

Sie gilt nur einmal, bis zum 1. April 2026 (UTC).

Wenn Sie diese Nachricht nicht erwartet haben, können Sie sie ignorieren.
`)
	is.True(strings.Contains(o.HTML, `<html lang="de">`))
	is.True(strings.Contains(o.HTML, `<a href="https://api.example.test/invitations/5eed">Einladung annehmen</a>`))
	is.True(strings.Contains(o.HTML, "bis zum 1. April 2026 (UTC)"))
}

func TestGermanDates(t *testing.T) {
	is := is.New(t)
	s := mailtest.Start(t, mailtest.Config{})
	cfg := to(s)
	cfg.Language = mail.German
	for month, want := range map[time.Month]string{
		1: "Januar", 2: "Februar", 3: "März", 4: "April", 5: "Mai", 6: "Juni",
		7: "Juli", 8: "August", 9: "September", 10: "Oktober", 11: "November", 12: "Dezember",
	} {
		l := message
		l.ExpiresAt = time.Date(2026, month, 5, 0, 0, 0, 0, time.UTC)
		is.True(strings.Contains(deliver(t, cfg, s, l).Parse(t).Text, "bis zum 5. "+want+" 2026 (UTC)"))
	}
}

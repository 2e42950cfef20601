package mail

import (
	"fmt"
	"time"
)

// Language is the language of emails.
type Language string

// Values of Language.
const (
	// English is the default.
	English Language = "en"
	// German addresses people formally.
	German Language = "de"
)

// texts contains the texts of an email that are not in its templates.
type texts struct {
	subject, signIn, sender string // %s is the name of the school
	date                    func(t time.Time) string
}

var catalog = map[Language]texts{
	English: {
		subject: "Invitation to %s", signIn: "Sign in to %s", sender: "%s via Lyceum",
		date: func(t time.Time) string { return t.Format("2 January 2006") },
	},
	German: {
		subject: "Einladung zu %s", signIn: "Anmeldung bei %s", sender: "%s über Lyceum",
		date: func(t time.Time) string {
			return fmt.Sprintf("%d. %s %d", t.Day(), germanMonths[t.Month()-1], t.Year())
		},
	},
}

var germanMonths = [...]string{
	"Januar", "Februar", "März", "April", "Mai", "Juni",
	"Juli", "August", "September", "Oktober", "November", "Dezember",
}

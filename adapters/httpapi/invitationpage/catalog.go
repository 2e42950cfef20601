package invitationpage

import "golang.org/x/text/language"

// texts is the texts of the page in one language. %s is the name of the school or of the person.
type texts struct {
	Lang, Title, Invitation, Join, Hello, Accept, Begin, Ready, Welcome, Joined, AskAgain, FirstName, LastName string

	Unknown, Over string            // refusals; Over is empty if the fault has a text
	Faults        map[string]string // by field; nil: the faults have a text
}

// catalog is the texts by language. The first language is used for a visitor who prefers others.
var catalog = []texts{
	{
		Lang: "en", Title: "Invitation to %s", Invitation: "Invitation", Join: "Join %s",
		Hello: "Hello %s, you are invited to join %s.", Accept: "Accept the invitation", Begin: "Begin",
		Ready: "Your account is ready. The school will tell you where to begin.", Welcome: "Welcome to %s",
		Joined: "%s, you have joined %s.", AskAgain: "Ask the school for a new one if you need it.",
		FirstName: "First name", LastName: "Last name", Unknown: "This invitation does not exist",
	},
	{
		Lang: "de", Title: "Einladung zu %s", Invitation: "Einladung", Join: "%s beitreten",
		Hello: "Hallo %s, Sie sind eingeladen, %s beizutreten.", Accept: "Einladung annehmen", Begin: "Beginnen",
		Ready: "Ihr Konto ist bereit. Die Schule teilt Ihnen mit, wo Sie beginnen.", Welcome: "Willkommen bei %s",
		Joined: "%s, Sie sind %s beigetreten.", AskAgain: "Bitten Sie die Schule um eine neue, wenn Sie sie brauchen.",
		FirstName: "Vorname", LastName: "Nachname", Unknown: "Diese Einladung gibt es nicht",
		Over:   "Diese Einladung wurde schon angenommen oder ist abgelaufen",
		Faults: map[string]string{"first_name": "Der Vorname ist nicht gültig.", "last_name": "Der Nachname ist nicht gültig."},
	},
}

var matcher = func() language.Matcher {
	tags := make([]language.Tag, len(catalog))
	for i, t := range catalog {
		tags[i] = language.Make(t.Lang)
	}
	return language.NewMatcher(tags)
}()

// textsFor returns the texts in the language that an Accept-Language header prefers.
func textsFor(acceptLanguage string) texts {
	wanted, _, err := language.ParseAcceptLanguage(acceptLanguage)
	if err != nil || len(wanted) == 0 {
		return catalog[0]
	}
	_, i, confidence := matcher.Match(wanted...)
	if confidence == language.No {
		return catalog[0]
	}
	return catalog[i]
}

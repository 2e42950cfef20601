package invitationpage

import "golang.org/x/text/language"

// texts contains the texts of the page in one language. %s is the name of the school or of the
// person.
type texts struct {
	Lang, Title, Invitation, Join, Hello, Accept, Begin, Ready, Welcome, Joined, AskAgain, FirstName, LastName string

	Busy, Failed, Wait, OpenAgain string // for failed requests: what happened and what to do

	Unknown, Over string            // for refused invitations; Over empty: the detail of the fault is shown
	Faults        map[string]string // translations of details of faults about names; other details are shown unchanged
}

// catalog contains the texts by language. Visitors whose preferred languages are not in catalog get
// the first language.
var catalog = []texts{
	{
		Lang: "en", Title: "Invitation to %s", Invitation: "Invitation", Join: "Join %s",
		Hello: "Hello %s, you are invited to join %s.", Accept: "Accept the invitation", Begin: "Begin",
		Ready: "Your account is ready. The school will tell you where to begin.", Welcome: "Welcome to %s",
		Joined: "%s, you have joined %s.", AskAgain: "Ask the school for a new one if you need it.",
		FirstName: "First name", LastName: "Last name", Unknown: "This invitation does not exist",
		Busy: "The server has too much to do", Wait: "Wait a minute and try again.",
		Failed: "The server could not complete the request", OpenAgain: "Open the link in the invitation email again.",
	},
	{
		Lang: "de", Title: "Einladung zu %s", Invitation: "Einladung", Join: "%s beitreten",
		Hello: "Hallo %s, Sie sind eingeladen, %s beizutreten.", Accept: "Einladung annehmen", Begin: "Beginnen",
		Ready: "Ihr Konto ist bereit. Die Schule teilt Ihnen mit, wo Sie beginnen.", Welcome: "Willkommen bei %s",
		Joined: "%s, Sie sind %s beigetreten.", AskAgain: "Bitten Sie die Schule um eine neue, wenn Sie sie brauchen.",
		FirstName: "Vorname", LastName: "Nachname", Unknown: "Diese Einladung gibt es nicht",
		Busy: "Der Server hat zu viel zu tun", Wait: "Warten Sie eine Minute, und versuchen Sie es noch einmal.",
		Failed: "Der Server konnte die Anfrage nicht ausführen", OpenAgain: "Öffnen Sie den Link in der Einladung noch einmal.",
		Over: "Diese Einladung wurde schon angenommen oder ist abgelaufen",
		Faults: map[string]string{
			"contains a character that changes the text direction": "enthält ein Zeichen, das die Schreibrichtung ändert",
			"contains an invisible character":                      "enthält ein unsichtbares Zeichen",
			"contains a control character":                         "enthält ein Steuerzeichen",
			"is not valid UTF-8":                                   "enthält ungültige Zeichen",
			"is too long (maximum is 255 characters)":              "ist zu lang (höchstens 255 Zeichen)",
			"is too long after Unicode normalization":              "ist zu lang",
		},
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

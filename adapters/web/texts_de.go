package web

import (
	"fmt"
	"time"
)

var german = texts{
	Lang: "de",

	Academy: "Akademie", SkipToContent: "Zum Inhalt", SignOut: "Abmelden", MyCourses: "Meine Kurse", Teach: "Lehren", UseCoupon: "Gutschein einlösen",
	Devices: "Geräte",

	ChooseTitle: "Schule wählen", SchoolAddress: "Adresse Ihrer Schule",
	SchoolAddressHint: "Der Teil nach dem letzten Schrägstrich, zum Beispiel riverside-academy.", Continue: "Weiter",
	UnknownSchool: "Es gibt keine Schule mit dieser Adresse.",

	SignInTitle: "Anmelden bei %s", Email: "E-Mail-Adresse", SendLink: "Anmeldelink senden", BadEmail: "Das ist keine gültige E-Mail-Adresse.",
	HintPreregistration: "Nur wer von der Schule hinzugefügt wurde, kann sich anmelden. Wenn Sie neu sind, wenden Sie sich an die Schule.",
	HintOpen:            "Wenn Sie neu sind, geben Sie Ihre Adresse ein: Der Link legt auch Ihr Konto an.",
	HintURL:             "Diese Schule betreten Sie über die eigene Website der Schule. Bitte öffnen Sie die Akademie von dort.",
	HintSSO:             "Bei dieser Schule melden Sie sich am Anmeldedienst der Schule an.",
	HintNoSSO:           "Bei dieser Schule melden Sie sich am Anmeldedienst der Schule an, aber er ist noch nicht eingerichtet. Bitte fragen Sie die Schule.",
	DemoTitle:           "Demo", DemoOwner: "Als Inhaberin eintreten", DemoInstructor: "Als Lehrkraft eintreten", DemoLearner: "Als Lernende eintreten",
	CheckMailTitle: "Sehen Sie in Ihre E-Mails",
	CheckMailText:  "Wenn Sie sich mit dieser Adresse anmelden können, ist eine E-Mail mit einem Link unterwegs. Der Link gilt einmal, 15 Minuten lang.",
	NoMailTitle:    "Dieser Server sendet keine E-Mails",
	NoMailText:     "Bitten Sie die Schule um einen Anmeldelink. Inhaber der Schule und Betreiber des Servers können einen erstellen.", BackToSignIn: "Zurück zur Anmeldung",
	CheckMailNothing: "Nichts angekommen? Sehen Sie im Spam-Ordner nach, oder versuchen Sie es in einer Minute noch einmal.", SendAgain: "Noch einmal",
	ConfirmTitle: "Anmelden bei %s", ConfirmText: "Sie melden sich an als %s.", SignIn: "Anmelden",
	LostSSO: "Die Anmeldung hat zu lange gedauert, wurde schon abgeschlossen oder in einem anderen Browser begonnen. Bitte versuchen Sie es noch einmal.",

	NoCourses: "Sie sind noch in keinem Kurs eingeschrieben. Öffnen Sie den Einschreibelink eines Kurses, oder fragen Sie die Schule.", Progress: "Fortschritt", PercentText: "%s %%",
	CoverActivities: "Inhalt", NoActivities: "Dieser Kurs hat noch keinen Inhalt.", YouAreEnrolled: "Sie sind in diesem Kurs eingeschrieben.",
	OpenCourse: "Zum Kurs", CoverHow: "Für diesen Kurs müssen Sie eingeschrieben sein. Wenn Sie es nicht sind, fragen Sie die Schule nach einem Einschreibelink.",
	EnrollTitle: "In %s einschreiben", EnrollText: "Sie können diesen Kurs in Ihrem eigenen Tempo machen.", Enroll: "Einschreiben",
	JoinTitle: "%s beitreten", JoinText: "Sie werden in alle Kurse dieser Gruppe eingeschrieben.", Join: "Beitreten",
	CouponCode: "Gutscheincode", Redeem: "Gutschein einlösen", CouponUsed: "Ihr Gutschein wurde eingelöst.", UnknownCode: "Es gibt keinen Gutschein mit diesem Code.",

	DevicesText: "Auf diesen Geräten sind Sie als %s angemeldet.", ThisDevice: "dieses Gerät", UnknownDevice: "Unbekanntes Gerät",
	SignedInSince: "Angemeldet seit", ValidUntil: "gültig bis", End: "Dort abmelden", SignOutEverywhere: "Überall abmelden",

	NotFoundTitle: "Nicht gefunden", NotFoundText: "Diese Seite gibt es nicht. Vielleicht ist der Link unvollständig oder nicht mehr gültig.",
	GoneTitle: "Dieser Link gilt nicht mehr", GoneText: "Er wurde schon benutzt oder ist abgelaufen. Bitte fordern Sie einen neuen an.",
	RefusedTitle: "Nicht möglich", ForeignText: "Die Anfrage kam von einer anderen Website.", MalformedText: "Das Formular konnte nicht gelesen werden.",
	TooManyTitle: "Zu viele Versuche", TooManyText: "Bitte warten Sie eine Minute und versuchen Sie es noch einmal.",
	UnavailableTitle: "Vorübergehend nicht erreichbar", UnavailableText: "Bitte versuchen Sie es gleich noch einmal.",
	FailedTitle: "Etwas ist schiefgegangen", FailedText: "Der Fehler wurde aufgezeichnet. Bitte versuchen Sie es noch einmal.",
	BackToStart: "Zur Startseite", Error: "Fehler",

	Player: germanPlayer,

	date: func(t time.Time) string {
		t = t.UTC()
		return fmt.Sprintf("%d. %s %d", t.Day(), germanMonths[t.Month()-1], t.Year())
	},
}

var germanMonths = [...]string{
	"Januar", "Februar", "März", "April", "Mai", "Juni",
	"Juli", "August", "September", "Oktober", "November", "Dezember",
}

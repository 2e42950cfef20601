package teaching

import "maps"

// germanFaults maps the English detail of a fault, by which a form is refused, to German.
var germanFaults = map[string]string{
	"must not be before the first day (%s)":                           "darf nicht vor dem ersten Tag (%s) liegen",
	"can't be blank":                                                  "darf nicht leer sein",
	"is too long (maximum is %s characters)":                          "ist zu lang (höchstens %s Zeichen)",
	"is not a valid email address":                                    "ist keine gültige E-Mail-Adresse",
	"is not a valid date, such as %s":                                 "ist kein gültiges Datum wie %s",
	"is not a valid number":                                           "ist keine gültige Zahl",
	"is not a valid currency code, such as EUR":                       "ist kein gültiger Währungscode wie EUR",
	"must be greater than 0":                                          "muss größer als 0 sein",
	"must be a whole number":                                          "muss eine ganze Zahl sein",
	"must be at most 100 for a percentage":                            "darf als Prozentsatz höchstens 100 sein",
	"must be between %s and %s":                                       "muss zwischen %s und %s liegen",
	"must be an address that begins with https://":                    "muss eine Adresse sein, die mit https:// beginnt",
	"must be minutes and seconds, such as 3:25":                       "muss aus Minuten und Sekunden bestehen, zum Beispiel 3:25",
	"must be longer than 0:00 and at most 24 hours":                   "muss länger als 0:00 und höchstens 24 Stunden sein",
	"is already used":                                                 "ist schon vergeben",
	"The school has no person with this email address":                "Die Schule hat keine Person mit dieser E-Mail-Adresse",
	"The course was changed in the meantime. Please look at it again": "Der Kurs wurde inzwischen geändert. Bitte sehen Sie ihn noch einmal an",
	"This form was already sent, so nothing was changed now. A secret is shown only once. If you have not copied it, replace it": "Dieses Formular wurde schon gesendet, deshalb wurde jetzt nichts geändert. Ein Geheimnis wird nur einmal gezeigt. Wenn Sie es nicht kopiert haben, ersetzen Sie es",
	"This record was changed after you opened the form. Nothing was saved":                                                       "Dieser Eintrag wurde geändert, nachdem Sie das Formular geöffnet haben. Es wurde nichts gespeichert",
	"This activity was removed after you opened the form. If you save it, it is added again as a new activity.":                  "Diese Aktivität wurde entfernt, nachdem Sie das Formular geöffnet haben. Wenn Sie sie speichern, wird sie als neue Aktivität wieder hinzugefügt.",
	"The quiz needs at least one question":    "Das Quiz braucht mindestens eine Frage",
	"needs at least two choices":              "braucht mindestens zwei Antworten",
	"has no choice that is marked as correct": "hat keine als richtig markierte Antwort",
	"is used more than once":                  "kommt mehrfach vor",
	"is already in line %s":                   "steht schon in Zeile %s",
	"is not the name of a group":              "ist nicht der Name einer Gruppe",
}

func joined(parts ...map[string]string) map[string]string {
	all := map[string]string{}
	for _, part := range parts {
		maps.Copy(all, part)
	}
	return all
}

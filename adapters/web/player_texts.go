package web

import "fmt"

// playerTexts contains the texts of the course player in one language.
type playerTexts struct {
	Activities, NoActivities, Begin, GoOn, CourseDone, BackToCourse, Done, Open                  string
	KindText, KindVideo, KindQuiz, KindAssignment, Minutes                                       string
	Previous, Next, ActivityOf, MarkDone, MarkWatched, NoText                                    string
	OpenVideo, NoVideo, VideoFailed                                                              string
	Questions, Answered, StartQuiz, ResumeQuiz, RetakeQuiz, Result, Right, Wrong                 string
	QuestionOf, ChooseOne, ChooseSeveral, Answer, ChooseAnswer, PreviousQuestion                 string
	File, FileHint, Submit, Uploading, YourFiles, NoFiles, EarlierFiles, FileTooLarge, Submitted string
}

var englishPlayer = playerTexts{
	Activities: "Activities", NoActivities: "This course has no activities yet.", Begin: "Begin", GoOn: "Continue",
	CourseDone: "You have completed this course.", BackToCourse: "Back to the course", Done: "Completed", Open: "Not completed yet",
	KindText: "Text", KindVideo: "Video", KindQuiz: "Quiz", KindAssignment: "Assignment", Minutes: "min",
	Previous: "Previous", Next: "Next", ActivityOf: "Activity %d of %d", MarkDone: "Mark as completed and continue",
	MarkWatched: "Mark as watched and continue", NoText: "This activity has no text yet.",
	OpenVideo: "Open the video in a new tab", NoVideo: "This video is not available yet.", VideoFailed: "The video cannot be played here.",
	Questions: "%d questions", Answered: "%d of %d questions answered", StartQuiz: "Start the quiz", ResumeQuiz: "Resume the quiz",
	RetakeQuiz: "Take the quiz again", Result: "Result: %d of %d correct (%s%%)", Right: "Correct", Wrong: "Not correct",
	QuestionOf: "Question %d of %d", ChooseOne: "Choose one answer.", ChooseSeveral: "Choose all correct answers.", Answer: "Answer",
	ChooseAnswer: "Please choose an answer.", PreviousQuestion: "Previous question",
	File: "File", FileHint: "At most %d MB.", Submit: "Submit", Uploading: "Upload", YourFiles: "Your submissions",
	NoFiles: "You have not submitted a file yet.", EarlierFiles: "Your earlier files are not shown here.", FileTooLarge: "The file is too large.", Submitted: "submitted on",
}

var germanPlayer = playerTexts{
	Activities: "Inhalte", NoActivities: "Dieser Kurs hat noch keine Inhalte.", Begin: "Beginnen", GoOn: "Weiter lernen",
	CourseDone: "Sie haben diesen Kurs abgeschlossen.", BackToCourse: "Zurück zum Kurs", Done: "Abgeschlossen", Open: "Noch nicht abgeschlossen",
	KindText: "Text", KindVideo: "Video", KindQuiz: "Quiz", KindAssignment: "Aufgabe", Minutes: "Min.",
	Previous: "Zurück", Next: "Weiter", ActivityOf: "Inhalt %d von %d", MarkDone: "Als abgeschlossen markieren und weiter",
	MarkWatched: "Als angesehen markieren und weiter", NoText: "Dieser Inhalt hat noch keinen Text.",
	OpenVideo: "Video in neuem Tab öffnen", NoVideo: "Dieses Video ist noch nicht verfügbar.", VideoFailed: "Das Video kann hier nicht abgespielt werden.",
	Questions: "%d Fragen", Answered: "%d von %d Fragen beantwortet", StartQuiz: "Quiz starten", ResumeQuiz: "Quiz fortsetzen",
	RetakeQuiz: "Quiz wiederholen", Result: "Ergebnis: %d von %d richtig (%s %%)", Right: "Richtig", Wrong: "Nicht richtig",
	QuestionOf: "Frage %d von %d", ChooseOne: "Wählen Sie eine Antwort.", ChooseSeveral: "Wählen Sie alle richtigen Antworten.", Answer: "Antworten",
	ChooseAnswer: "Bitte wählen Sie eine Antwort.", PreviousQuestion: "Vorige Frage",
	File: "Datei", FileHint: "Höchstens %d MB.", Submit: "Abgeben", Uploading: "Hochladen", YourFiles: "Ihre Abgaben",
	NoFiles: "Sie haben noch keine Datei abgegeben.", EarlierFiles: "Ihre früheren Dateien werden hier nicht angezeigt.", FileTooLarge: "Die Datei ist zu groß.", Submitted: "abgegeben am",
}

// sizeText returns a size in bytes, rounded up to kilobytes or megabytes.
func sizeText(bytes int64) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%d KB", (bytes+1<<10-1)>>10)
	}
	return fmt.Sprintf("%d MB", (bytes+1<<20-1)>>20)
}

package apitest

import (
	"time"

	"github.com/google/uuid"
	"lyceum/app"
	"lyceum/domain/event"
	"lyceum/domain/quiz"
)

// What is taught in the school, and what follows from it and from the facts.
const (
	lines   = "00000000-0000-4000-8000-0000000000b1" // of drawing, to read
	light   = "00000000-0000-4000-8000-0000000000b2" // of drawing, a video
	look    = "00000000-0000-4000-8000-0000000000b3" // of drawing, the quiz shapes
	still   = "00000000-0000-4000-8000-0000000000b4" // of drawing, the assignment stillLife
	breathe = "00000000-0000-4000-8000-0000000000b5" // of singing, to read
	listen  = "00000000-0000-4000-8000-0000000000b6" // of singing, the quiz shapes again
	hum     = "00000000-0000-4000-8000-0000000000b7" // of singing, to read

	shapesQuiz = "00000000-0000-4000-8000-0000000000f1"
	chordsQuiz = "00000000-0000-4000-8000-0000000000f2" // stands nowhere

	stillLife = "00000000-0000-4000-8000-000000000051"
	essay     = "00000000-0000-4000-8000-000000000052" // stands nowhere
)

// Enrollments and submissions, whose ids follow from the others.
const (
	adaInDrawing  = "1de17ec1-559f-5fbc-908c-729c569f31fa"
	alanInDrawing = "eb5899ec-9809-5269-9142-443a1809c34b"
	adaInSinging  = "98768a10-2a45-5e83-8d49-3cd473722941"
	alanInSinging = "e737fcf1-7784-50ee-be5b-b9fe671cc44f"

	adasDrawing = "11638738-2f7f-59d8-8cde-6ac993cc3ef9" // the first file, a text
	adasPage    = "9ad21e50-fd4a-59d2-9680-848c3cb782bc" // the second, of a type that a browser would run

	theirEnrollment = "c7d28c67-fadc-5856-af06-5d14b072c867"
	theirSubmission = "d3c5ae3d-f027-5fd0-9498-6d67f96aa050"

	adasFirst  = "5b161848-f2ca-58d7-ab04-d21cc9374215" // attempt at drawing
	adasSecond = "2eaf4e9b-4971-5269-b1b7-b4768869bc47"
	alansFirst = "2fe0d4e0-a047-5c28-b486-0bbcf0fe550d" // attempt at singing
)

// What the neighbour teaches.
const (
	theirQuiz       = "00000000-0000-4000-8000-0000000001f1"
	theirAssignment = "00000000-0000-4000-8000-000000000151"
	theirActivity   = "00000000-0000-4000-8000-0000000001b1"
	theirAnswering  = "00000000-0000-4000-8000-0000000001b2"
)

// secret signs the links to files.
const secret = "0123456789abcdef0123456789abcdef" // #nosec G101 -- of tests

func shapes() []app.QuestionPlan {
	return []app.QuestionPlan{
		{Text: "How many sides has a square?", Choices: []quiz.Choice{{Text: "4", Correct: true}, {Text: "3"}}},
		{Text: "What is round?", Choices: []quiz.Choice{{Text: "A circle", Correct: true}, {Text: "A sphere", Correct: true}, {Text: "A cube"}}},
		{Text: "Is a line \"flat\" & <thin>?", Choices: []quiz.Choice{{Text: "Yes", Correct: true}, {Text: "No"}}},
	}
}

func plannedQuizzes() []app.QuizPlan {
	return []app.QuizPlan{
		{ID: uuid.MustParse(shapesQuiz), Name: "Shapes & Forms", Questions: shapes(), CreatedAt: on(3, 8)},
		{ID: uuid.MustParse(chordsQuiz), Name: "Chords", Questions: shapes()[:1], CreatedAt: on(4, 8)},
	}
}

func plannedAssignments() []app.AssignmentPlan {
	return []app.AssignmentPlan{
		{ID: uuid.MustParse(essay), Title: "An essay", CreatedAt: on(4, 9)},
		{ID: uuid.MustParse(stillLife), Title: "A still life", CreatedAt: on(3, 9)},
	}
}

func drawingActivities() []app.ActivityPlan {
	return []app.ActivityPlan{
		{ID: uuid.MustParse(lines), Title: "Lines"},
		{ID: uuid.MustParse(light), Title: "Light & shadow", Length: 2 * time.Minute},
		{ID: uuid.MustParse(look), Title: "Do you see it?", Quiz: "Shapes & Forms"},
		{ID: uuid.MustParse(still), Title: "Your drawing", Assignment: "A still life"},
	}
}

func singingActivities() []app.ActivityPlan {
	return []app.ActivityPlan{
		{ID: uuid.MustParse(breathe), Title: "Breathe"},
		{ID: uuid.MustParse(listen), Title: "Listen", Quiz: "Shapes & Forms"},
		{ID: uuid.MustParse(hum), Title: "Hum"},
	}
}

// drawingFacts: ada comes to the end, with the quiz twice and two files, and
// begins anew.
func drawingFacts() []app.FactPlan {
	const (
		look, light, drawing = "Do you see it?", "Light & shadow", "Your drawing"
		square, round, flat  = "How many sides has a square?", "What is round?", "Is a line \"flat\" & <thin>?"
	)
	facts := []app.FactPlan{
		{Did: app.Viewed, Activity: "Lines", At: on(12, 10)},
		{Did: app.Completed, Activity: "Lines", At: on(12, 11)},
		{Did: app.Watched, Activity: light, Fraction: watched(375_000), At: on(12, 12)},
		{Did: app.Watched, Activity: light, Fraction: watched(1_000_000), At: on(12, 13)},
		{Did: app.Completed, Activity: light, At: on(12, 14)},
		{Did: app.Answered, Activity: look, Question: square, Chosen: []string{"3"}, At: on(13, 10)},
		{Did: app.Answered, Activity: look, Question: round, Chosen: []string{"a sphere", "A circle"}, At: on(13, 11)},
		{Did: app.Answered, Activity: look, Question: flat, Chosen: []string{"No"}, At: on(13, 12)},
		{Did: app.Answered, Activity: look, Question: square, Chosen: []string{"4"}, At: on(14, 10)}, // the second run
		{Did: app.Answered, Activity: look, Question: round, Chosen: []string{"A cube"}, At: on(14, 11)},
		{Did: app.Completed, Activity: look, At: on(14, 12)},
		{
			Did: app.Submitted, Activity: drawing, At: on(15, 10),
			File: app.FilePlan{Name: `My "still life" – été.txt`, MediaType: "text/plain", Text: "An apple, a pear.\n"},
		},
		{
			Did: app.Submitted, Activity: drawing, At: on(15, 11),
			File: app.FilePlan{Name: `C:\pictures\page.html`, MediaType: "text/html", Text: "<script>alert(1)</script>"},
		},
		{Did: app.Completed, Activity: drawing, At: on(15, 12)},
		{Did: app.Retook, At: on(16, 10)},
	}
	for i := range facts {
		facts[i].Email = "ada@example.test"
	}
	return facts
}

// singingFacts: alan comes a third of the way; ada has not begun.
func singingFacts() []app.FactPlan {
	return []app.FactPlan{
		{Email: "Alan@example.test", Did: app.Viewed, Activity: "Breathe", At: on(17, 10)},
		{Email: "alan@example.test", Did: app.Completed, Activity: "Breathe", At: on(17, 11)},
		{
			Email: "alan@example.test", Did: app.Answered, Activity: "Listen",
			Question: "What is round?", Chosen: []string{"A circle", "A sphere"}, At: on(17, 12),
		},
	}
}

// on returns an instant of November 2025.
func on(day, hour int) time.Time { return time.Date(2025, 11, day, hour, 15, 0, 40_000_000, time.UTC) }

// watched returns a part of a video in millionths.
func watched(millionths int64) event.Fraction { return event.Fraction(millionths) }

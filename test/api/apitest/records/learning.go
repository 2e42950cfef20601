package records

// Activities, quizzes and assignments of testdata/own.jsonl.
const (
	Lines   = "00000000-0000-4000-8000-0000000000b1" // text of drawing
	Light   = "00000000-0000-4000-8000-0000000000b2" // video of drawing
	Look    = "00000000-0000-4000-8000-0000000000b3" // quiz shapes in drawing
	Still   = "00000000-0000-4000-8000-0000000000b4" // assignment StillLife in drawing
	Breathe = "00000000-0000-4000-8000-0000000000b5" // text of singing
	Listen  = "00000000-0000-4000-8000-0000000000b6" // quiz shapes in singing
	Hum     = "00000000-0000-4000-8000-0000000000b7" // text of singing

	ShapesQuiz = "00000000-0000-4000-8000-0000000000f1"
	ChordsQuiz = "00000000-0000-4000-8000-0000000000f2" // used by no activity

	StillLife = "00000000-0000-4000-8000-000000000051"
	Essay     = "00000000-0000-4000-8000-000000000052" // used by no activity
)

// Enrollments, submissions and course attempts.
const (
	AdaInDrawing  = "1de17ec1-559f-5fbc-908c-729c569f31fa"
	AlanInDrawing = "eb5899ec-9809-5269-9142-443a1809c34b"
	AdaInSinging  = "98768a10-2a45-5e83-8d49-3cd473722941"
	AlanInSinging = "e737fcf1-7784-50ee-be5b-b9fe671cc44f"

	AdasDrawing = "11638738-2f7f-59d8-8cde-6ac993cc3ef9" // the first file, plain text
	AdasPage    = "9ad21e50-fd4a-59d2-9680-848c3cb782bc" // the second file, HTML that a browser would render

	TheirEnrollment = "c7d28c67-fadc-5856-af06-5d14b072c867"
	TheirSubmission = "d3c5ae3d-f027-5fd0-9498-6d67f96aa050"

	AdasFirst  = "5b161848-f2ca-58d7-ab04-d21cc9374215" // first attempt at drawing
	AdasSecond = "2eaf4e9b-4971-5269-b1b7-b4768869bc47"
	AlansFirst = "2fe0d4e0-a047-5c28-b486-0bbcf0fe550d" // first attempt at singing
)

// Activities, quizzes and assignments of testdata/other_tenant.jsonl.
const (
	TheirQuiz       = "00000000-0000-4000-8000-0000000001f1"
	TheirAssignment = "00000000-0000-4000-8000-000000000151"
	TheirActivity   = "00000000-0000-4000-8000-0000000001b1"
	TheirAnswering  = "00000000-0000-4000-8000-0000000001b2"
)

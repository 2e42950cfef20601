package apitest

// Activities, quizzes and assignments of testdata/own.jsonl.
const (
	lines   = "00000000-0000-4000-8000-0000000000b1" // text of drawing
	light   = "00000000-0000-4000-8000-0000000000b2" // video of drawing
	look    = "00000000-0000-4000-8000-0000000000b3" // quiz shapes in drawing
	still   = "00000000-0000-4000-8000-0000000000b4" // assignment stillLife in drawing
	breathe = "00000000-0000-4000-8000-0000000000b5" // text of singing
	listen  = "00000000-0000-4000-8000-0000000000b6" // quiz shapes in singing
	hum     = "00000000-0000-4000-8000-0000000000b7" // text of singing

	shapesQuiz = "00000000-0000-4000-8000-0000000000f1"
	chordsQuiz = "00000000-0000-4000-8000-0000000000f2" // used by no activity

	stillLife = "00000000-0000-4000-8000-000000000051"
	essay     = "00000000-0000-4000-8000-000000000052" // used by no activity
)

// Enrollments, submissions and course attempts.
const (
	adaInDrawing  = "1de17ec1-559f-5fbc-908c-729c569f31fa"
	alanInDrawing = "eb5899ec-9809-5269-9142-443a1809c34b"
	adaInSinging  = "98768a10-2a45-5e83-8d49-3cd473722941"
	alanInSinging = "e737fcf1-7784-50ee-be5b-b9fe671cc44f"

	adasDrawing = "11638738-2f7f-59d8-8cde-6ac993cc3ef9" // the first file, plain text
	adasPage    = "9ad21e50-fd4a-59d2-9680-848c3cb782bc" // the second file, HTML that a browser would render

	theirEnrollment = "c7d28c67-fadc-5856-af06-5d14b072c867"
	theirSubmission = "d3c5ae3d-f027-5fd0-9498-6d67f96aa050"

	adasFirst  = "5b161848-f2ca-58d7-ab04-d21cc9374215" // first attempt at drawing
	adasSecond = "2eaf4e9b-4971-5269-b1b7-b4768869bc47"
	alansFirst = "2fe0d4e0-a047-5c28-b486-0bbcf0fe550d" // first attempt at singing
)

// Activities, quizzes and assignments of testdata/other_tenant.jsonl.
const (
	theirQuiz       = "00000000-0000-4000-8000-0000000001f1"
	theirAssignment = "00000000-0000-4000-8000-000000000151"
	theirActivity   = "00000000-0000-4000-8000-0000000001b1"
	theirAnswering  = "00000000-0000-4000-8000-0000000001b2"
)

// secret signs the links to files.
const secret = "0123456789abcdef0123456789abcdef" // #nosec G101 -- for tests only

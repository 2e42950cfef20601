package schoolfile

// demoQuestionRow is a question; a choice that is correct begins with a star.
type demoQuestionRow struct {
	text    string
	choices []string
}

type demoQuizRow struct {
	name      string
	questions []demoQuestionRow
}

var demoQuizzes = []demoQuizRow{
	{"Exposure basics", []demoQuestionRow{
		{"What lets more light in?", []string{"*A wider aperture", "A smaller aperture"}},
		{"Which of these make a picture brighter?", []string{"*A longer exposure", "*A higher sensitivity", "A smaller file"}},
		{"What does 1/500 s stand for?", []string{"*A short exposure", "A long exposure", "A lens"}},
	}},
	{"First greetings", []demoQuestionRow{
		{"How do you say “good morning”?", []string{"*Bom dia", "Boa noite", "Até logo"}},
		{"Which of these say “thank you”?", []string{"*Obrigado", "*Obrigada", "De nada"}},
	}},
	{"Kitchen safety", []demoQuestionRow{
		{"A pan of oil burns. What do you do?", []string{"Pour water on it", "*Put a lid on it"}},
		{"Where does a knife lie when it is not in use?", []string{"*On the board, its edge away from you", "In the sink"}},
	}},
	{"How Riverside works", []demoQuestionRow{
		{"Whom do you ask when a video does not play?", []string{"*The owner of the school", "Nobody"}},
		{"May you take a course twice?", []string{"*Yes", "No"}},
		{"What is a group?", []string{"*People who learn the same courses", "A kind of quiz"}},
	}},
}

var demoAssignments = []string{"A song in one evening", "Introduce yourself", "One portrait by a window", "Your first loaf"}

// demoActivityRow is an activity of one of the kinds, or something to read.
type demoActivityRow struct {
	title            string
	seconds          int
	quiz, assignment string
}

// demoActivities is the activities of each course, by its permalink.
var demoActivities = map[string][]demoActivityRow{
	"seeing-light": {
		{title: "What light does"},
		{title: "Ten minutes at a window", seconds: 612},
		{title: "Do you see it?", quiz: "Exposure basics"},
		{title: "Your portrait", assignment: "One portrait by a window"},
	},
	"portuguese-for-travellers": {
		{title: "Before you travel"},
		{title: "At the bakery", seconds: 245},
		{title: "Say hello", quiz: "First greetings"},
		{title: "Say who you are", assignment: "Introduce yourself"},
	},
	"everyday-japanese-cooking": {
		{title: "The pantry"},
		{title: "Dashi from scratch", seconds: 540},
		{title: "Safe with knife and fire", quiz: "Kitchen safety"},
	},
	"japanese-joinery": {
		{title: "Choosing a saw"},
		{title: "The first joint", seconds: 905},
		{title: "Show your bench", assignment: "Introduce yourself"},
	},
	"songwriting-workshop": {
		{title: "Where songs come from"},
		{title: "Two chords are enough", seconds: 431},
		{title: "Your song", assignment: "A song in one evening"},
	},
	"drums-without-fear": {
		{title: "Sitting well"},
		{title: "The first beat", seconds: 198},
	},
	"bread-butter-ferment": {
		{title: "Flour, water, time"},
		{title: "Folding the dough", seconds: 377},
		{title: "Safe with the oven", quiz: "Kitchen safety"},
		{title: "Your loaf", assignment: "Your first loaf"},
	},
	"welcome": {
		{title: "Welcome"},
		{title: "A walk through the school", seconds: 93},
		{title: "What you know now", quiz: "How Riverside works"},
	},
}

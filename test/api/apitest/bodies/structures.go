package bodies

import (
	"strings"

	"lyceum/domain/activity"
	"lyceum/test/api/apitest/records"
)

// ChangedStructure is a structure of drawing without the activities lines and light, which people
// have started.
const ChangedStructure = `{"data":{"type":"course_structures","attributes":{"activities":[
	{"key":"your-drawing","title":"Your drawing","kind":"assignment","assignment":{"title":"Two still lives"}},
	{"key":"clip","title":"A clip","kind":"video","duration":61,"video_url":"https://media.example.test/clip.mp4","text":"# Look\n\n<b>Twice</b> & *again*"},
	{"key":"do-you-see-it","title":"Do you see it?","kind":"quiz","quiz":{"id":"` + records.ShapesQuiz + `"}},
	{"key":"again","title":"Once more","kind":"quiz","quiz":{"name":"Colors","questions":[
		{"key":"red","text":"Is red warm?","choices":[{"text":"Yes","correct":true},{"text":"No"}]}]}}
]}}}`

// InvalidStructure contains every kind of fault that a structure can have.
var InvalidStructure = `{"data":{"attributes":{"activities":[
	{"key":"a","title":"","kind":"text","duration":1},
	{"key":"a","title":7,"kind":"film"},
	{"key":"No","title":"B","kind":"video"},
	{"key":"c","title":"C","kind":"quiz","quiz":{"name":"Q","questions":[
		{"key":"x","text":"?","choices":[{"text":"Yes","correct":true},{"text":" "},{"text":"yes"}]},
		{"key":"x","text":"Why?","choices":[{"text":"Yes"},{"text":"No","correct":"no"}]}]}},
	{"key":"d","title":"D","kind":"assignment","assignment":{"id":"` + records.Essay + `x"}},
	{"key":"your-drawing","title":"E","kind":"text"},
	"f",
	{"key":"g","title":"G","kind":"text","text":7,"video_url":"https://media.example.test/a.mp4"},
	{"key":"h","title":"H","kind":"video","duration":1,"text":"\u0000","video_url":"http://media.example.test/a.mp4"},
	{"key":"i","title":"I","kind":"video","duration":1,"text":"` + LongText + `x","video_url":"/a.mp4"}
]}}}`

// LongText is the longest text of an activity.
var LongText = strings.Repeat("x", activity.MaxText)

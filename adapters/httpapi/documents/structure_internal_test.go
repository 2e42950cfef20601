package documents

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/respond"
	"lyceum/domain/activity"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
)

// If a structure has too many tiny elements, they are not parsed, and the domain refuses the plan.
func TestStructurePlanLimitsMemory(t *testing.T) {
	empties := strings.Repeat("{},", tinyBody/4) + "{}"
	quizOf := func(questions string) string {
		return `{"key":"a","title":"A","kind":"quiz","quiz":{"name":"Q","questions":[` + questions + `]}}`
	}
	for name, tt := range map[string]struct{ activities, want string }{
		"activities": {empties, "activities: has too many elements (maximum is 1000)"},
		"questions":  {quizOf(empties), "activities[0].quiz.questions: must have between 1 and 500 elements"},
		"choices": {
			quizOf(`{"key":"q","text":"?","choices":[` + empties + "]}"),
			"activities[0].quiz.questions[0].choices: must have between 2 and 50 elements",
		},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			v, err := jsonapi.Parse([]byte(`{"data":{"attributes":{"activities":[`+tt.activities+`]}}}`), tinyBody)
			is.NoErr(err)
			d, err := request.Parse(v)
			is.NoErr(err)
			var plan structure.Plan
			allocs := testing.AllocsPerRun(1, func() { plan = Plan(d) })
			t.Logf("%.0f allocations", allocs)
			is.True(allocs < 500)
			is.Equal(len(d.Faults), 0)
			_, err = structure.Structure{Quizzes: map[quiz.ID]quiz.State{}}.Revise(plan, structure.Usage{}, uuid.New, time.Time{})
			is.Equal(err.Error(), "invalid: "+tt.want)
		})
	}
}

// Reading a structure with very many faults stops after MaxFaults. Revise returns about ten times
// as many at most.
func TestStructurePlanLimitsFaults(t *testing.T) {
	is := is.New(t)
	wrong := strings.Repeat(`{"key":1,"title":1,"kind":1},`, structure.MaxActivities-1) + "{}"
	v, err := jsonapi.Parse([]byte(`{"data":{"attributes":{"activities":[`+wrong+`]}}}`), tinyBody)
	is.NoErr(err)
	d, err := request.Parse(v)
	is.NoErr(err)
	plan := Plan(d)
	is.Equal(len(d.Faults), request.MaxFaults)
	is.Equal(len(plan.Activities), structure.MaxActivities)
	is.Equal(plan.Activities[structure.MaxActivities-1], structure.Activity{})
	_, err = structure.Structure{}.Revise(plan, structure.Usage{}, uuid.New, time.Time{})
	found := fault.All(err)
	is.True(len(found) >= 10*request.MaxFaults) // enough for the response even if some faults are dropped
	is.True(len(found) < 11*request.MaxFaults)
}

// Quizzes beyond the size limit have only an ID, unless their ID is provisional.
func TestQuizzesBeyondLimitHaveOnlyIDs(t *testing.T) {
	asked := quiz.State{
		ID: quiz.ID{UUID: uuid.UUID{15: 1}}, Name: "Test",
		Questions: []quiz.Question{{Key: "one", Text: "?", Choices: []quiz.Choice{{Text: "Yes", Correct: true}, {Text: "No"}}}},
	}
	s := structure.Structure{Quizzes: map[quiz.ID]quiz.State{asked.ID: asked}}
	for range 3 {
		s.Activities = append(s.Activities, activity.State{Content: activity.QuizContent(asked.ID)})
	}
	for name, tt := range map[string]struct {
		full   int
		unkept map[uuid.UUID]bool
		want   string // for each activity: whether its quiz has questions
	}{
		"all":              {3 * asked.Size(), nil, "[true true true]"},
		"two":              {3*asked.Size() - 1, nil, "[true true false]"},
		"none":             {0, nil, "[false false false]"},
		"those without id": {0, map[uuid.UUID]bool{asked.ID.UUID: true}, "[true true true]"},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			var full []bool
			for _, a := range newStructure(s, tt.unkept, tt.full).Activities {
				full = append(full, len(a.Quiz.Questions) == 1 && a.Quiz.Name == "Test")
				if !full[len(full)-1] {
					body, err := respond.Encode(a.Quiz)
					is.NoErr(err)
					is.Equal(string(body), `{"id":"`+asked.ID.String()+`"}`)
				}
			}
			is.Equal(fmt.Sprint(full), tt.want)
		})
	}
}

// A quiz in a document has at least Size bytes, and less than twice as many.
func TestQuizSize(t *testing.T) {
	is := is.New(t)
	q := quiz.State{Name: "Test"}
	for i := range quiz.MaxQuestions {
		asked := quiz.Question{Key: fmt.Sprint(i), Text: "?"}
		for j := range quiz.MaxChoices {
			asked.Choices = append(asked.Choices, quiz.Choice{Text: fmt.Sprint(j), Correct: j%2 == 0})
		}
		q.Questions = append(q.Questions, asked)
	}
	body, err := respond.Encode(structureQuiz{Name: q.Name, Questions: newStructureQuestions(q.Questions, uuid.UUID.String)})
	is.NoErr(err)
	is.True(q.Size() <= len(body))
	is.True(2*q.Size() > len(body))
}

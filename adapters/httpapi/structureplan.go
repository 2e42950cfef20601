package httpapi

import (
	"fmt"

	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/assignment"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
)

// structurePlan returns the structure that a document wants a course to have. The
// domain checks what must be in it.
func structurePlan(d *document) structure.Plan {
	sent := d.attributes["activities"]
	if n, _ := sent.Len(); n > structure.MaxActivities { // nobody will look at them
		return structure.Plan{Activities: make([]structure.Activity, structure.MaxActivities+1)}
	}
	elements := d.elements("activities", sent, structure.MaxActivities)
	if sent.NullOrAbsent() {
		d.fail(fault.Blank("activities"))
	}
	plan := structure.Plan{Activities: make([]structure.Activity, len(elements))}
	for i, e := range elements {
		plan.Activities[i] = activityPlan(d, fmt.Sprintf("activities[%d]", i), e)
	}
	return plan
}

func activityPlan(d *document, place string, v jsonapi.Value) structure.Activity {
	o := d.object(place, v)
	plan := structure.Activity{
		Key: member(d, place, o, "key", textOf), Title: member(d, place, o, "title", textOf),
		Kind: member(d, place, o, "kind", textOf),
	}
	if !o["duration"].NullOrAbsent() {
		seconds := member(d, place, o, "duration", wholeOf)
		plan.Duration = &seconds
	}
	if !o["quiz"].NullOrAbsent() {
		plan.Quiz = quizPlan(d, place+".quiz", o["quiz"])
	}
	if !o["assignment"].NullOrAbsent() {
		at := place + ".assignment"
		o := d.object(at, o["assignment"])
		plan.Assignment = &structure.Assignment{
			ID: assignment.ID{UUID: member(d, at, o, idMember, uuidOf)}, Defined: !o["title"].NullOrAbsent(),
			Title: member(d, at, o, "title", textOf),
		}
	}
	return plan
}

func quizPlan(d *document, place string, v jsonapi.Value) *structure.Quiz {
	o := d.object(place, v)
	plan := &structure.Quiz{
		ID:      quiz.ID{UUID: member(d, place, o, idMember, uuidOf)},
		Defined: !o["name"].NullOrAbsent() || !o["questions"].NullOrAbsent(), Name: member(d, place, o, "name", textOf),
	}
	for i, e := range d.elements(place+".questions", o["questions"], quiz.MaxQuestions) {
		at := fmt.Sprintf("%s.questions[%d]", place, i)
		o := d.object(at, e)
		question := quiz.Question{Key: member(d, at, o, "key", textOf), Text: member(d, at, o, "text", textOf)}
		for j, e := range d.elements(at+".choices", o["choices"], quiz.MaxChoices) {
			at := fmt.Sprintf("%s.choices[%d]", at, j)
			o := d.object(at, e)
			choice := quiz.Choice{Text: member(d, at, o, "text", textOf)}
			if !o["correct"].NullOrAbsent() {
				choice.Correct = member(d, at, o, "correct", truthOf)
			}
			question.Choices = append(question.Choices, choice)
		}
		plan.Questions = append(plan.Questions, question)
	}
	return plan
}

package httpapi

import (
	"fmt"

	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/assignment"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
	"lyceum/domain/text"
)

// structurePlan reads how a course shall be. The domain knows what must be there.
func (d *document) structurePlan() structure.Plan {
	sent := d.attributes["activities"]
	if n, _ := sent.Len(); n > structure.MaxActivities { // nobody will look at them
		return structure.Plan{Activities: make([]structure.Activity, structure.MaxActivities+1)}
	}
	elements := d.elements("activities", sent, structure.MaxActivities)
	if unset(sent) {
		d.fail(fault.Blank("activities"))
	}
	plan := structure.Plan{Activities: make([]structure.Activity, len(elements))}
	for i, e := range elements {
		plan.Activities[i] = d.activityPlan(fmt.Sprintf("activities[%d]", i), e)
	}
	return plan
}

func (d *document) activityPlan(place string, v jsonapi.Value) structure.Activity {
	o := d.object(place, v)
	plan := structure.Activity{
		Key: member(d, place, o, "key", textOf), Title: member(d, place, o, "title", textOf),
		Kind: member(d, place, o, "kind", textOf),
	}
	if !unset(o["duration"]) {
		seconds := member(d, place, o, "duration", wholeOf)
		plan.Duration = &seconds
	}
	if !unset(o["quiz"]) {
		plan.Quiz = d.quizPlan(place+".quiz", o["quiz"])
	}
	if !unset(o["assignment"]) {
		at := place + ".assignment"
		o := d.object(at, o["assignment"])
		plan.Assignment = &structure.Assignment{
			ID: assignment.ID{UUID: member(d, at, o, idMember, referenceOf)}, Defined: !unset(o["title"]),
			Title: member(d, at, o, "title", textOf),
		}
	}
	return plan
}

func (d *document) quizPlan(place string, v jsonapi.Value) *structure.Quiz {
	o := d.object(place, v)
	plan := &structure.Quiz{
		ID:      quiz.ID{UUID: member(d, place, o, idMember, referenceOf)},
		Defined: !unset(o["name"]) || !unset(o["questions"]), Name: member(d, place, o, "name", textOf),
	}
	for i, e := range d.elements(place+".questions", o["questions"], quiz.MaxQuestions) {
		at := fmt.Sprintf("%s.questions[%d]", place, i)
		o := d.object(at, e)
		question := quiz.Question{Key: member(d, at, o, "key", textOf), Text: member(d, at, o, "text", textOf)}
		for j, e := range d.elements(at+".choices", o["choices"], quiz.MaxChoices) {
			at := fmt.Sprintf("%s.choices[%d]", at, j)
			o := d.object(at, e)
			choice := quiz.Choice{Text: member(d, at, o, "text", textOf)}
			if !unset(o["correct"]) {
				choice.Correct = member(d, at, o, "correct", truthOf)
			}
			question.Choices = append(question.Choices, choice)
		}
		plan.Questions = append(plan.Questions, question)
	}
	return plan
}

// member reads a member of an object in the document; what is wrong with it is
// noted.
func member[T any](
	d *document, place string, o jsonapi.Object, name string, read func(name string, v jsonapi.Value) (T, error),
) T {
	value, err := read(name, o[name])
	if err != nil {
		d.fail(fault.Within(place, err))
	}
	return value
}

// object returns an object in the document, an empty one when it is none.
func (d *document) object(place string, v jsonapi.Value) jsonapi.Object {
	o, ok := v.Object()
	if !ok {
		d.fail(fault.Invalidf(place, "must be an object"))
	}
	return o
}

// elements returns those of an array in the document, none when it is absent. Nor
// does it read more than most, which cost far more than the body: the domain
// refuses none in the words in which it refuses too many.
func (d *document) elements(place string, v jsonapi.Value, most int) []jsonapi.Value {
	if n, _ := v.Len(); n > most {
		return nil
	}
	elements, ok := v.Array()
	if !ok && !unset(v) {
		d.fail(fault.Invalidf(place, "must be an array"))
	}
	return elements
}

// referenceOf returns the id of a record, zero when there is none.
func referenceOf(name string, v jsonapi.Value) (uuid.UUID, error) {
	s, err := textOf(name, v)
	if err != nil || s == "" {
		return uuid.Nil, err
	}
	id, ok := text.UUID(s)
	if !ok {
		return uuid.Nil, fault.Invalidf(name, "is not a UUID")
	}
	return id, nil
}

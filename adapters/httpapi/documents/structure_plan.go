package documents

import (
	"fmt"

	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/domain/assignment"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
)

// Plan reads the desired structure of a course. The domain reports missing parts.
func Plan(d *request.Document) structure.Plan {
	sent := d.Attributes["activities"]
	// Too many elements are not parsed: the domain refuses their number.
	if n, _ := sent.Len(); n > structure.MaxActivities {
		return structure.Plan{Activities: make([]structure.Activity, structure.MaxActivities+1)}
	}
	elements := d.Elements("activities", sent, structure.MaxActivities)
	if sent.NullOrAbsent() {
		d.Fail(fault.Blank("activities"))
	}
	plan := structure.Plan{Activities: make([]structure.Activity, len(elements))}
	for i, e := range elements {
		if len(d.Faults) >= request.MaxFaults {
			break // the response contains no further faults
		}
		plan.Activities[i] = activityPlan(d, fmt.Sprintf("activities[%d]", i), e)
	}
	return plan
}

func activityPlan(d *request.Document, path string, v jsonapi.Value) structure.Activity {
	o := d.Object(path, v)
	plan := structure.Activity{
		Key: request.Member(d, path, o, "key", request.TextOf), Title: request.Member(d, path, o, "title", request.TextOf),
		Kind: request.Member(d, path, o, "kind", request.TextOf),
	}
	if !o["duration"].NullOrAbsent() {
		seconds := request.Member(d, path, o, "duration", request.IntegerOf)
		plan.Duration = &seconds
	}
	for _, member := range []struct {
		name string
		text **string
	}{{"video_url", &plan.VideoURL}, {"text", &plan.Text}} {
		if !o[member.name].NullOrAbsent() {
			s := request.Member(d, path, o, member.name, request.TextOf)
			*member.text = &s
		}
	}
	if !o["quiz"].NullOrAbsent() {
		plan.Quiz = quizPlan(d, path+".quiz", o["quiz"])
	}
	if !o["assignment"].NullOrAbsent() {
		at := path + ".assignment"
		o := d.Object(at, o["assignment"])
		plan.Assignment = &structure.Assignment{
			ID: assignment.ID{UUID: request.Member(d, at, o, request.IDMember, request.UUIDOf)}, Defined: !o["title"].NullOrAbsent(),
			Title: request.Member(d, at, o, "title", request.TextOf),
		}
	}
	return plan
}

func quizPlan(d *request.Document, path string, v jsonapi.Value) *structure.Quiz {
	o := d.Object(path, v)
	plan := &structure.Quiz{
		ID:      quiz.ID{UUID: request.Member(d, path, o, request.IDMember, request.UUIDOf)},
		Defined: !o["name"].NullOrAbsent() || !o["questions"].NullOrAbsent(), Name: request.Member(d, path, o, "name", request.TextOf),
	}
	for i, e := range d.Elements(path+".questions", o["questions"], quiz.MaxQuestions) {
		at := fmt.Sprintf("%s.questions[%d]", path, i)
		o := d.Object(at, e)
		question := quiz.Question{Key: request.Member(d, at, o, "key", request.TextOf), Text: request.Member(d, at, o, "text", request.TextOf)}
		for j, e := range d.Elements(at+".choices", o["choices"], quiz.MaxChoices) {
			at := fmt.Sprintf("%s.choices[%d]", at, j)
			o := d.Object(at, e)
			choice := quiz.Choice{Text: request.Member(d, at, o, "text", request.TextOf)}
			if !o["correct"].NullOrAbsent() {
				choice.Correct = request.Member(d, at, o, "correct", request.BoolOf)
			}
			question.Choices = append(question.Choices, choice)
		}
		plan.Questions = append(plan.Questions, question)
	}
	return plan
}

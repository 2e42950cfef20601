package schoolfile

import (
	"encoding/json"
	"math/big"
	"strings"
	"time"

	"lyceum/app"
	"lyceum/domain/activity"
	"lyceum/domain/event"
	"lyceum/domain/fault"
	"lyceum/domain/quiz"
)

func (c *conversion) quiz(at string, d quizDoc) app.QuizPlan {
	p := app.QuizPlan{ID: c.id(at+".id", d.ID), Name: d.Name, CreatedAt: c.time(at+".created_at", d.CreatedAt)}
	for _, q := range d.Questions {
		plan := app.QuestionPlan{Text: q.Text}
		for _, choice := range q.Choices {
			plan.Choices = append(plan.Choices, quiz.Choice{Text: choice.Text, Correct: choice.Correct})
		}
		p.Questions = append(p.Questions, plan)
	}
	return p
}

func (c *conversion) activity(at string, d activityDoc) app.ActivityPlan {
	return app.ActivityPlan{
		ID: c.id(at+".id", d.ID), Title: d.Title, Length: check(c, at+".seconds", d.Seconds, length),
		Quiz: d.Quiz, Assignment: d.Assignment, CreatedAt: c.time(at+".created_at", d.CreatedAt),
	}
}

// length returns the length of a video; 0 is none.
func length(seconds int64) (time.Duration, error) {
	if longest := int64(activity.MaxLength / time.Second); seconds < 0 || seconds > longest {
		return 0, fault.Invalidf("", "must be from 1 to %d", longest)
	}
	return time.Duration(seconds) * time.Second, nil
}

func (c *conversion) fact(at string, d factDoc) app.FactPlan {
	return app.FactPlan{
		Email: d.Email, Did: check(c, at+".did", d.Did, app.ParseDeed),
		Activity: d.Activity, At: c.time(at+".at", d.At),
		Fraction: check(c, at+".fraction", d.Fraction, fraction),
		Question: d.Question, Chosen: d.Chosen,
		File: app.FilePlan{Name: d.File.Name, MediaType: d.File.MediaType, Text: d.File.Text},
	}
}

// fraction returns what a number says of a video; one that is absent is 0.
func fraction(written json.Number) (event.Fraction, error) {
	if written == "" {
		return 0, nil
	}
	none := fault.Invalidf("", "is not a number such as 0.75")
	if strings.ContainsAny(written.String(), "eE") { // a huge exponent would make a huge number
		return 0, none
	}
	r, ok := new(big.Rat).SetString(written.String())
	if !ok {
		return 0, none
	}
	return event.NewFraction(r)
}

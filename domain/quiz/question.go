package quiz

import (
	"fmt"
	"slices"

	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// QuestionID identifies a question.
type QuestionID struct{ uuid.UUID }

// Question is one question of a quiz with its choices, of which at least one is
// correct.
type Question struct {
	ID      QuestionID
	Key     string // a slug (text.Slug), of which a quiz has no two alike; it never changes
	Text    string // text.Prose
	Choices []Choice
}

// Choice is one of the answers that a question offers; no two of a question are
// alike (text.Key).
type Choice struct {
	Text    string // text.Name
	Correct bool
}

// The bounds of a question's choices.
const (
	MinChoices = 2
	MaxChoices = 50
)

// check returns the question with its texts trimmed, or all that is wrong with it.
func (q Question) check() (Question, error) {
	_, errKey := text.Slug("key", q.Key)
	words, errText := text.Prose("text", q.Text)
	errs := []error{errKey, errText}
	if n := len(q.Choices); n < MinChoices || n > MaxChoices {
		errs = append(errs, fault.Invalidf("choices", "must be %d to %d", MinChoices, MaxChoices))
	}
	checked := Question{ID: q.ID, Key: q.Key, Text: words, Choices: make([]Choice, len(q.Choices))}
	seen := map[string]bool{}
	for i, c := range q.Choices {
		place := fmt.Sprintf("choices[%d].text", i)
		words, err := text.Name(place, c.Text)
		if err == nil && seen[text.Key(words)] {
			err = fault.Invalidf(place, "is there already")
		}
		seen[text.Key(words)] = true
		checked.Choices[i], errs = Choice{Text: words, Correct: c.Correct}, append(errs, err)
	}
	if len(q.Choices) > 0 && !slices.ContainsFunc(q.Choices, func(c Choice) bool { return c.Correct }) {
		errs = append(errs, fault.Invalidf("choices", "must have a correct one"))
	}
	return checked, fault.Join(errs...)
}

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

// Question is one question of a quiz with its choices, at least one of which is correct.
type Question struct {
	ID      QuestionID
	Key     string // a slug (text.Slug), unique in the quiz; never changes
	Text    string // satisfies text.LongText
	Choices []Choice
}

// Choice is one possible answer to a question. Its text is unique in the question (by
// text.UniqueKey).
type Choice struct {
	Text    string // satisfies text.Name
	Correct bool
}

// The minimum and maximum number of choices of a question.
const (
	MinChoices = 2
	MaxChoices = 50
)

// check returns the question with trimmed texts, or all its faults.
func (q Question) check() (Question, error) {
	_, errKey := text.Slug("key", q.Key)
	words, errText := text.LongText("text", q.Text)
	errs := []error{errKey, errText}
	if n := len(q.Choices); n < MinChoices || n > MaxChoices {
		errs = append(errs, fault.Invalidf("choices", "must have between %d and %d elements", MinChoices, MaxChoices))
	}
	checked := Question{ID: q.ID, Key: q.Key, Text: words, Choices: make([]Choice, len(q.Choices))}
	seen := map[string]bool{}
	for i, c := range q.Choices {
		path := fmt.Sprintf("choices[%d].text", i)
		words, unique, err := text.UniqueName(path, c.Text)
		if err == nil && seen[unique] {
			err = fault.Invalidf(path, "is used more than once")
		}
		seen[unique] = true
		checked.Choices[i], errs = Choice{Text: words, Correct: c.Correct}, append(errs, err)
	}
	if len(q.Choices) > 0 && !slices.ContainsFunc(q.Choices, func(c Choice) bool { return c.Correct }) {
		errs = append(errs, fault.Invalidf("choices", "must include at least one correct choice"))
	}
	return checked, fault.Join(errs...)
}

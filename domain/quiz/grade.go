package quiz

import (
	"fmt"
	"slices"
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// responseSeparator separates the choices of a response.
const responseSeparator = ", "

// Grade grades an answer to the question. chosen contains the texts of the chosen choices in any
// order; they are compared by text.UniqueKey, and repetitions are ignored. The answer is correct if
// it contains exactly the correct choices. Grade also returns the response: the chosen texts as the
// question spells them, in the order of its choices. An empty answer, or a text that is not a
// choice, is Invalid on the field response.
func (q Question) Grade(chosen []string) (response string, correct bool, err error) {
	if len(chosen) == 0 {
		return "", false, fault.Blank("response")
	}
	wanted := map[string]bool{}
	for _, c := range chosen {
		wanted[text.UniqueKey(strings.TrimSpace(c))] = true
	}
	var given []string
	correct = true
	for _, c := range q.Choices {
		is := wanted[text.UniqueKey(c.Text)]
		if is {
			given = append(given, c.Text)
		}
		correct = correct && is == c.Correct
	}
	if len(given) < len(wanted) {
		return "", false, fault.Invalidf("response", "contains a text that is not a choice of the question")
	}
	return strings.Join(given, responseSeparator), correct, nil
}

// Position is the 1-based number of a question among the active questions of its quiz, and the
// number of active questions. An archived question has the number 0.
type Position struct{ Number, Total int }

// PositionOf returns the position of the question with the given id among asked, the ordered list
// of a quiz's active questions.
func PositionOf(asked []Question, id QuestionID) Position {
	return Position{1 + slices.IndexFunc(asked, func(q Question) bool { return q.ID == id }), len(asked)}
}

// String returns the position as it appears in documents, such as 2/5.
func (p Position) String() string { return fmt.Sprintf("%d/%d", p.Number, p.Total) }

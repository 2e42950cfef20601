package quiz

import (
	"fmt"
	"slices"
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// responseJoint separates the choices of a response.
const responseJoint = ", "

// Grade grades an answer to the question: the texts of the chosen choices, in any order, compared
// by text.UniqueKey and without regard to repetitions. The answer is correct if it consists of all
// correct choices and no other. The response is the chosen texts as the question has them, in its
// order. An empty answer and a text that is not a choice are Invalid on the field response.
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
		return "", false, fault.Invalidf("response", "is not one of the choices of the question")
	}
	return strings.Join(given, responseJoint), correct, nil
}

// Position is the 1-based number of a question among the active questions of its quiz, and their
// total. The number of an archived question is 0.
type Position struct{ Number, Total int }

// PositionOf returns the position of the question id among asked, the active questions of a quiz in
// their order.
func PositionOf(asked []Question, id QuestionID) Position {
	return Position{1 + slices.IndexFunc(asked, func(q Question) bool { return q.ID == id }), len(asked)}
}

// String returns the position as documents show it, such as 2/5.
func (p Position) String() string { return fmt.Sprintf("%d/%d", p.Number, p.Total) }

package quiz

import (
	"fmt"
	"slices"
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// responseJoint stands between the choices of a response.
const responseJoint = ", "

// Grade marks an answer to the question, which is the texts of the chosen
// choices in any order (text.Key tells which; twice the same is once). It is
// correct when all correct choices are chosen and no other. The response is the
// chosen texts as the question writes them, in its order. To choose nothing, or
// what is not offered, is Invalid on the field response.
func (q Question) Grade(chosen []string) (response string, correct bool, err error) {
	if len(chosen) == 0 {
		return "", false, fault.Blank("response")
	}
	wanted := map[string]bool{}
	for _, c := range chosen {
		wanted[text.Key(strings.TrimSpace(c))] = true
	}
	var given []string
	correct = true
	for _, c := range q.Choices {
		is := wanted[text.Key(c.Text)]
		if is {
			given = append(given, c.Text)
		}
		correct = correct && is == c.Correct
	}
	if len(given) < len(wanted) {
		return "", false, fault.Invalidf("response", "is not among the choices of the question")
	}
	return strings.Join(given, responseJoint), correct, nil
}

// Position is a question's number, from 1, among the questions of its quiz.
type Position struct{ Number, Total int }

// PositionOf returns the position of the question id among asked, the questions that
// a quiz asks, in their order. The number is 0 when the quiz does not ask the
// question any longer.
func PositionOf(asked []Question, id QuestionID) Position {
	return Position{1 + slices.IndexFunc(asked, func(q Question) bool { return q.ID == id }), len(asked)}
}

// String returns the position as documents show it, such as 2/5.
func (p Position) String() string { return fmt.Sprintf("%d/%d", p.Number, p.Total) }

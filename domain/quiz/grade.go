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

// Grade grades an answer to the question. chosen contains the texts of the chosen choices, like the
// argument of Chosen. The answer is correct if it contains exactly the correct choices. Grade also
// returns the response: the result of Chosen as one text. Its faults are those of Chosen.
func (q Question) Grade(chosen []string) (response string, correct bool, err error) {
	given, err := q.Chosen(chosen)
	if err != nil {
		return "", false, err
	}
	right := 0
	for _, c := range q.Choices {
		if c.Correct {
			right++
		}
	}
	correct = len(given) == right
	texts := make([]string, len(given))
	for i, c := range given {
		texts[i] = c.Text
		correct = correct && c.Correct
	}
	return strings.Join(texts, responseSeparator), correct, nil
}

// Chosen returns the choices with the given texts, in the order of the question. The texts can have
// any order; they are compared by text.UniqueKey, and repetitions are ignored. An empty answer, or a
// text that is not a choice, is Invalid on the field response.
func (q Question) Chosen(texts []string) ([]Choice, error) {
	if len(texts) == 0 {
		return nil, fault.Blank("response")
	}
	chosen := make([]bool, len(q.Choices))
	var keys []string // of the choices; computing them takes long, so only if a text has another spelling
	for _, t := range texts {
		t = strings.TrimSpace(t)
		i := slices.IndexFunc(q.Choices, func(c Choice) bool { return c.Text == t })
		if i < 0 {
			if keys == nil {
				keys = q.choiceKeys()
			}
			i = slices.Index(keys, text.UniqueKey(t))
		}
		if i < 0 {
			return nil, fault.Invalidf("response", "contains a text that is not a choice of the question")
		}
		chosen[i] = true
	}
	var given []Choice
	for i, c := range q.Choices {
		if chosen[i] {
			given = append(given, c)
		}
	}
	return given, nil
}

func (q Question) choiceKeys() []string {
	keys := make([]string, len(q.Choices))
	for i, c := range q.Choices {
		keys[i] = text.UniqueKey(c.Text)
	}
	return keys
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

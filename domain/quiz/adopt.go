package quiz

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
)

// Adopt gives the quiz the questions of a record of it from elsewhere, those that
// it asks there and those that are archived there, under Revise's rules. Of
// questions that the record does not tell of, those that the quiz asks come
// behind the record's, and nothing is forgotten. It tells whether anything has
// changed.
func (q *Quiz) Adopt(asked, archived []Question, newID func() uuid.UUID, now time.Time) (changed bool, err error) {
	told := map[string]bool{}
	for _, question := range slices.Concat(asked, archived) {
		told[question.Key] = true
	}
	next := Quiz{q.s}
	all := slices.Clone(asked)
	for _, old := range q.s.Questions {
		if !told[old.Key] {
			all = append(all, old)
		}
	}
	if _, err := next.Revise(q.s.Name, all, true, newID, now); err != nil {
		return false, err
	}
	if err := next.reword(len(asked), archived, newID); err != nil {
		return false, err
	}
	if next.s.Same(q.s) && slices.EqualFunc(next.s.Archived, q.s.Archived, same) {
		return false, nil
	}
	next.s.UpdatedAt = now
	*q = next
	return true, nil
}

// reword gives archived questions, which stand behind others, the words and
// choices that are told, and takes those that the quiz has not.
func (q *Quiz) reword(behind int, archived []Question, newID func() uuid.UUID) error {
	q.s.Archived = slices.Clone(q.s.Archived)
	seen := map[string]bool{}
	for _, asked := range q.s.Questions {
		seen[asked.Key] = true
	}
	errs := make([]error, len(archived))
	for i, told := range archived {
		checked, err := told.check()
		if told.Key != "" && seen[told.Key] {
			err = fault.Join(fault.Invalidf("key", "is there already"), err)
		}
		seen[told.Key] = true
		errs[i] = fault.Within(fmt.Sprintf("questions[%d]", behind+i), err)
		at := slices.IndexFunc(q.s.Archived, func(old Question) bool { return old.Key == told.Key })
		if at < 0 {
			checked.ID = QuestionID{newID()}
			q.s.Archived = append(q.s.Archived, checked)
			continue
		}
		checked.ID = q.s.Archived[at].ID
		q.s.Archived[at] = checked
	}
	slices.SortFunc(q.s.Archived, func(a, b Question) int { return strings.Compare(a.Key, b.Key) })
	return fault.Join(errs...)
}

package quiz

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
)

// Merge applies the active and archived questions that a file contains for the quiz, under the
// rules of Update. Active questions that are missing from the file are kept and placed after the
// questions of the file; nothing is deleted. Merge reports whether the quiz changed.
func (q *Quiz) Merge(asked, archived []Question, newID func() uuid.UUID, now time.Time) (changed bool, err error) {
	inFile := map[string]bool{}
	for _, question := range slices.Concat(asked, archived) {
		inFile[question.Key] = true
	}
	next := Quiz{q.s}
	all := slices.Clone(asked)
	for _, old := range q.s.Questions {
		if !inFile[old.Key] {
			all = append(all, old)
		}
	}
	if _, err := next.Update(q.s.Name, all, true, newID, now); err != nil {
		return false, err
	}
	if err := next.updateArchived(len(asked), archived, newID); err != nil {
		return false, err
	}
	if err := checkArchived(q.s.Archived, next.s.Archived); err != nil {
		return false, err
	}
	if next.s.Same(q.s) && slices.EqualFunc(next.s.Archived, q.s.Archived, same) {
		return false, nil
	}
	next.s.UpdatedAt = now
	*q = next
	return true, nil
}

// updateArchived updates the existing archived questions and adds the missing ones. In the paths of
// faults, their indexes start at first, the number of active questions in the file.
func (q *Quiz) updateArchived(first int, archived []Question, newID func() uuid.UUID) error {
	q.s.Archived = slices.Clone(q.s.Archived)
	seen := map[string]bool{}
	for _, asked := range q.s.Questions {
		seen[asked.Key] = true
	}
	errs := make([]error, len(archived))
	for i, question := range archived {
		checked, err := question.check()
		if question.Key != "" && seen[question.Key] {
			err = fault.Join(fault.Invalidf("key", "is used more than once"), err)
		}
		seen[question.Key] = true
		errs[i] = fault.InPath(fmt.Sprintf("questions[%d]", first+i), err)
		at := slices.IndexFunc(q.s.Archived, func(old Question) bool { return old.Key == question.Key })
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

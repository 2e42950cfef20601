package app

import (
	"fmt"
	"strings"
	"time"

	"lyceum/app/transfer"
	"lyceum/domain/activity"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

func (m *importing) activity(l *transfer.Activity) error {
	created, updated := m.times(l.CreatedAt, l.UpdatedAt)
	in, errCourse := m.taught(l.Course)
	content, errContent := m.content(l)
	place := m.place(l, in.ID)
	a, errTitle := activity.New(activity.ID{UUID: m.ids.New()}, in.ID, place, l.Title, content, created)
	if errContent != nil {
		// It would blame the content once more.
		_, errTitle = text.Name("title", l.Title)
	}
	if err := fault.Join(errCourse, errContent, errTitle); err != nil {
		return err
	}
	s := a.State()
	name, err := called(s.Title, l.Nth)
	if err != nil {
		return err
	}
	key := step{in.Permalink, name}
	known, err := claim(m.activities, key, m.line)
	if err != nil {
		return err
	}
	if known != nil {
		m.leave(l.Kind, known.is.Content == s.Content)
		return nil
	}
	if err := before(name, func(t title) bool { return m.activities[step{in.Permalink, t}] != nil }); err != nil {
		return err
	}
	s.UpdatedAt = updated
	if !l.ArchivedAt.IsZero() {
		s.ArchivedAt, s.Position = &l.ArchivedAt.Time, 0
	} else {
		m.steps[in.ID]++
	}
	bring(m.activities, key, s, m.line)
	m.grown = m.grown || m.begun[in.ID] || m.courses[in.Permalink].old
	m.batch.Activities = append(m.batch.Activities, activity.Restore(s))
	m.created(l.Kind, 1)
	return nil
}

// place returns where the activity of a line stands in its course: behind those
// that are there, unless the line says where.
func (m *importing) place(l *transfer.Activity, in course.ID) activity.Place {
	p := activity.Place{Key: l.Key, Position: l.Position}
	if p.Key == "" {
		p.Key = text.Slugify(l.Title)
		if l.Nth > 1 || p.Key == "" {
			p.Key = strings.Trim(fmt.Sprintf("%s-%d", p.Key, max(l.Nth, m.steps[in]+1)), "-")
		}
	}
	if p.Position == 0 {
		p.Position = m.steps[in] + 1
	}
	return p
}

// content returns what an activity's line says that it holds.
func (m *importing) content(l *transfer.Activity) (activity.Content, error) {
	kind, err := activity.ParseKind(l.Type)
	if err != nil {
		return activity.Content{}, fault.At("type", err)
	}
	var errs []error
	for _, of := range []struct {
		member string
		kind   activity.Kind
		given  bool
	}{
		{"seconds", activity.Video, l.Seconds != 0},
		{"quiz", activity.Quiz, l.Quiz != "" || l.QuizNth != 0},
		{"assignment", activity.Assignment, l.Assignment != "" || l.AssignmentNth != 0},
	} {
		if of.given && of.kind != kind {
			errs = append(errs, fault.Invalidf(of.member, "is for the type %s only", of.kind))
		}
	}
	content := activity.Content{Kind: kind}
	switch kind {
	case activity.Video:
		if l.Seconds < 1 || l.Seconds > int64(activity.MaxLength/time.Second) {
			errs = append(errs, fault.Invalidf("seconds", "must be from 1 to %d", int(activity.MaxLength/time.Second)))
		}
		content.Length = time.Duration(l.Seconds) * time.Second
	case activity.Quiz:
		is, err := find(m.quizzes, shown(title{l.Quiz, l.QuizNth}), "quiz", "quiz", numbered(l.Quiz, l.QuizNth))
		content.Quiz, errs = is.ID, append(errs, err)
	case activity.Assignment:
		is, err := find(m.assignments, shown(title{l.Assignment, l.AssignmentNth}), "assignment", "assignment",
			numbered(l.Assignment, l.AssignmentNth))
		content.Assignment, errs = is, append(errs, err)
	}
	return content, fault.Join(errs...)
}

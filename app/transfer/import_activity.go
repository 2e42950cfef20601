package transfer

import (
	"cmp"
	"math"
	"time"

	"lyceum/app/transfer/format"
	"lyceum/domain/activity"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// coursePosition is a position in a course.
type coursePosition struct {
	course   course.ID
	position int
}

// activity takes an activity. One with a key is known by it, one without by what
// lines call it.
func (m *importing) activity(l *format.Activity) error {
	in, errCourse := m.taught(l.Course)
	content, errContent := m.content(l)
	var errPosition error
	if l.Position < 0 || l.Position > math.MaxInt32 {
		errPosition = fault.Invalidf("position", "must be 1 or more")
	}
	words, errTitle := text.Name("title", l.Title)
	if err := fault.Join(errCourse, errContent, errPosition, errTitle); err != nil {
		return err
	}
	name, err := called(words, l.Nth)
	if err != nil {
		return err
	}
	place := step{in.Permalink, name}
	known := m.activities[place]
	if l.Key != "" {
		known = m.keys[in.ID][l.Key]
	}
	for _, other := range []*lesson{known, m.activities[place]} {
		if other != nil && other.line > 0 {
			return fault.Invalidf("", "line %d tells of the same", other.line)
		}
	}
	at := coursePosition{in.ID, l.Position}
	if l.Position > 0 && l.ArchivedAt.IsZero() {
		if line := m.positions[at]; line > 0 {
			return fault.Invalidf("position", "is %d, as that of line %d", l.Position, line)
		}
		m.positions[at] = m.line
	}
	if known != nil {
		return m.changeActivity(l, known, place, content)
	}
	if err := before(name, func(t title) bool { return m.activities[step{in.Permalink, t}] != nil }); err != nil {
		return err
	}
	return m.addActivity(l, in, place, content)
}

func (m *importing) addActivity(l *format.Activity, in course.State, place step, content activity.Content) error {
	created, updated := m.times(l.CreatedAt, l.UpdatedAt)
	p := activity.Place{Key: l.Key, Position: l.Position}
	if p.Key == "" {
		p.Key = activity.KeyFor(l.Title, func(key string) bool { return m.keys[in.ID][key] != nil })
	}
	if p.Position == 0 {
		p.Position = m.steps[in.ID] + 1
	}
	a, err := activity.New(activity.ID{UUID: m.id(l.Kind, l.ID)}, in.ID, p, l.Title, content, created)
	if err != nil {
		return err
	}
	s := a.State()
	s.UpdatedAt = updated
	if !l.ArchivedAt.IsZero() {
		s.ArchivedAt, s.Position = &l.ArchivedAt.Time, 0
	}
	m.teach(&lesson{is: s, name: place, line: m.line})
	if m.courses[in.Permalink].old {
		m.pending.tell(lessonLine{is: s, line: m.line, position: l.Position, added: true}, true)
	} else {
		m.grown = m.grown || m.begun[in.ID]
	}
	m.batch.Activities = append(m.batch.Activities, activity.Restore(s))
	m.created(l.Kind, 1)
	return nil
}

// changeActivity makes an activity that the school has as its line tells; what it
// means for the course is settled later.
func (m *importing) changeActivity(l *format.Activity, known *lesson, place step, content activity.Content) error {
	a := activity.Restore(known.is)
	position := cmp.Or(l.Position, known.is.Position)
	var archived *time.Time
	if !l.ArchivedAt.IsZero() {
		archived = &l.ArchivedAt.Time
	}
	if err := a.Revise(l.Title, content, position, archived, m.now); err != nil {
		return err
	}
	was := known.is
	known.line = m.line
	m.rename(known, place)
	m.show(was, -1)
	known.is = a.State()
	m.show(known.is, 1)
	m.pending.tell(lessonLine{was: was, is: known.is, line: m.line, position: l.Position}, known.is != was)
	return nil
}

// content returns what an activity's line says that it holds.
func (m *importing) content(l *format.Activity) (activity.Content, error) {
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
		content.Assignment, errs = is.ID, append(errs, err)
	}
	return content, fault.Join(errs...)
}

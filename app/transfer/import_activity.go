package transfer

import (
	"cmp"
	"context"
	"math"
	"time"

	"lyceum/app/transfer/format"
	"lyceum/domain/activity"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// coursePosition is the position of an activity in its course.
type coursePosition struct {
	course   course.ID
	position int
}

// importActivity imports an activity. It is identified by its key, or by its name if the line has
// no key.
func (m *importer) importActivity(ctx context.Context, l *format.Activity) error {
	in, errCourse := m.courseByPermalink(l.Course)
	content, errContent := m.content(l)
	var errPosition error
	if l.Position < 0 || l.Position > math.MaxInt32 {
		errPosition = fault.Invalidf("position", "must be between 1 and %d", math.MaxInt32)
	}
	words, errTitle := text.Name("title", l.Title)
	if err := fault.Join(errCourse, errContent, errPosition, errTitle); err != nil {
		return err
	}
	name, err := ordinalNameOf(words, l.Nth)
	if err != nil {
		return err
	}
	key := activityName{in.Permalink, name}
	known := m.activities[key]
	if l.Key != "" {
		known = m.keys[in.ID][l.Key]
	}
	for _, other := range []*indexedActivity{known, m.activities[key]} {
		if other != nil && other.line > 0 {
			return fault.Invalidf("", "duplicates line %d", other.line)
		}
	}
	at := coursePosition{in.ID, l.Position}
	if l.Position > 0 && l.ArchivedAt.IsZero() {
		if line := m.positions[at]; line > 0 {
			return fault.Invalidf("position", "%d is already used in line %d", l.Position, line)
		}
		m.positions[at] = m.line
	}
	var was activity.Content
	if known != nil {
		was = known.state.Content
	}
	content.Text, content.VideoURL = fieldOr(l.Text, was.Text), fieldOr(l.VideoURL, "")
	if l.VideoURL == nil && content.Kind == activity.Video {
		content.VideoURL = was.VideoURL
	}
	if known != nil {
		return m.changeActivity(ctx, l, in, known, key, content)
	}
	if err := checkPrecedingOrdinal(name, func(t ordinalName) bool { return m.activities[activityName{in.Permalink, t}] != nil }); err != nil {
		return err
	}
	return m.addActivity(ctx, l, in, key, content)
}

func (m *importer) addActivity(ctx context.Context, l *format.Activity, in course.State, key activityName, content activity.Content) error {
	created, updated := m.timestamps(l.CreatedAt, l.UpdatedAt)
	p := activity.Slot{Key: l.Key, Position: l.Position}
	if p.Key == "" {
		p.Key = activity.KeyFor(l.Title, func(key string) bool { return m.keys[in.ID][key] != nil })
	}
	if p.Position == 0 {
		p.Position = m.visible[in.ID] + 1
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
	if m.courses[in.Permalink].existing {
		if err := m.mayChangeCourse(ctx, in, in, true); err != nil {
			return m.registerActivityVerdict(&indexedActivity{state: s, name: key, line: m.line}, err)
		}
	}
	m.registerActivity(&indexedActivity{state: s, name: key, line: m.line})
	if m.courses[in.Permalink].existing {
		m.pending.record(activityLine{after: s, line: m.line, position: l.Position, added: true}, true)
	} else {
		m.progressChanged = m.progressChanged || m.startedCourses[in.ID]
	}
	m.batch.Activities = append(m.batch.Activities, activity.Restore(s))
	m.created(l.Kind, 1)
	return nil
}

// changeActivity updates an existing activity. applyStructureChanges saves the change later, with
// the structure of the course.
func (m *importer) changeActivity(
	ctx context.Context, l *format.Activity, in course.State, known *indexedActivity, key activityName, content activity.Content,
) error {
	a := activity.Restore(known.state)
	position := cmp.Or(l.Position, known.state.Position)
	var archived *time.Time
	if !l.ArchivedAt.IsZero() {
		archived = &l.ArchivedAt.Time
	}
	if err := a.Update(l.Title, content, position, archived, m.now); err != nil {
		return err
	}
	was := known.state
	known.line = m.line
	if a.State() != was {
		if err := m.mayChangeCourse(ctx, in, in, true); err != nil {
			return err
		}
	}
	m.rename(known, key)
	m.countVisible(was, -1)
	known.state = a.State()
	m.countVisible(known.state, 1)
	m.pending.record(activityLine{before: was, after: known.state, line: m.line, position: l.Position}, known.state != was)
	return nil
}

// fieldOr returns the value of an optional field of a line. If the line omits the field, it returns
// the argument otherwise.
func fieldOr(field *string, otherwise string) string {
	if field == nil {
		return otherwise
	}
	return *field
}

// content returns the content of an activity's line, without its text and the address of its video.
func (m *importer) content(l *format.Activity) (activity.Content, error) {
	kind, err := activity.ParseKind(l.Type)
	if err != nil {
		return activity.Content{}, fault.OnField("type", err)
	}
	var errs []error
	for _, of := range []struct {
		member string
		kind   activity.Kind
		given  bool
	}{
		{"seconds", activity.Video, l.Seconds != 0},
		{"video_url", activity.Video, l.VideoURL != nil},
		{"quiz", activity.Quiz, l.Quiz != "" || l.QuizNth != 0},
		{"assignment", activity.Assignment, l.Assignment != "" || l.AssignmentNth != 0},
	} {
		if of.given && of.kind != kind {
			errs = append(errs, fault.Invalidf(of.member, "is allowed only for the type %s", of.kind))
		}
	}
	if kind == activity.Video {
		errs = append(errs, activity.CheckVideoURL(fieldOr(l.VideoURL, "")))
	}
	errs = append(errs, activity.CheckText(fieldOr(l.Text, "")))
	content := activity.Content{Kind: kind}
	switch kind {
	case activity.Video:
		if l.Seconds < 1 || l.Seconds > int64(activity.MaxDuration/time.Second) {
			errs = append(errs, fault.Invalidf("seconds", "must be between 1 and %d", int(activity.MaxDuration/time.Second)))
		}
		content.Duration = time.Duration(l.Seconds) * time.Second
	case activity.Quiz:
		is, err := find(m.quizzes, omitFirst(ordinalName{l.Quiz, l.QuizNth}), "quiz", "quiz", withOrdinal(l.Quiz, l.QuizNth))
		content.Quiz, errs = is.ID, append(errs, err)
	case activity.Assignment:
		is, err := find(m.assignments, omitFirst(ordinalName{l.Assignment, l.AssignmentNth}), "assignment", "assignment",
			withOrdinal(l.Assignment, l.AssignmentNth))
		content.Assignment, errs = is.ID, append(errs, err)
	}
	return content, fault.Join(errs...)
}

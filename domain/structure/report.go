package structure

import (
	"maps"

	"lyceum/domain/activity"
)

func (s Structure) copy() Structure {
	s.Activities, s.Archived = append([]activity.State(nil), s.Activities...), append([]activity.State(nil), s.Archived...)
	s.Quizzes, s.Assignments = maps.Clone(s.Quizzes), maps.Clone(s.Assignments)
	return s
}

// report records the effect of the plan on each activity.
func (r *reviser) report() {
	before := r.was.byKey()
	for _, now := range r.After.Activities {
		was, existed := before[now.Key]
		switch what := r.differences(was, now); {
		case !existed:
			r.Report.Created = append(r.Report.Created, entryOf(now))
		case was.Archived():
			r.Report.Restored = append(r.Report.Restored, entryOf(now))
		case len(what) > 0:
			r.Report.Changed = append(r.Report.Changed, Change{entryOf(now), what})
		default:
			r.Report.Unchanged++
		}
	}
}

// differences returns the names of the attributes that change.
func (r *reviser) differences(was, now activity.State) []string {
	quizBefore, quizNow := r.was.Quizzes[was.Content.Quiz], r.After.Quizzes[now.Content.Quiz]
	taskBefore, taskNow := r.was.Assignments[was.Content.Assignment], r.After.Assignments[now.Content.Assignment]
	var what []string
	for _, part := range []struct {
		name    string
		differs bool
	}{
		{"title", was.Title != now.Title},
		{"kind", was.Content.Kind != now.Content.Kind},
		{"duration", was.Content.Duration != now.Content.Duration},
		{"video_url", was.Content.VideoURL != now.Content.VideoURL},
		{"text", was.Content.Text != now.Content.Text},
		{"position", was.Position != now.Position},
		{"quiz", quizBefore.ID != quizNow.ID || !quizBefore.Same(quizNow)},
		{"assignment", taskBefore.ID != taskNow.ID || taskBefore.Title != taskNow.Title},
	} {
		if part.differs {
			what = append(what, part.name)
		}
	}
	return what
}

package bodies

import (
	"fmt"
	"slices"
	"strings"
)

// Types of events.
const (
	Viewed = "learner_viewed_activity_events"
	Video  = "learner_viewed_video_activity_events"
)

// LearnerDocument returns the document of one action of a person. Further relationships are given
// as pairs of a name and an id.
func LearnerDocument(typ, attributes, person string, others ...string) string {
	types := map[string]string{"activity": "activities", "question": "questions"}
	related := []string{`"person":{"data":{"type":"people","id":"` + person + `"}}`}
	for i := 0; i < len(others); i += 2 {
		related = append(related, fmt.Sprintf(`%q:{"data":{"type":%q,"id":%q}}`, others[i], types[others[i]], others[i+1]))
	}
	return fmt.Sprintf(`{"data":{"type":%q,"attributes":{%s},"relationships":{%s}}}`, typ, attributes, strings.Join(related, ","))
}

// LearnerBatch returns the document of several actions. Each argument is the document of one
// action.
func LearnerBatch(actions ...string) string {
	actions = slices.Clone(actions)
	for i, f := range actions {
		actions[i] = strings.TrimSuffix(strings.TrimPrefix(f, `{"data":`), "}")
	}
	return `{"data":[` + strings.Join(actions, ",") + `]}`
}

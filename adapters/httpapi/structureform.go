package httpapi

import (
	"time"

	"github.com/google/uuid"
	"lyceum/app"
	"lyceum/domain/activity"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
)

// structureAttributes is a structure in the form in which PUT takes one as well.
type structureAttributes struct {
	Activities         []structureActivity `json:"activities"`
	ArchivedActivities []archivedActivity  `json:"archived_activities"`
}

// fullQuizzes is how many bytes of quizzes (quiz.State.Size) a structure shows.
// Quizzes grow in other courses too, after the domain has allowed a course to show
// them.
const fullQuizzes = 16 << 20

// structureActivity has no id, and neither has what it holds, when nothing was
// kept of it.
type structureActivity struct {
	Key        string               `json:"key"`
	ID         string               `json:"id,omitempty"`
	Title      string               `json:"title"`
	Kind       string               `json:"kind"`
	Duration   int64                `json:"duration,omitempty"`
	Quiz       *structureQuiz       `json:"quiz,omitempty"`
	Assignment *structureAssignment `json:"assignment,omitempty"`
}

// structureQuiz has an id alone behind fullQuizzes. PUT leaves such a quiz as it is.
type structureQuiz struct {
	ID        string              `json:"id,omitempty"`
	Name      string              `json:"name,omitempty"`
	Questions []structureQuestion `json:"questions,omitempty"`
}

type structureQuestion struct {
	Key     string            `json:"key"`
	ID      string            `json:"id,omitempty"` // by which answers name it
	Text    string            `json:"text"`
	Choices []structureChoice `json:"choices"`
}

type structureChoice struct {
	Text    string `json:"text"`
	Correct bool   `json:"correct"`
}

type structureAssignment struct {
	ID    string `json:"id,omitempty"`
	Title string `json:"title"`
}

type archivedActivity struct {
	Key        string `json:"key"`
	ID         string `json:"id"`
	Title      string `json:"title"`
	Kind       string `json:"kind"`
	ArchivedAt string `json:"archived_at"`
}

// newStructureAttributes shows quizzes with their questions as long as they have
// at most full bytes together, and in any case those that are in unkept, which
// have no id.
func newStructureAttributes(s structure.Structure, unkept map[uuid.UUID]bool, full int) structureAttributes {
	id := func(id uuid.UUID) string {
		if unkept[id] {
			return ""
		}
		return id.String()
	}
	made := structureAttributes{Activities: []structureActivity{}, ArchivedActivities: []archivedActivity{}}
	quizzes, size := map[quiz.ID]*structureQuiz{}, 0
	for _, a := range s.Activities {
		form := structureActivity{
			Key: a.Key, ID: id(a.ID.UUID), Title: a.Title, Kind: a.Content.Kind.String(),
			Duration: int64(a.Content.Length / time.Second),
		}
		if q, ok := s.Quizzes[a.Content.Quiz]; ok {
			form.Quiz = quizzes[q.ID]
			if form.Quiz == nil {
				form.Quiz = &structureQuiz{ID: id(q.ID.UUID), Name: q.Name, Questions: questionForms(q.Questions, id)}
				quizzes[q.ID] = form.Quiz
			}
			if size += q.Size(); size > full && form.Quiz.ID != "" {
				form.Quiz = &structureQuiz{ID: form.Quiz.ID}
			}
		}
		if w, ok := s.Assignments[a.Content.Assignment]; ok {
			form.Assignment = &structureAssignment{ID: id(w.ID.UUID), Title: w.Title}
		}
		made.Activities = append(made.Activities, form)
	}
	for _, a := range s.Archived {
		made.ArchivedActivities = append(made.ArchivedActivities, archivedActivity{
			Key: a.Key, ID: a.ID.String(), Title: a.Title, Kind: a.Content.Kind.String(), ArchivedAt: timestamp(*a.ArchivedAt),
		})
	}
	return made
}

func questionForms(questions []quiz.Question, id func(uuid.UUID) string) []structureQuestion {
	forms := make([]structureQuestion, len(questions))
	for i, q := range questions {
		forms[i] = structureQuestion{
			Key: q.Key, ID: id(q.ID.UUID), Text: q.Text, Choices: make([]structureChoice, len(q.Choices)),
		}
		for j, c := range q.Choices {
			forms[i].Choices[j] = structureChoice{Text: c.Text, Correct: c.Correct}
		}
	}
	return forms
}

// restructuredAttributes is a structure with what became of it.
type restructuredAttributes struct {
	DryRun    bool              `json:"dry_run"`
	Created   []structureEntry  `json:"created"`
	Restored  []structureEntry  `json:"restored"`
	Changed   []structureChange `json:"changed"`
	Archived  []structureEntry  `json:"archived"`
	Deleted   []structureEntry  `json:"deleted"`
	Unchanged int               `json:"unchanged"`
	structureAttributes
}

type structureEntry struct {
	Key  string `json:"key"`
	Kind string `json:"kind"`
}

type structureChange struct {
	structureEntry
	Attributes []string `json:"attributes"`
}

func newRestructuredAttributes(done app.Restructured, dry bool) restructuredAttributes {
	r := done.Report
	made := restructuredAttributes{
		DryRun: dry, Created: entries(r.Created), Restored: entries(r.Restored), Changed: []structureChange{},
		Archived: entries(r.Archived), Deleted: entries(r.Deleted), Unchanged: r.Unchanged,
		structureAttributes: newStructureAttributes(done.After, done.Unkept, fullQuizzes),
	}
	for _, c := range r.Changed {
		made.Changed = append(made.Changed, structureChange{entryForm(c.Key, c.Kind), c.What})
	}
	return made
}

func entries(of []structure.Entry) []structureEntry {
	forms := make([]structureEntry, len(of))
	for i, e := range of {
		forms[i] = entryForm(e.Key, e.Kind)
	}
	return forms
}

func entryForm(key string, kind activity.Kind) structureEntry {
	return structureEntry{key, kind.String()}
}

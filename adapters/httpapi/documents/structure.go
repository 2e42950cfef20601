package documents

import (
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/app"
	"lyceum/domain/activity"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
)

// Structure contains the attributes of a structure in the response to GET, which PUT
// accepts too.
type Structure struct {
	Activities         []structureActivity `json:"activities"`
	ArchivedActivities []archivedActivity  `json:"archived_activities"`
}

// maxContentBytes is the maximum total size of the texts and quizzes (quiz.State.Size) in a
// document. A stored structure can exceed it: its quizzes can grow through changes in other
// courses, and an import does not limit the size.
const maxContentBytes = 16 << 20

// structureActivity is an activity with its quiz or assignment. It has no IDs if a dry run created
// it. Once the document has reached maxContentBytes, further activities have no text; PUT does not
// change such a text.
type structureActivity struct {
	Key        string               `json:"key"`
	ID         string               `json:"id,omitempty"`
	Title      string               `json:"title"`
	Kind       string               `json:"kind"`
	Duration   int64                `json:"duration,omitempty"`
	VideoURL   string               `json:"video_url,omitempty"`
	Text       string               `json:"text,omitempty"`
	Quiz       *structureQuiz       `json:"quiz,omitempty"`
	Assignment *structureAssignment `json:"assignment,omitempty"`
}

// structureQuiz is a quiz. Once the document has reached maxContentBytes, further quizzes have only
// an ID; PUT does not change such a quiz.
type structureQuiz struct {
	ID        string              `json:"id,omitempty"`
	Name      string              `json:"name,omitempty"`
	Questions []structureQuestion `json:"questions,omitempty"`
}

type structureQuestion struct {
	Key     string            `json:"key"`
	ID      string            `json:"id,omitempty"` // answers refer to this ID
	Text    string            `json:"text"`
	Choices []structureChoice `json:"choices"`
}

type structureChoice struct {
	Text    string `json:"text"`
	Correct *bool  `json:"correct,omitempty"` // nil for learners
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

// NewStructure returns the attributes of s, with texts and quizzes of at most maxContentBytes.
func NewStructure(s structure.Structure) Structure { return newStructure(s, nil, maxContentBytes) }

// newStructure returns the attributes of s. The texts of activities and the questions of
// quizzes are omitted once their total size exceeds full bytes. Activities and quizzes with
// provisional IDs are always complete, because the document omits these IDs.
func newStructure(s structure.Structure, provisional map[uuid.UUID]bool, full int) Structure {
	id := func(id uuid.UUID) string {
		if provisional[id] {
			return ""
		}
		return id.String()
	}
	made := Structure{Activities: []structureActivity{}, ArchivedActivities: []archivedActivity{}}
	quizzes, size := map[quiz.ID]*structureQuiz{}, 0
	for _, a := range s.Activities {
		form := structureActivity{
			Key: a.Key, ID: id(a.ID.UUID), Title: a.Title, Kind: a.Content.Kind.String(),
			Duration: int64(a.Content.Duration / time.Second), VideoURL: a.Content.VideoURL,
		}
		if size += len(a.Content.Text); size <= full || form.ID == "" {
			form.Text = a.Content.Text
		}
		if q, ok := s.Quizzes[a.Content.Quiz]; ok {
			form.Quiz = quizzes[q.ID]
			if form.Quiz == nil {
				form.Quiz = &structureQuiz{ID: id(q.ID.UUID), Name: q.Name, Questions: newStructureQuestions(q.Questions, id)}
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
			Key: a.Key, ID: a.ID.String(), Title: a.Title, Kind: a.Content.Kind.String(), ArchivedAt: jsonapi.Timestamp(*a.ArchivedAt),
		})
	}
	return made
}

// WithoutSolutions returns the structure as its learners see it: without the archived activities
// and without the marks of correct choices.
func (m Structure) WithoutSolutions() Structure {
	m.ArchivedActivities = []archivedActivity{}
	for _, a := range m.Activities {
		if a.Quiz == nil {
			continue
		}
		for _, q := range a.Quiz.Questions {
			for i := range q.Choices {
				q.Choices[i].Correct = nil
			}
		}
	}
	return m
}

func newStructureQuestions(questions []quiz.Question, id func(uuid.UUID) string) []structureQuestion {
	forms := make([]structureQuestion, len(questions))
	for i, q := range questions {
		forms[i] = structureQuestion{
			Key: q.Key, ID: id(q.ID.UUID), Text: q.Text, Choices: make([]structureChoice, len(q.Choices)),
		}
		for j, c := range q.Choices {
			forms[i].Choices[j] = structureChoice{Text: c.Text, Correct: &c.Correct}
		}
	}
	return forms
}

// StructureUpdate is a structure and the report of its update.
type StructureUpdate struct {
	DryRun    bool              `json:"dry_run"`
	Created   []structureEntry  `json:"created"`
	Restored  []structureEntry  `json:"restored"`
	Changed   []structureChange `json:"changed"`
	Archived  []structureEntry  `json:"archived"`
	Deleted   []structureEntry  `json:"deleted"`
	Unchanged int               `json:"unchanged"`
	Structure
}

type structureEntry struct {
	Key  string `json:"key"`
	Kind string `json:"kind"`
}

type structureChange struct {
	structureEntry
	Attributes []string `json:"attributes"`
}

// NewStructureUpdate returns the attributes of the response to an update.
func NewStructureUpdate(done app.StructureResult, dry bool) StructureUpdate {
	r := done.Report
	made := StructureUpdate{
		DryRun: dry, Created: newStructureEntries(r.Created), Restored: newStructureEntries(r.Restored), Changed: []structureChange{},
		Archived: newStructureEntries(r.Archived), Deleted: newStructureEntries(r.Deleted), Unchanged: r.Unchanged,
		Structure: newStructure(done.After, done.ProvisionalIDs, maxContentBytes),
	}
	for _, c := range r.Changed {
		made.Changed = append(made.Changed, structureChange{newStructureEntry(c.Key, c.Kind), c.Fields})
	}
	return made
}

func newStructureEntries(of []structure.Entry) []structureEntry {
	forms := make([]structureEntry, len(of))
	for i, e := range of {
		forms[i] = newStructureEntry(e.Key, e.Kind)
	}
	return forms
}

func newStructureEntry(key string, kind activity.Kind) structureEntry {
	return structureEntry{key, kind.String()}
}

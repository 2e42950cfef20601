package schoolfile_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/schoolfile"
	"lyceum/domain/analytics"
	"lyceum/domain/event"
	"lyceum/domain/submission"
)

func TestWhatIsTaughtAndLearnedIsTaken(t *testing.T) {
	is := is.New(t)
	a := newApp()
	file, err := schoolfile.Parse("f", []byte(`{"name": "S",
		"people": [{"email": "a@example.test", "activated": true}],
		"quizzes": [{"name": "Q", "questions": [{"text": "T?", "choices": [{"text": "Yes", "correct": true}, {"text": "No"}]}]}],
		"assignments": [{"title": "A"}],
		"courses": [{"name": "C",
			"activities": [{"title": "Read"}, {"title": "Watch", "seconds": 60}, {"title": "Answer", "quiz": "Q"}, {"title": "Hand in", "assignment": "A"}],
			"facts": [
				{"email": "a@example.test", "at": "2026-02-04T10:00:00Z", "did": "completed", "activity": "Read"},
				{"email": "a@example.test", "at": "2026-02-03T10:00:00Z", "did": "watched", "activity": "Watch", "fraction": 0.25},
				{"email": "a@example.test", "at": "2026-02-02T10:00:00Z", "did": "viewed", "activity": "Read"},
				{"email": "a@example.test", "at": "2026-02-05T10:00:00Z", "did": "answered", "activity": "Answer", "question": "T?", "chosen": ["no"]},
				{"email": "a@example.test", "at": "2026-02-06T10:00:00Z", "did": "submitted", "activity": "Hand in",
					"file": {"name": "f.txt", "media_type": "text/plain", "text": "abc"}}
			]}],
		"groups": [{"name": "G", "courses": ["c"], "members": ["a@example.test"]}]
	}`))
	is.NoErr(err)
	who, _ := load(t, a, file.Schools[0])
	rows := list(t, analytics.CourseSchema, who, a.Analytics.Courses)
	is.Equal(len(rows), 1)                    // enrolled by the group
	is.Equal(rows[0].Progress.String(), "75") // the answer and the file complete their activities
	scores := list(t, analytics.ScoreSchema, who, a.Analytics.Scores)
	is.Equal(len(scores), 1)
	is.Equal(scores[0].Score.Completed(), "1/1")
	is.Equal(scores[0].Score.PercentCorrect().String(), "0")
	feed := list(t, event.Schema, who, a.Events.List)
	is.Equal(len(feed), 2)
	is.Equal(feed[0].Kind, event.ViewedActivity) // the earlier one, though it stands behind
	is.Equal(feed[1].Watched.String(), "0.25")
	handed := list(t, submission.Schema, who, a.Submissions.List)
	is.Equal(len(handed), 1)
	is.Equal(handed[0].File, submission.File{Name: "f.txt", MediaType: "text/plain", Size: 3})
}

func TestWhatIsWrongWithWhatIsLearned(t *testing.T) {
	is := is.New(t)
	_, err := schoolfile.Parse("f", []byte(`{"courses": [{
		"activities": [{"seconds": -1}],
		"facts": [{"did": "slept", "fraction": 1e9}, {"at": "noon", "did": "viewed", "fraction": 1.1}]}]}`))
	is.Equal(strings.Split(err.Error(), "\n"), []string{
		"f:2: courses[0].activities[0].seconds: must be from 1 to 86400",
		"f:3: courses[0].facts[0].did: is not one of viewed, watched, completed, answered, submitted, retook",
		"f:3: courses[0].facts[0].fraction: is not a number such as 0.75",
		"f:3: courses[0].facts[1].at: is not a time such as 2026-01-02T15:04:05Z",
		"f:3: courses[0].facts[1].fraction: must be from 0 to 1",
	})

	file, err := schoolfile.Parse("f", []byte(`{"name": "S",
		"people": [{"email": "a@example.test", "activated": true}],
		"quizzes": [{"name": "Q", "questions": [{"text": "T?", "choices": [{"text": "Yes", "correct": true}, {"text": "No"}]}]}, {"name": "E"}],
		"courses": [{"name": "C", "enrollments": [{"email": "a@example.test"}],
			"activities": [{"title": "Twice"}, {"title": "Twice"}, {"title": "Both", "seconds": 1, "quiz": "Q"},
				{"title": "None", "quiz": "R"}, {"title": "Quiz", "quiz": "Q"}],
			"facts": [
				{"email": "b@example.test", "did": "viewed", "activity": "Quiz"},
				{"email": "a@example.test", "did": "viewed", "activity": "Twice"},
				{"email": "a@example.test", "did": "watched", "activity": "Quiz"},
				{"email": "a@example.test", "did": "answered", "activity": "Quiz", "question": "U?"},
				{"email": "a@example.test", "did": "answered", "activity": "Quiz", "question": "T?", "chosen": ["Perhaps"]},
				{"email": "a@example.test", "did": "submitted", "activity": "Quiz"},
				{"email": "a@example.test", "did": "retook"}]}]}`))
	is.NoErr(err)
	_, _, err = newApp().Provision.Load(t.Context(), file.Schools[0])
	is.Equal(strings.Split(file.Explain(0, err).Error(), "\n"), []string{
		"f:3: quizzes[1].questions: must be 1 to 500",
		"f:5: courses[0].activities[2]: must be one of a video, a quiz and an assignment",
		`f:6: courses[0].activities[3].quiz: there is no quiz "R"`,
		`f:8: courses[0].facts[0].email: there is nobody "b@example.test"`,
		`f:9: courses[0].facts[1].activity: there is more than one activity "Twice"`,
		"f:10: courses[0].facts[2].activity: is not a video",
		`f:11: courses[0].facts[3].question: there is no question "U?"`,
		"f:12: courses[0].facts[4].chosen: is not among the choices of the question",
		"f:13: courses[0].facts[5].activity: is not an assignment",
		"f:14: courses[0].facts[6].course: has an attempt that is not complete",
	})
}

// The demo has an example of everything.
func TestTheDemoShowsEveryWayToLearn(t *testing.T) {
	is := is.New(t)
	a := newApp()
	who, _ := load(t, a, schoolfile.Demo())
	seen := map[string]bool{}
	attempts := map[string]int{}
	for _, r := range list(t, analytics.CourseSchema, who, a.Analytics.Courses) {
		attempts[r.Person.String()+r.Course.String()]++
		switch {
		case r.LastActivityCompletedAt == nil && strings.HasSuffix(r.Key(), "000000000000"):
			seen["never begun"] = true
		case r.Progress == 0:
			seen["nothing yet"] = true
		case r.Progress == 10000:
			seen["all"] = true
		default:
			seen["in part"] = true
		}
		seen["again"] = seen["again"] || attempts[r.Person.String()+r.Course.String()] == 2
	}
	runs := map[string]map[string]bool{}
	for _, r := range list(t, analytics.AnswerSchema, who, a.Analytics.Answers) {
		of := r.Person.String() + r.Activity.String()
		if runs[of] == nil {
			runs[of] = map[string]bool{}
		}
		runs[of][r.QuizAttempt.String()] = true
		seen["a quiz again"] = seen["a quiz again"] || len(runs[of]) > 1
	}
	for _, e := range list(t, event.Schema, who, a.Events.List) {
		seen[e.Kind.String()] = true
	}
	seen["files"] = len(list(t, submission.Schema, who, a.Submissions.List)) > 0
	is.Equal(seen, map[string]bool{
		"never begun": true, "nothing yet": true, "in part": true, "all": true, "again": true, "a quiz again": true, "files": true,
		event.ViewedActivity.String(): true, event.ViewedVideo.String(): true,
	})
}

package teaching

import (
	"slices"
	"strconv"
	"strings"

	"lyceum/domain/fault"
	"lyceum/domain/quiz"
	"lyceum/domain/structure"
	"lyceum/domain/text"
)

// plan returns the planned state of the activity.
func (f activityForm) plan(s structure.Structure) (structure.Activity, error) {
	a := structure.Activity{Key: f.Key, Title: f.Title, Kind: f.Kind, Text: &f.Text}
	if a.Key == "" {
		used := map[string]bool{}
		for _, one := range slices.Concat(s.Activities, s.Archived) {
			used[one.Key] = true
		}
		a.Key = freeKey(f.Title, f.Kind, used)
	}
	switch f.Kind {
	case "video":
		seconds, err := parseLength(f.Length)
		if err != nil {
			return a, err
		}
		a.VideoURL, a.Duration = &f.VideoURL, &seconds
	case "assignment":
		a.Assignment = &structure.Assignment{Defined: true, Title: f.Title}
	case "quiz":
		a.Quiz = &structure.Quiz{Defined: true, Name: f.Title, Questions: f.questions(s)}
	}
	return a, nil
}

// questions returns the questions of a quiz. New questions get keys that no other question of the
// quiz has, including archived ones.
func (f activityForm) questions(s structure.Structure) []quiz.Question {
	used := map[string]bool{}
	if i := indexOf(s, f.Key); i >= 0 {
		was := s.Quizzes[s.Activities[i].Content.Quiz]
		for _, q := range slices.Concat(was.Questions, was.Archived) {
			used[q.Key] = true
		}
	}
	var all []quiz.Question
	for _, q := range f.Questions {
		one := quiz.Question{Key: q.Key, Text: q.Text}
		if one.Key == "" {
			one.Key = freeKey(q.Text, "question", used)
			used[one.Key] = true
		}
		for _, c := range q.Choices {
			one.Choices = append(one.Choices, quiz.Choice{Text: c.Text, Correct: c.Correct})
		}
		all = append(all, one)
	}
	return all
}

// maxKey is the maximum length of the part of a key that is derived from a title.
const maxKey = 60

// freeKey returns a key that is not used, derived from a title or, if that has no letters, from the
// word other.
func freeKey(title, other string, used map[string]bool) string {
	base := text.Slugify(title)
	if base == "" {
		base = other
	}
	base = strings.Trim(base[:min(len(base), maxKey)], "-")
	key := base
	for n := 2; used[key]; n++ {
		key = base + "-" + strconv.Itoa(n)
	}
	return key
}

// parseLength returns the seconds of a length such as 3:25, or 3 for three minutes.
func parseLength(s string) (int64, error) {
	minutes, seconds, _ := strings.Cut(s, ":")
	m, errMinutes := strconv.ParseUint(minutes, 10, 16)
	var n uint64
	var errSeconds error
	if seconds != "" {
		n, errSeconds = strconv.ParseUint(seconds, 10, 16)
	}
	if errMinutes != nil || errSeconds != nil || n > 59 {
		return 0, fault.Invalidf("length", "must be minutes and seconds, such as 3:25")
	}
	return int64(60*m + n), nil
}

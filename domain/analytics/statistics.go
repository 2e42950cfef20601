package analytics

import (
	"time"

	"lyceum/domain/course"
	"lyceum/domain/decimal"
	"lyceum/domain/quiz"
)

// Statistics contains totals about the learners of a school or of some of its courses.
type Statistics struct {
	Period    Period             // zero in the result of a store
	Weeks     []Week             // by start
	Courses   []CourseStatistics // the courses with the most enrollments first
	Questions []Difficulty       // the hardest questions first
}

// StatisticsScope selects the records that statistics count.
type StatisticsScope struct {
	Courses   []course.ID // nil: all courses of the school
	Since     time.Time   // start of the first week; weeks and questions ignore earlier records
	Limit     int         // maximum number of courses and of questions
	MinAnswer int         // questions with fewer answers are left out
}

// Week contains what learners did in a week.
type Week struct {
	Start       time.Time // Monday, 00:00 UTC
	Active      int64     // number of people who completed an activity or answered a question
	Enrollments int64     // enrollments as learner that began in the week and still exist
	Completions int64     // completed activities
}

// HasRecords reports whether anything happened in the week.
func (w Week) HasRecords() bool { return w.Active > 0 || w.Enrollments > 0 || w.Completions > 0 }

// CountActive returns the number of weeks in which anything happened.
func CountActive(weeks []Week) int {
	n := 0
	for _, w := range weeks {
		if w.HasRecords() {
			n++
		}
	}
	return n
}

// TrimWeeks returns weeks without the first ones in which nothing happened, but at least the last
// min of them.
func TrimWeeks(weeks []Week, min int) []Week {
	for len(weeks) > min && !weeks[0].HasRecords() {
		weeks = weeks[1:]
	}
	return weeks
}

// CourseStatistics counts the learners of a course by the progress of their latest attempt.
type CourseStatistics struct {
	Course   course.ID
	Name     string
	Learners [ProgressBands]int64
}

// ProgressBands is the number of bands of progress: 0%, below 50%, below 100% and 100%.
const ProgressBands = 4

// BandOf returns the band to which a progress belongs.
func BandOf(p decimal.Percent) int {
	switch {
	case p == 0:
		return 0
	case p < 50_00:
		return 1
	case p < 100_00:
		return 2
	}
	return 3
}

// Difficulty counts the answers to a question that is not archived.
type Difficulty struct {
	Question         quiz.QuestionID
	Text             string
	Quiz             quiz.ID
	QuizName         string
	Answers, Correct int64
}

// WeekOf returns the start of the week that contains t.
func WeekOf(t time.Time) time.Time {
	const day = 24 * time.Hour
	t = t.UTC().Truncate(day)
	return t.Add(-day * time.Duration((t.Weekday()+6)%7))
}

// FillWeeks returns the weeks from since to now. Weeks that are not in found are zero.
func FillWeeks(found []Week, since, now time.Time) []Week {
	byStart := map[time.Time]Week{}
	for _, w := range found {
		byStart[w.Start] = w
	}
	var all []Week
	for start := WeekOf(since); !start.After(now); start = start.AddDate(0, 0, 7) {
		w := byStart[start]
		w.Start = start
		all = append(all, w)
	}
	return all
}

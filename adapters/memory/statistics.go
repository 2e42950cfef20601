package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"lyceum/domain/analytics"
	"lyceum/domain/course"
	"lyceum/domain/person"
	"lyceum/domain/quiz"
	"lyceum/ports"
)

var _ ports.Statistics = statistics{}

type statistics struct{ view view }

// Of implements ports.Statistics.
func (r statistics) Of(ctx context.Context, scope analytics.StatisticsScope) (analytics.Statistics, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return analytics.Statistics{}, err
	}
	shown := s.shownCourses(scope.Courses)
	return analytics.Statistics{
		Weeks: s.weeks(scope.Since, shown), Courses: s.courseStatistics(scope.Limit, shown), Questions: s.difficulties(scope, shown),
	}, nil
}

// shownCourses returns the existing courses among ids, or all courses if ids is nil.
func (s *state) shownCourses(ids []course.ID) map[course.ID]course.Summary {
	shown := map[course.ID]course.Summary{}
	for r := range s.courses.table.ByID.From(0) {
		if ids == nil || slices.Contains(ids, r.Row.ID) {
			shown[r.Row.ID] = r.Row
		}
	}
	return shown
}

// weeks counts by week.
func (s *state) weeks(since time.Time, shown map[course.ID]course.Summary) []analytics.Week {
	weeks, active := map[time.Time]*analytics.Week{}, map[time.Time]map[person.ID]bool{}
	week := func(at time.Time) *analytics.Week {
		start := analytics.WeekOf(at)
		if weeks[start] == nil {
			weeks[start], active[start] = &analytics.Week{Start: start}, map[person.ID]bool{}
		}
		return weeks[start]
	}
	for c := range s.attempts.table.CompletionRows.Whole().From(0) {
		if c.At.Before(since) {
			break
		}
		if _, ok := shown[c.Of.Course]; ok {
			w := week(c.At)
			w.Completions++
			active[w.Start][c.Of.Person] = true
		}
	}
	for a := range s.rawAnswers.table.Whole().From(0) {
		if a.At.Before(since) {
			break
		}
		if _, ok := shown[a.Head.Course]; ok {
			active[week(a.At).Start][a.Head.Person] = true
		}
	}
	for e := range s.enrollments.table.Rows.Whole().From(0) {
		if e.CreatedAt().Before(since) {
			break
		}
		if _, ok := shown[e.Course]; ok && e.Learner {
			week(e.CreatedAt()).Enrollments++
		}
	}
	var all []analytics.Week
	for start, w := range weeks {
		w.Active = int64(len(active[start]))
		all = append(all, *w)
	}
	slices.SortFunc(all, func(a, b analytics.Week) int { return a.Start.Compare(b.Start) })
	return all
}

func (s *state) courseStatistics(limit int, shown map[course.ID]course.Summary) []analytics.CourseStatistics {
	var top []course.Summary
	for r := range s.courses.table.Rows.Whole().From(0) { // in the order of the list
		if _, ok := shown[r.Row.ID]; ok {
			top = append(top, r.Row)
		}
	}
	slices.SortStableFunc(top, func(a, b course.Summary) int { return cmp.Compare(b.EnrollmentsCount, a.EnrollmentsCount) })
	all := make([]analytics.CourseStatistics, min(limit, len(top)))
	for i := range all {
		all[i].Course, all[i].Name = top[i].ID, top[i].Name
		for e := range s.enrollments.table.Rows.Within("course.id", top[i].ID.UUID).From(0) {
			if !e.Learner {
				continue
			}
			band := 0
			if a, ok := s.attempts.table.Latest(e.Person, e.Course); ok {
				band = analytics.BandOf(a.Progress)
			}
			all[i].Learners[band]++
		}
	}
	return all
}

func (s *state) difficulties(scope analytics.StatisticsScope, shown map[course.ID]course.Summary) []analytics.Difficulty {
	counted := map[quiz.QuestionID]*analytics.Difficulty{}
	for a := range s.rawAnswers.table.Whole().From(0) {
		if a.At.Before(scope.Since) {
			break
		}
		if _, ok := shown[a.Head.Course]; !ok {
			continue
		}
		d := counted[a.Question]
		if d == nil {
			d = &analytics.Difficulty{Question: a.Question, Quiz: a.Head.Quiz}
			counted[a.Question] = d
		}
		d.Answers++
		if a.Correct {
			d.Correct++
		}
	}
	all := []analytics.Difficulty{}
	for _, d := range counted {
		about, _ := s.quizzes.table.ByID.Get(d.Quiz.UUID)
		asked, _ := s.questions.table.Get(d.Quiz.UUID)
		at := quiz.PositionOf(asked.active, d.Question)
		if at.Number == 0 || d.Answers < int64(scope.MinAnswer) {
			continue
		}
		d.Text, d.QuizName = asked.text(d.Question, at), about.Row.Name
		all = append(all, *d)
	}
	slices.SortFunc(all, func(a, b analytics.Difficulty) int {
		return cmp.Or(
			cmp.Compare(a.Correct*b.Answers, b.Correct*a.Answers), cmp.Compare(b.Answers, a.Answers),
			cmp.Compare(a.Question.String(), b.Question.String()),
		)
	})
	return all[:min(scope.Limit, len(all))]
}

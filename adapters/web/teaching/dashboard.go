package teaching

import (
	"net/http"

	"lyceum/adapters/web"
	"lyceum/domain/analytics"
)

// dashboardData is the data of the dashboard.
type dashboardData struct {
	Welcome   bool // whether the school has no course yet
	Weeks     []weekData
	Courses   []analytics.CourseStatistics
	Questions []difficultyData
}

type weekData struct {
	Day string // first day
	analytics.Week
}

type difficultyData struct {
	analytics.Difficulty
	Percent int64 // share of correct answers, rounded down
}

func dashboard(x *exchange) error {
	if err := x.AdmitWork(web.Search); err != nil {
		return err
	}
	found, err := x.site.app.Statistics(x.r.Context(), x.staff)
	if err != nil {
		return err
	}
	d := dashboardData{Welcome: len(found.Courses) == 0 && x.staff.Manages(), Courses: found.Courses}
	for _, w := range found.Weeks {
		d.Weeks = append(d.Weeks, weekData{x.Date(w.Start), w})
	}
	for _, q := range found.Questions {
		d.Questions = append(d.Questions, difficultyData{q, 100 * q.Correct / q.Answers})
	}
	return x.render(http.StatusOK, "dashboard", d)
}

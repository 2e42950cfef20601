package teaching

import (
	"net/http"

	"lyceum/adapters/web"
	"lyceum/domain/analytics"
	"lyceum/domain/decimal"
)

// dashboardData is the data of the dashboard.
type dashboardData struct {
	Welcome   bool // whether the school has no course yet
	Periods   []periodData
	Weeks     []weekData
	Courses   []analytics.CourseStatistics
	Questions []difficultyData
}

type periodData struct {
	Value  string // of the parameter period
	Name   string // text of the app
	Chosen bool
}

// periodNames contains the names of the periods, texts of the app.
var periodNames = map[analytics.Period]string{
	analytics.FourWeeks: "4 weeks", analytics.TwelveWeeks: "12 weeks", analytics.Year: "A year", analytics.AllWeeks: "All",
}

type weekData struct {
	Day string // first day
	analytics.Week
}

type difficultyData struct {
	analytics.Difficulty
	Percent int64 // share of correct answers
}

func dashboard(x *siteRequest) error {
	var period analytics.Period // zero: the use case chooses it
	if name := x.r.URL.Query().Get("period"); name != "" {
		var err error
		if period, err = analytics.ParsePeriod(name); err != nil {
			return err
		}
	}
	if err := x.AdmitWork(web.Search); err != nil {
		return err
	}
	found, err := x.site.app.Statistics(x.r.Context(), x.staff, period)
	if err != nil {
		return err
	}
	d := dashboardData{Welcome: len(found.Courses) == 0 && x.staff.Manages(), Courses: found.Courses}
	for _, p := range analytics.Periods() {
		d.Periods = append(d.Periods, periodData{p.String(), periodNames[p], p == found.Period})
	}
	for _, w := range found.Weeks {
		d.Weeks = append(d.Weeks, weekData{x.Date(w.Start), w})
	}
	for _, q := range found.Questions {
		d.Questions = append(d.Questions, difficultyData{q, decimal.PercentOf(int(q.Correct), int(q.Answers)).Whole()})
	}
	return x.render(http.StatusOK, "dashboard", d)
}
